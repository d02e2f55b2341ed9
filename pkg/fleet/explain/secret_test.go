package explain

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestHides lists the hidden fields of objects.
func TestHides(t *testing.T) {
	const secret = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: s\n  annotations: {kapp.k14s.io/original: x, own: x, helm.sh/hook: x}\ndata: {a: x}\n"
	const work = "apiVersion: x/v1\nkind: Work\nmetadata:\n  name: w\n  annotations: {banzaicloud.com/last-applied: x, note: x, own: '{\"kind\":\"Secret\"}'}\nspec:\n  list: {kind: SecretList, items: [{data: {a: x}}]}\n  size: 1\n"
	cases := map[string]struct {
		reason, object, field string
		want                  bool
	}{
		"Data":     {"what it holds", secret, "data.a", true},
		"Name":     {"what it is called", secret, "metadata.name", false},
		"Copy":     {"a copy of it", secret, "metadata.annotations[kapp.k14s.io/original]", true},
		"Own":      {"an unknown annotation", secret, "metadata.annotations.own", true},
		"Harmless": {"how it is handled", secret, "metadata.annotations[helm.sh/hook]", false},
		"Whole":    {"what holds it", secret, "metadata.annotations", true},
		"Work":     {"a copy of another object", work, "metadata.annotations[banzaicloud.com/last-applied]", true},
		"Says":     {"which may have any name", work, "metadata.annotations.own", true},
		"Note":     {"and others are shown", work, "metadata.annotations.note", false},
		"Around":   {"but not what holds it", work, "metadata", true},
		"List":     {"Secrets that do not say that they are", work, "spec.list.items[0].data.a", true},
		"Above":    {"and what holds them", work, "spec", true},
		"Beside":   {"and others are shown", work, "spec.size", false},
		"Nothing":  {"what is not there", work, "spec.none", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			objects, err := krm.Read("x.yaml", []byte(tc.object), krm.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			p, err := ParsePath(tc.field)
			if err != nil {
				t.Fatal(err)
			}
			if got := hides(objects[0].Node(), p); got != tc.want {
				t.Errorf("%s: hidden %t, want %t", tc.reason, got, tc.want)
			}
		})
	}
}
