package translation_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/translation"
)

// ring is n Nodes, each the host of the one that is shift after it. The first is faulty if its podCIDR is.
func ring(t *testing.T, n, shift int, first string) []*krm.Object {
	var b strings.Builder
	for i := range n {
		cidr := fmt.Sprintf("10.%d.%d.0/24", i/250, i%250)
		if i == 0 {
			cidr = first
		}
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: n%d\n  annotations: {midonet.org/host-id: 44fb4381-c99d-4389-86c3-%012d, midonet.org/tunnel-endpoint-ip: 192.0.%d.%d}\nspec: {podCIDR: %s}\n",
			i, (i+shift)%n, i/250, i%250+1, cidr)
	}
	return fntest.Parse(t, "in.yaml", []byte(b.String()))
}

// TestConflictsSpread has every Node take the host of the next one, and one of them be faulty: it keeps its host, so the one
// before it cannot have that, and so on. All keep what they have, and the work grows with the number of Nodes, not with its square.
func TestConflictsSpread(t *testing.T) {
	config := fntest.Parse(t, "fn.yaml", []byte("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {global: \"false\", updateLimits: \"false\"}\n"))[0]
	allocations := func(n int) float64 {
		made := translations(apply(t, &fn.Input{Config: config, Items: ring(t, n, 0, "10.0.0.0/24")}))
		in := &fn.Input{Config: config, Items: append(ring(t, n, 1, "nonsense"), made...)}
		return testing.AllocsPerRun(1, func() {
			out := translation.Function.Apply(t.Context(), in)
			warnings := strings.Count(lines(out), "[warning]")
			if out.Failed() || len(translations(out.Items)) != 2*n || warnings != n {
				t.Fatalf("%d Translations, want %d; %d warnings, want %d", len(translations(out.Items)), 2*n, warnings, n)
			}
			checkSame(t, in.Items, out.Items)
		})
	}
	few, many := allocations(50), allocations(200)
	if many > 5*few {
		t.Errorf("50 Nodes need %.0f allocations, and 200 need %.0f", few, many)
	}
}
