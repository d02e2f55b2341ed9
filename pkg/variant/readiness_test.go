package variant_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/variant"
)

func TestUnmetGates(t *testing.T) {
	condition := func(kind, status string) string { return "{type: " + kind + ", status: \"" + status + "\"}" }
	for name, tc := range map[string]struct {
		reason     string
		gates      string
		conditions []string
		want       []string
	}{
		"none":    {"no gate, nothing unmet", "", []string{condition("a", "False")}, nil},
		"met":     {"a True condition meets its gate", "{conditionType: a}", []string{condition("a", "True"), condition("b", "False")}, nil},
		"unmet":   {"neither False, Unknown nor nothing does; sorted, each once", "{conditionType: z}, {conditionType: c}, {conditionType: z}, {conditionType: a}, {conditionType: b}", []string{condition("a", "Unknown"), condition("z", "False"), condition("b", "True")}, []string{"a", "c", "z"}},
		"as text": {"kinds are compared as they are written", "{conditionType: A}", []string{condition("a", "True")}, []string{"A"}},
	} {
		t.Run(name, func(t *testing.T) {
			tree := newTree(t, map[string]string{"Kptfile": kptfileText + "info: {readinessGates: [" + tc.gates + "]}\nstatus: {conditions: [" + strings.Join(tc.conditions, ", ") + "]}\n"})
			got, err := variant.UnmetGates(tree)
			if diff := cmp.Diff(tc.want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", tc.reason, err, diff)
			}
		})
	}
	if _, err := variant.UnmetGates(pkgtree.Tree{}); errText(err) != "not a package: no Kptfile at its root" {
		t.Errorf("what is no package has no gates to ask for, got %v", err)
	}
}
