package mapcontroller_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

const webhooks = `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {view: Complete, allowEmpty: true,
	parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
	outputResources: [{apiVersion: v1, resource: configmaps}, {apiVersion: v1, resource: nodes, updateStrategy: {method: Recreate}}],
	hooks: {map: {version: %[1]s, webhook: {url: "http://a"}}, tombstone: {version: %[1]s, webhook: {url: "http://a"}}}}}`

// FuzzAnswer has a webhook with any answer: nothing panics, outputs are where they belong, a failure changes nothing, and the
// same answer again changes nothing.
func FuzzAnswer(f *testing.F) {
	for _, body := range []string{
		`{"outputs": []}`, `{"outputs": null}`, `{}`, `[]`, `{"outputs": [null]}`, `{"outputs": [1]}`, `{"outputs": {}}`, `{"Outputs": []}`,
		`{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "b"}}]}`,
		`{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "", "labels": null, "annotations": {"waybill.dev/owner": "x", "config.kubernetes.io/path": "x"}}, "status": 1}]}`,
		`{"outputs": [{"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "spec": {"a": [1, 1.0, 1e3, -0, 12345678901234567890, 1e400, true, null, "yes", "\u0000"]}}]}`,
		`{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}, {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "namespace": "prod"}}]}`,
		`{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a", "name": "b"}}]}`, `{"outputs": []} {}`, `{"outputs": [`,
		`{"outputs": [], "resyncAfterSeconds": 1e99}`, `{"outputs": [{"kind": 1, "apiVersion": [], "metadata": "x"}]}`, strings.Repeat("[", 200),
		`{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"<<": {"a": "b"}, "": "x", "a\nb": "\t"}}]}`,
	} {
		f.Add([]byte(body), true)
		f.Add([]byte(body), false)
	}
	f.Fuzz(func(t *testing.T, body []byte, strict bool) {
		config := fmt.Sprintf(webhooks, map[bool]string{true: "v2", false: "v1"}[strict])
		items := read(t, fmt.Sprintf(finalizing, "yes", "", ""))
		hooks := &recorder{answer: says(string(body))}
		first := pass(t, config, items[:2], hooks)
		checkAnswer(t, items[:2], first)
		second := pass(t, config, first.Plan.Items, hooks)
		if !slices.Equal(first.Plan.Items, second.Plan.Items) {
			t.Errorf("a second pass changes something:\n%s\n%s", text(t, first.Plan.Items), text(t, second.Plan.Items))
		}
		checkAnswer(t, nil, pass(t, config, append(first.Plan.Items[2:], items[0]), hooks)) // the input is gone
	})
}

func text(t *testing.T, items []*krm.Object) string {
	t.Helper()
	out, err := krm.Write(items)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// checkAnswer checks that the outputs of an answer are valid outputs of the parent.
func checkAnswer(t *testing.T, given []*krm.Object, p *mapcontroller.Result) {
	t.Helper()
	for _, r := range p.Results {
		if strings.Contains(r.Message, "please report") || strings.Contains(r.Message, "\n") || len(r.Message) > 4096 {
			t.Error(r.Message)
		}
	}
	failed := slices.ContainsFunc(p.Results, func(r *sdk.Result) bool { return r.Severity == sdk.Error })
	if failed && given != nil && !slices.Equal(p.Plan.Items, given) {
		t.Errorf("it failed, and changed items: %v", messages(p))
	}
	for _, o := range p.Plan.Items {
		if o.Kind() == "Policy" || o.Kind() == "Service" {
			continue
		}
		tags := applyset.TagsOf(o)
		switch {
		case tags.Owner != "example.org/Policy/prod/p" || tags.Controller != "c" || tags.Input != "/Service/prod/web":
			t.Errorf("%s has the tags %v", o.Describe(), tags)
		case !o.Is("", "ConfigMap") && !o.Is("", "Node"), o.Is("", "ConfigMap") && o.Namespace() != "prod", o.Is("", "Node") && o.Namespace() != "":
			t.Errorf("%s cannot be an output", o.Describe())
		case o.File() != "map/c/p/"+applyset.MapKey(tags.Input)+".yaml":
			t.Errorf("%s is in another file", o.Describe())
		}
		if _, err := krm.Read("out.yaml", []byte(text(t, []*krm.Object{o})), krm.Limits{}); err != nil {
			t.Errorf("%s cannot be read: %v", o.Describe(), err)
		}
	}
}

// FuzzSelector has a parent with any selector: it selects the same as the library of Kubernetes; a missing selector and null
// select everything.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{"", "{}", "null", "{matchLabels: {a: b}}", "{matchLabels: {a: null}}", "{matchExpressions: [{key: a, operator: Exists}]}",
		"{matchExpressions: [{key: a, operator: NotIn, values: [b, c]}]}", "[]", "a", "{matchLabels: []}", "{matchLabels: {a: 1}}", "{match: {}}",
		"{matchExpressions: [{key: '', operator: In}]}", "{matchExpressions: [{key: a, operator: DoesNotExist}]}"} {
		f.Add(s, "b")
	}
	f.Fuzz(func(t *testing.T, selector, label string) {
		in := fmt.Sprintf("apiVersion: example.org/v1\nkind: Policy\nmetadata: {name: p, namespace: prod}\nspec: {selector: %s}\n---\n"+
			"apiVersion: v1\nkind: Service\nmetadata: {name: web, namespace: prod, labels: {a: %q}}\n---\napiVersion: v1\nkind: Service\nmetadata: {name: db, namespace: prod}\n", selector, label)
		items, err := krm.Read("in.yaml", []byte(in), fntest.FuzzLimits)
		if err != nil || len(items) != 3 || items[0].Lookup("spec", "selector") == nil && selector != "" {
			return
		}
		n := items[0].Lookup("spec", "selector")
		hooks := &recorder{answer: says(`{"outputs": []}`)}
		p := pass(t, fmt.Sprintf(webhooks, "v1"), items, hooks)
		want, known := selected(n, items[1:])
		switch {
		case p.Failed() && len(hooks.requests) > 0, !p.Failed() && !known:
			t.Fatalf("known is %t, with %d requests; messages: %v", known, len(hooks.requests), messages(p))
		case !p.Failed() && len(hooks.requests) != want:
			t.Errorf("%d inputs, want %d", len(hooks.requests), want)
		}
	})
}

// selected is how many objects a selector selects, decoded in another way; unknown if it is invalid. That decoder accepts
// names of fields in any case.
func selected(n *yaml.Node, objects []*krm.Object) (count int, known bool) {
	selector := labels.Everything()
	if n != nil && n.ShortTag() != yaml.NodeTagNull {
		data, err := krm.CanonicalJSON(n)
		if err != nil {
			return 0, false
		}
		var s metav1.LabelSelector
		dec := json.NewDecoder(bytes.NewReader(data))
		if dec.DisallowUnknownFields(); dec.Decode(&s) != nil {
			return 0, false
		}
		if selector, err = metav1.LabelSelectorAsSelector(&s); err != nil {
			return 0, false
		}
	}
	for _, o := range objects {
		if selector.Matches(labels.Set(o.Labels())) {
			count++
		}
	}
	return count, true
}
