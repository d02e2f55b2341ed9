package syncfn_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// emptyReferenceItems are two objects of a consumer, each with a Secret that it names.
const emptyReferenceItems = randomCRD + `---
{apiVersion: shop.example/v1, kind: Source, metadata: {name: o, namespace: shop, annotations: {waybill.dev/side: source}}, spec: {it: one, short: ne, in: shop, all: [{name: one}]}}
---
{apiVersion: shop.example/v1, kind: Source, metadata: {name: p, namespace: shop, annotations: {waybill.dev/side: source}}, spec: {it: two, short: wo, in: shop, all: [{name: two}]}}
---
{apiVersion: v1, kind: Secret, metadata: {name: one, namespace: shop, annotations: {waybill.dev/side: source}}, data: {a: b25l}}
---
{apiVersion: v1, kind: Secret, metadata: {name: two, namespace: shop, annotations: {waybill.dev/side: source}}, data: {a: dHdv}}
`

// TestEmptyReferences changes references and templates so that they give nothing, because they are misspelt or because of
// a change of a consumer.
func TestEmptyReferences(t *testing.T) {
	ref := func(path string) string { return "{reference: {path: " + path + "}}" }
	for name, tc := range map[string]struct {
		reason, before, after string            // the entry's object
		specs                 map[string]string // that the consumer changes
		allowed               bool
		copies                int // that are left of two
		want                  string
	}{
		"path":             {"a field with a similar path has the name", ref("spec.it"), ref("spec.ti"), nil, false, 2, "object.reference.path spec.ti gives nothing, but spec.it still names the Secret one; the existing copies"},
		"outer field":      {"so does a field of an object with a similar name", ref("spec.it"), ref("sepc.it"), nil, false, 2, "but spec.it still names"},
		"list":             {"the list exists, and its items lack the field", ref("'spec.all.#.name'"), ref("'spec.all.#.nam'"), nil, false, 2, "names the Secret one"},
		"regex":            {"the pattern turns another field into the name", "{reference: {path: spec.short, regex: {pattern: '^ne', replacement: one}}}", "{reference: {path: spec.shrot, regex: {pattern: '^ne', replacement: one}}}", nil, false, 1, "but spec.short still names"},
		"template":         {"another field has the name", "{template: {template: '{{ .Object.spec.it }}'}}", "{template: {template: '{{ .Object.spec.ti }}'}}", nil, false, 2, "object.template gives nothing, but spec.all.0.name still names"},
		"namespace":        {"the reference of namespaces is misspelt", "{template: {template: one}, namespace: " + ref("spec.in") + "}", "{template: {template: one}, namespace: " + ref("spec.on") + "}", nil, false, 1, "object.namespace.reference.path spec.on gives nothing, but spec.in still names"},
		"allowed":          {"the annotation allows it", ref("spec.it"), ref("spec.ti"), nil, true, 0, ""},
		"one is removed":   {"one consumer no longer names the Secret: the path is right", ref("spec.it"), ref("spec.it"), map[string]string{"o": "{in: shop}"}, false, 1, ""},
		"all are empty":    {"each field says that nothing is related", ref("spec.it"), ref("spec.it"), map[string]string{"o": "{it: ''}", "p": "{it: ''}"}, false, 0, ""},
		"all are missing":  {"no object has the field", ref("spec.it"), ref("spec.it"), map[string]string{"o": "{in: shop}", "p": "{in: shop}"}, false, 2, "object.reference.path spec.it gives nothing for any Source; the existing copies stay; correct the path, or set the annotation waybill.dev/allow-empty-selection"},
		"another":          {"the field names a missing object", ref("spec.it"), ref("spec.it"), map[string]string{"o": "{it: three}"}, false, 2, ""},
		"another path":     {"the path leads to a field that names a missing object", ref("spec.it"), ref("spec.other"), map[string]string{"o": "{it: one, other: none}", "p": "{it: two, other: none}"}, false, 2, ""},
		"another template": {"so does the template", "{template: {template: '{{ .Object.spec.it }}'}}", "{template: {template: 'x{{ .Object.spec.it }}'}}", nil, false, 2, ""},
		"another, allowed": {"the annotation allows it", ref("spec.it"), ref("spec.it"), map[string]string{"o": "{it: three}"}, true, 1, ""},
		"pattern":          {"the pattern leaves nothing of any name", ref("spec.it"), "{reference: {path: spec.it, regex: {pattern: '.*', replacement: ''}}}", nil, false, 2, "object.reference.path spec.it gives nothing for any Source; the existing copies stay"},
	} {
		t.Run(name, func(t *testing.T) {
			config := func(object string) *krm.Object {
				return read(t, fmt.Sprintf(permitConfig, "origin: kcp, resource: secrets, allowedNames: ['*'], allowedNamespaces: ['*'], allowedSourceNamespaces: ['*'], object: "+object))[0]
			}
			first := syncfn.Function.Apply(t.Context(), &fn.Input{Items: read(t, emptyReferenceItems), Config: config(tc.before)})
			made := copiesOf(first.Items)
			if first.Failed() || made == 0 {
				t.Fatalf("%d copies at first: %v", made, first.Results)
			}
			then := config(tc.after)
			if tc.allowed {
				then.SetAnnotation("waybill.dev/allow-empty-selection", "true")
			}
			out := syncfn.Function.Apply(t.Context(), &fn.Input{Items: respecified(t, first.Items, tc.specs), Config: then})
			said := fmt.Sprint(out.Results)
			if left := copiesOf(out.Items); left != min(tc.copies, made) || out.Failed() != (tc.want != "") || !strings.Contains(said, tc.want) {
				t.Errorf("%s: %d of %d copies are left, want %d; want %q in %s", tc.reason, left, made, tc.copies, tc.want, said)
			}
		})
	}
}

func copiesOf(items []*krm.Object) (n int) {
	for _, o := range items {
		if o.Annotation("waybill.dev/edge") == "it" {
			n++
		}
	}
	return n
}

// respecified are items in which objects of consumers have other specs.
func respecified(t *testing.T, items []*krm.Object, specs map[string]string) []*krm.Object {
	t.Helper()
	out := slices.Clone(items)
	for i, o := range out {
		if spec := specs[o.Name()]; o.Kind() == "Source" && spec != "" {
			out[i] = o.DeepCopy()
			krm.SetField(out[i].Node(), "spec", read(t, "{apiVersion: v1, kind: X, metadata: {name: x}, spec: "+spec+"}")[0].Lookup("spec"))
		}
	}
	return out
}
