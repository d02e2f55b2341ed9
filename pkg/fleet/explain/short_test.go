package explain

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// TestShortNames asks by every short name, and wants kinds that Kubernetes has.
func TestShortNames(t *testing.T) {
	for short, id := range shortNames {
		id.Name = "x"
		q, err := ParseQuestion("c/" + strings.ToUpper(short) + "/x")
		if err != nil || !q.means(id, nil) || q.means(krm.ID{Group: "example.com", Kind: id.Kind, Name: "x"}, nil) {
			t.Errorf("%s: %v", short, err)
		}
		if r := workload.Builtin().Lookup(id.Group, id.Kind); !workload.Builtin().KnowsResource(id.Group, r.Plural) {
			t.Errorf("%s is no kind: %v", short, id)
		}
	}
}

// TestGroups names the groups of a kind that two have.
func TestGroups(t *testing.T) {
	w := rendered(t, "", map[string][]byte{
		"Kptfile":           []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"),
		"clusters/a/x.yaml": []byte("apiVersion: a.com/v1\nkind: X\nmetadata: {name: x}\n---\napiVersion: b.com/v1\nkind: X\nmetadata: {name: x}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\n"),
	})
	_, text := ask(t, w, "a", false)
	for _, want := range []string{"X.a.com x ", "X.b.com x ", "Deployment x "} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}
