package expansion

import (
	"fmt"
	"strings"
	"testing"
	gotemplate "text/template"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template"
)

const optedIn = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  namespace: shop\n  name: cfg\n  annotations: {control.kubestellar.io/expand-templates: \"true\"}\n"

func read(t testing.TB, text string) *krm.Object {
	t.Helper()
	objs, err := krm.Read("test.yaml", []byte(text), krm.Limits{})
	if err != nil || len(objs) != 1 {
		t.Fatalf("%d objects, %v in:\n%s", len(objs), err, text)
	}
	return objs[0]
}

func write(t testing.TB, o *krm.Object) string {
	t.Helper()
	data, err := krm.WriteRaw(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func mustCompile(t testing.TB, o *krm.Object) *Template {
	t.Helper()
	tmpl, err := Compile(o, Ref(o))
	if err != nil {
		t.Fatal(err)
	}
	return tmpl
}

// Expand is the object for one cluster, as if that were all of the run: Build of what Fill gives.
func (t *Template) Expand(cluster string, props map[string]string) (*krm.Object, []error) {
	values, errs := t.Fill(NewAllowance(), cluster, props)
	if len(errs) > 0 {
		return nil, errs
	}
	return t.Build(values), nil
}

// withText is an opted-in ConfigMap with text at data.x.
func withText(text string) *krm.Object {
	return krm.FromNode(krm.MapNode(
		krm.StringNode("kind"), krm.StringNode("ConfigMap"),
		krm.StringNode("metadata"), krm.MapNode(
			krm.StringNode("name"), krm.StringNode("cfg"),
			krm.StringNode("annotations"), krm.MapNode(krm.StringNode(OptIn), krm.StringNode("true"))),
		krm.StringNode("data"), krm.MapNode(krm.StringNode("x"), krm.StringNode(text))))
}

// checkLaws holds for every object and every cluster: table, fuzz corpus and benchmark pass it. It
// returns what Expand gave.
func checkLaws(t testing.TB, o *krm.Object, cluster string, props map[string]string) (*krm.Object, []error) {
	t.Helper()
	before := write(t, o)
	began := time.Now()
	tmpl, err := Compile(o, Ref(o))
	if err != nil || tmpl == nil {
		checkPatience(t, began)
		return nil, []error{err}
	}
	got, errs := tmpl.Expand(cluster, props)
	checkPatience(t, began)
	law(t, "the object is left alone", before, write(t, o))
	law(t, "errors and no object, or an object and no errors", len(errs) == 0, got != nil)
	for _, e := range texts(errs) {
		law(t, "an error is one line with prefix: "+e, true, strings.HasPrefix(e, "template: ") && !strings.Contains(e, "\n"))
	}
	work := 0
	for _, l := range tmpl.leaves {
		work += checkAgainstPlain(t, l, cluster, props)
	}
	if work < maxWork/20 { // the dear ones would only take time
		again, errsAgain := tmpl.Expand(cluster, props)
		law(t, "the same errors twice", texts(errs), texts(errsAgain))
		law(t, "the same object twice", got != nil && again != nil, got != nil && krm.Same(got, again))
	}
	if got != nil {
		law(t, "what is written reads back", canonical(t, got), canonical(t, read(t, write(t, got))))
	}
	return got, errs
}

// patience is how long one object may take for one cluster before it counts as hanging. It is about
// a second on a machine that has nothing else to do; with the race detector, beside other tests, it
// was half a minute.
const patience = time.Minute

func checkPatience(t testing.TB, began time.Time) {
	t.Helper()
	law(t, "an object is done within "+patience.String(), true, time.Since(began) < patience)
}

func canonical(t testing.TB, o *krm.Object) string {
	t.Helper()
	data, err := krm.CanonicalJSON(o.Node())
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// checkAgainstPlain holds one string against text/template without any guard, but only where
// guards let it pass: there plain execution is known to end, with the same text or error. It
// returns the work that guards counted.
func checkAgainstPlain(t testing.TB, l *leaf, cluster string, props map[string]string) int {
	t.Helper()
	m := newMachine([]*leaf{l})
	got, err := m.run(l, 0, props)
	explained := ""
	if err != nil {
		explained = l.explain(cluster, props, err).Error()
	}
	law(t, "work stays within the budget", true, m.budget.work <= maxWork+maxOutput)
	law(t, "output stays within its bound", true, len(got) <= maxOutput)
	if isRefusal(explained, err) {
		return m.budget.work
	}
	plain, plainErr := plainly(cluster+"/"+l.name, l.text, props)
	law(t, "the same error as text/template", plainErr, explained)
	law(t, "the same text as text/template", plain, got)
	return m.budget.work
}

// plainly is what text/template does on its own: text or error. It takes the % in a name for part of a
// format, so it gets another sign there, which the error then lacks again.
func plainly(name, text string, props map[string]string) (string, string) {
	const sign = "\u066a" // printable, and in no seed
	var b strings.Builder
	parsed, err := gotemplate.New(strings.ReplaceAll(name, "%", sign)).Option("missingkey=error").Parse(text)
	if err == nil {
		err = parsed.Execute(&b, props)
	}
	switch {
	case err == nil:
		return b.String(), ""
	case strings.Contains(name, "%"):
		return "", oneLine(strings.ReplaceAll(err.Error(), sign, "%")).Error()
	}
	return "", oneLine(err.Error()).Error()
}

func isRefusal(explained string, err error) bool {
	_, refused := template.Refused(err)
	return refused || strings.Contains(explained, ": refused") || strings.Contains(explained, ": longer than") || strings.Contains(explained, ": nested deeper") || strings.Contains(explained, ": declares variables in more than")
}

func law[T any](t testing.TB, name string, want, got T) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("law broken: %s (-want +got):\n%s", name, d)
	}
}

func texts(errs []error) (out []string) {
	for _, e := range errs {
		out = append(out, fmt.Sprint(e))
	}
	return out
}
