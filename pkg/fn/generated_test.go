package fn

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// desire is a list of objects, each "name: content", as a function desires them.
func desire(t testing.TB, specs ...string) (out []*krm.Object) {
	t.Helper()
	for _, s := range specs {
		name, spec, _ := strings.Cut(s, " ")
		o := object(t, "apiVersion: example.com/v1\nkind: Work\nmetadata:\n  name: "+name+"\nspec: "+spec+"\n")
		block(o.Node())
		o.SetPath("new/"+name+".yaml", 0)
		out = append(out, o)
	}
	return out
}

// block takes braces and brackets off, as functions make their objects.
func block(n *yaml.Node) {
	n.Style &^= yaml.FlowStyle
	for _, c := range n.Content {
		block(c)
	}
}

// item is an object on file, with more metadata lines and the rest as given.
func item(t testing.TB, name, annotations, rest string) *krm.Object {
	t.Helper()
	return object(t, "apiVersion: example.com/v1\nkind: Work\nmetadata:\n  name: "+name+"\n  annotations:\n    internal.config.kubernetes.io/path: 'on/file.yaml'\n    internal.config.kubernetes.io/index: '3'\n"+annotations+rest)
}

const ours, others = "    waybill.dev/generated-by: 'mine'\n", "    waybill.dev/generated-by: 'theirs'\n"

// mine is the function that the cases are about.
var mine = Generator{Function: "mine", Kinds: []string{"Work"}}

func TestRegenerate(t *testing.T) {
	text := func(name, annotations, rest string) string { return raw(t, item(t, name, annotations, rest)) }
	fresh := func(name, x string) string {
		return "apiVersion: example.com/v1\nkind: Work\nmetadata:\n  name: " + name + "\n  annotations:\n    config.kubernetes.io/index: '0'\n    config.kubernetes.io/path: 'new/" + name + ".yaml'\n    internal.config.kubernetes.io/index: '0'\n    internal.config.kubernetes.io/path: 'new/" + name + ".yaml'\n    waybill.dev/generated-by: 'mine'\nspec:\n  x: " + x + "\n"
	}
	cases := map[string]struct {
		reason  string
		in      []*krm.Object
		desired []*krm.Object
		want    []string
		errors  []string
	}{
		"new":             {reason: "comes at the end, marked", in: []*krm.Object{item(t, "hand", "", "")}, desired: desire(t, "b {x: 1}", "a {x: 2}"), want: []string{text("hand", "", ""), fresh("b", "1"), fresh("a", "2")}},
		"gone":            {reason: "what is no longer wanted goes; what others made stays", in: []*krm.Object{item(t, "a", ours, ""), item(t, "b", others, ""), item(t, "c", "", "")}, want: []string{text("b", others, ""), text("c", "", "")}},
		"changed":         {reason: "keeps place, file, index, order of fields and comments", in: []*krm.Object{item(t, "first", "", ""), item(t, "a", ours, "# about spec\nspec: # here\n  y: 1 # why\n  x: 2\n\n# below\n"), item(t, "last", "", "")}, desired: desire(t, "a {x: 3, y: 1, z: 4}"), want: []string{text("first", "", ""), text("a", ours, "# about spec\nspec: # here\n  y: 1 # why\n  x: 3\n  z: 4\n\n# below\n"), text("last", "", "")}},
		"another shape":   {reason: "any edit of a generated object is undone", in: []*krm.Object{item(t, "a", ours, "spec: text # c\n")}, desired: desire(t, "a {x: [1]}"), want: []string{text("a", ours, "spec: # c\n  x:\n  - 1\n")}},
		"text for a map":  {reason: "the comment stays behind the field", in: []*krm.Object{item(t, "a", ours, "spec: # c\n  x: 1\n")}, desired: desire(t, "a text"), want: []string{text("a", ours, "spec: text # c\n")}},
		"list for a map":  {reason: "in the other direction too", in: []*krm.Object{item(t, "a", ours, "spec: {x: {y: 1}}\n")}, desired: desire(t, "a {x: [1]}"), want: []string{text("a", ours, "spec:\n  x:\n  - 1\n")}},
		"annotation gone": {reason: "annotations without an owner are removed", in: []*krm.Object{item(t, "a", ours+"    extra: x\n", "spec: {x: 1}\n")}, desired: desire(t, "a {x: 1}"), want: []string{text("a", ours, "spec:\n  x: 1\n")}},
		"copies":          {reason: "of two copies in a file the first stays", in: []*krm.Object{item(t, "a", ours, "spec: {x: 0}\n"), first(item(t, "a", ours, "spec: {x: 0}\n"))}, desired: desire(t, "a {x: 0}"), want: []string{raw(t, first(item(t, "a", ours, "spec: {x: 0}\n")))}},
		"copied file":     {reason: "only one of two files can be meant", in: []*krm.Object{moved(item(t, "a", ours, "")), item(t, "a", ours, "")}, desired: desire(t, "a {x: 0}"), want: []string{raw(t, moved(item(t, "a", ours, ""))), text("a", ours, "")}, errors: []string{"[error] Work a (z.yaml) it exists twice, also as Work a (on/file.yaml), and mine generates it once; remove one of them"}},
		"copied and gone": {reason: "also where it is not wanted any more", in: []*krm.Object{item(t, "a", ours, ""), moved(item(t, "a", ours, ""))}, want: []string{text("a", ours, ""), raw(t, moved(item(t, "a", ours, "")))}, errors: []string{"[error] Work a (z.yaml) it exists twice, also as Work a (on/file.yaml), and mine generates it once; remove one of them"}},
		"another kind":    {reason: "people copied the annotation into an object of their own", in: []*krm.Object{object(t, strings.Replace(raw(t, item(t, "a", ours, "")), "kind: Work", "kind: Play", 1))}, want: []string{raw(t, object(t, strings.Replace(raw(t, item(t, "a", ours, "")), "kind: Work", "kind: Play", 1)))}, errors: []string{"[error] Play a (on/file.yaml) metadata.annotations[waybill.dev/generated-by]: mine generates no Play, and removes objects with this annotation; remove the annotation"}},
		"by hand":         {reason: "a user wrote it, and nothing is replaced", in: []*krm.Object{item(t, "gone", ours, ""), item(t, "b", ours, "spec: {x: 0}\n"), item(t, "a", "", "spec: mine\n")}, desired: desire(t, "a {x: 1}", "b {x: 1}"), want: []string{text("gone", ours, ""), text("b", ours, "spec: {x: 0}\n"), text("a", "", "spec: mine\n")}, errors: []string{"[error] Work a (on/file.yaml) mine generates Work a (new/a.yaml): a file that was not generated already holds this object; rename or remove one of them"}},
		"by another":      {reason: "another function generated it", in: []*krm.Object{item(t, "a", others, "")}, desired: desire(t, "a {x: 1}"), want: []string{text("a", others, "")}, errors: []string{"[error] Work a (on/file.yaml) mine generates Work a (new/a.yaml): theirs generated it as well; only one of them can"}},
		"twice":           {reason: "one of them would be lost", in: []*krm.Object{item(t, "hand", "", "")}, desired: desire(t, "a {x: 1}", "a {x: 2}"), want: []string{text("hand", "", "")}, errors: []string{"[error] Work a (new/a.yaml) mine generates Work a (new/a.yaml) twice; its input names it twice"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before := rawAll(t, c.in)
			out := mine.Regenerate(&Input{Items: c.in}, c.desired)
			if d := cmp.Diff(c.want, rawAll(t, out.Items)); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
			var errs []string
			for _, r := range out.Results {
				errs = append(errs, FormatResult(r))
			}
			if d := cmp.Diff(c.errors, errs); d != "" {
				t.Errorf("%s: results (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(before, rawAll(t, c.in)); d != "" {
				t.Errorf("%s: the input was changed (-want +got):\n%s", c.reason, d)
			}
			checkRegenerated(t, c.in, out, c.desired)
		})
	}
}

// first puts o before the others in the file.
func first(o *krm.Object) *krm.Object {
	o.SetAnnotation(krm.IndexAnnotation, "0")
	return o
}

// moved is o in another file.
func moved(o *krm.Object) *krm.Object {
	o.SetAnnotation(krm.PathAnnotation, "z.yaml")
	return o
}

// checkRegenerated holds that doing it again gives the very same objects, also from the other end.
func checkRegenerated(t *testing.T, in []*krm.Object, out *Output, desired []*krm.Object) {
	t.Helper()
	if out.Failed() {
		return
	}
	again := mine.Regenerate(&Input{Items: out.Items}, desired)
	for i, o := range again.Items {
		if len(again.Items) != len(out.Items) || o != out.Items[i] {
			t.Fatalf("a second time changes item %d:\n%s", i, cmp.Diff(rawAll(t, out.Items), rawAll(t, again.Items)))
		}
	}
	var reversed []*krm.Object
	for _, o := range in {
		reversed = append([]*krm.Object{o}, reversed...)
	}
	other := map[string]bool{}
	for _, text := range rawAll(t, mine.Regenerate(&Input{Items: reversed}, desired).Items) {
		other[text] = true
	}
	for _, text := range rawAll(t, out.Items) {
		if !other[text] {
			t.Errorf("items in reverse give another object than:\n%s", text)
		}
	}
}

func TestIsGenerated(t *testing.T) {
	if !IsGenerated(item(t, "a", others, "")) || IsGenerated(item(t, "a", "", "")) {
		t.Error("generated is what any function generated, and nothing else")
	}
}
