package mapcontroller_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mapcontroller"
)

// service is a parent with one input.
const service = `
apiVersion: example.org/v1
kind: Policy
metadata: {name: p, namespace: prod}
---
apiVersion: v1
kind: Service
metadata: {name: web, namespace: prod}
spec: {a: 1}
`

// TestAnswers checks which answers of webhooks are valid, and the errors of the others.
func TestAnswers(t *testing.T) {
	output := func(fields string) string {
		return `{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"` + fields + `}}]}`
	}
	cases := map[string]struct{ reason, version, body, want string }{
		"NoJSON":       {"text that is none", "v1", "oops", "the response cannot be read: invalid character 'o' looking for beginning of value"},
		"Empty":        {"nothing at all", "v1", "", "the response cannot be read: it ends too early"},
		"Early":        {"the connection broke", "v1", `{"outputs": [`, "the response cannot be read: it ends too early"},
		"List":         {"a list is for expressions", "v1", "[]", "the response cannot be read: it is not a JSON object"},
		"Behind":       {"two answers are none", "v1", `{"outputs": []} []`, "the response cannot be read: data follows its end"},
		"Deep":         {"too deep", "v1", `{"outputs": ` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + "}", "the response cannot be read: it nests more than 100 levels"},
		"Many":         {"too many", "v1", `{"outputs": [` + strings.Repeat("{},", 10_000) + "{}]}", "outputs has more than 10000 elements"},
		"Parts":        {"too much in all", "v1", `{"x": [` + strings.Repeat("1,", 1_000_000) + "1]}", "the response cannot be read: it has more than 1000000 parts"},
		"Long":         {"too long", "v1", strings.Repeat(" ", mapcontroller.MaxAnswerBytes+1), "the response cannot be read: it is longer than 67108864 bytes"},
		"LooseTwice":   {"the last one counts", "v1", `{"outputs": [1], "outputs": [2, 3], "outputs": []}`, ""},
		"StrictTwice":  {"two are one too many", "v2", `{"outputs": [1], "outputs": []}`, `the response cannot be read: it has the field "outputs" twice`},
		"StrictInside": {"wherever it is", "v2", output(`, "name": "b"`), `the response cannot be read: it has the field "name" twice`},
		"LooseUnknown": {"fields of others pass", "v1", `{"outputs": [], "status": {}}`, ""},
		"LooseCase":    {"names are what they are, in case, too", "v1", `{"Outputs": []}`, "the answer has no outputs"},
		"NoObject":     {"an element that is none", "v1", `{"outputs": ["a"]}`, "outputs[0] is not an object"},
		"NoList":       {"a map is no list", "v1", `{"outputs": {}}`, "outputs is not a list"},
		"NoMetadata":   {"metadata is a map", "v1", `{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": []}]}`, "outputs[0]: its metadata.name is not a string"},
		"Generated":    {"a name is a name", "v1", `{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"generateName": "a-"}}]}`, "outputs[0]: its metadata.name is not a string"},
		"NoVersion":    {"so is a version", "v1", `{"outputs": [{"kind": "ConfigMap", "metadata": {"name": "a"}}]}`, "outputs[0]: its apiVersion is not a string"},
		"Namespace":    {"a namespace is a text", "v1", output(`, "namespace": 1`), "outputs[0]: its metadata.namespace is not a string"},
		"NoNamespace":  {"an empty one is none", "v1", output(`, "namespace": ""`), ""},
		"Annotation":   {"annotations are texts", "v1", output(`, "annotations": {"a": true}`), "outputs[0]: its metadata.annotations[a] is not a string"},
		"Labels":       {"labels are a map", "v1", output(`, "labels": []`), "outputs[0]: its metadata.labels is not a map"},
		"NoLabels":     {"or nothing", "v1", output(`, "labels": null, "annotations": {}`), ""},
		"Large":        {"a number that nothing holds", "v1", `{"outputs": [{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": 1e400}]}`, "outputs[0]: it has a number that is too large"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := pass(t, fmt.Sprintf(webhooks, tc.version), read(t, service), &recorder{answer: says(tc.body)})
			want := []string(nil)
			if tc.want != "" {
				want = []string{"[error] Service prod/web map(/Service/prod/web): hook map: " + tc.want + " (owner example.org/Policy/prod/p)"}
			}
			if diff := cmp.Diff(want, messages(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestCaller has a caller of programs that answers in every possible way.
func TestCaller(t *testing.T) {
	config := read(t, `{apiVersion: waybill.dev/v1alpha1, kind: MapController, metadata: {name: c}, spec: {
		parentResource: {apiVersion: example.org/v1, kind: Policy}, inputResources: [{apiVersion: v1, resource: services}],
		outputResources: [{apiVersion: v1, resource: services}], hooks: {map: {function: {exec: ./ports}}}}}`)[0]
	cases := map[string]struct {
		reason string
		run    func(in *fn.Input) (*fn.Output, error)
		items  int
		want   string
	}{
		"Input":   {"the returned input is no output, changed or not", func(in *fn.Input) (*fn.Output, error) { return fn.NewOutput(in), nil }, 2, ""},
		"Nothing": {"a function need not return its input", func(*fn.Input) (*fn.Output, error) { return &fn.Output{}, nil }, 2, ""},
		"Output":  {"another object is", func(in *fn.Input) (*fn.Output, error) { return &fn.Output{Items: renamed(in.Items[0])}, nil }, 3, ""},
		"Error":   {"it cannot run", func(*fn.Input) (*fn.Output, error) { return nil, errors.New("not found") }, 2, "not found"},
		"Nil":     {"it returns nothing", func(*fn.Input) (*fn.Output, error) { return nil, nil }, 2, "it returned nothing"},
		"Null":    {"in another way", func(*fn.Input) (*fn.Output, error) { return &fn.Output{Items: make([]*krm.Object, 1)}, nil }, 2, "items[0] is null"},
		"Result": {"it reports an error", func(*fn.Input) (*fn.Output, error) {
			return &fn.Output{Results: sdk.Results{nil, {Severity: sdk.Error, Message: "a\nb"}}}, nil
		}, 2, "a b"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			items := read(t, service)
			ctx := fn.WithCaller(t.Context(), caller(func(f fn.Callee, in *fn.Input) (*fn.Output, error) {
				if f.Exec != "./ports" || !in.Config.Is("waybill.dev", "MapRequest") {
					t.Errorf("called for %v with %s", f, in.Config.Describe())
				}
				return tc.run(in)
			}))
			out := mapcontroller.Function().Apply(ctx, &fn.Input{Items: items, Config: config})
			if got := len(out.Items); got != tc.items {
				t.Errorf("%s: %d items, want %d", tc.reason, got, tc.items)
			}
			if got := fn.FormatResult(out.Results[0]); out.Failed() != (tc.want != "") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}

// caller is a function that is its own fn.Caller.
type caller func(fn.Callee, *fn.Input) (*fn.Output, error)

func (caller) Check(fn.Callee) error { return nil }

func (c caller) Call(_ context.Context, f fn.Callee, in *fn.Input) (*fn.Output, error) {
	return c(f, in)
}

func renamed(o *krm.Object) []*krm.Object {
	c := o.DeepCopy()
	krm.SetField(c.Lookup("metadata"), "name", krm.StringNode("other"))
	return []*krm.Object{c}
}
