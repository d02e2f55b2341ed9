package backend_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/apply"
	"github.com/waybill-dev/waybill/pkg/backend/httpclient"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
)

// fleet is n Translations of four resources each, as one endpoint has, after a service for each.
func fleet(n int) (all []plan.Translation) {
	for i := range n {
		c := fmt.Sprintf("38a2269a-55cb-54fc-a2f4-%012d", i)
		all = append(all,
			translation(fmt.Sprintf("default/service.%d", i), resource("Chain", "", "id", "s"+c, "name", "KUBE-SVC", "tenantId", "t")),
			translation(fmt.Sprintf("default/endpoints-port.%d", i),
				resource("Chain", "", "id", c, "name", "KUBE-SEP", "tenantId", "t"),
				resource("Rule", "s"+c, "id", c+"-1", "type", "jump", "jumpChainId", c),
				resource("Rule", c, "id", c+"-2", "type", "dnat", "flowAction", "accept", "natTargets", []map[string]any{{"addressFrom": "10.1.2.7", "addressTo": "10.1.2.7", "portFrom": 8080, "portTo": 8080}}),
				resource("Rule", c, "id", c+"-3", "type", "snat", "nwSrcLength", 32, "flowAction", "continue")))
	}
	return all
}

// imagine is the inventory after a plan of creations was applied.
func imagine(b testing.TB, plan *waybill.BackendPlan) *inventory.Inventory {
	b.Helper()
	w := &nowhere{}
	c, err := httpclient.New(midonet(b), httpclient.Config{URL: "http://backend.example", Username: "u", Transport: w})
	if err != nil {
		b.Fatal(err)
	}
	store := inventory.NewMemoryStore(inventory.New("midonet"))
	result, err := apply.Run(b.Context(), c, plan, store, apply.Options{Clock: &fakeClock{}})
	if err != nil || !result.Complete() {
		b.Fatal(err, result.Err())
	}
	i, err := store.Load(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return i
}

func BenchmarkPlan(b *testing.B) {
	for _, n := range []int{600, 6000} {
		desired := fleet(n)
		empty := inventory.New("midonet")
		full := imagine(b, mustPlan(b, desired, empty))
		changed := fleet(n)
		changed[n].Resources[0].Body = strings.Replace(changed[n].Resources[0].Body, "KUBE-", "K-", 1)
		for _, bc := range []struct {
			name      string
			desired   []plan.Translation
			inventory *inventory.Inventory
			want      int
		}{{"first", desired, empty, 5 * n}, {"nothing", desired, full, 0}, {"all gone", nil, full, 5 * n}} {
			b.Run(fmt.Sprintf("%s/resources=%d", bc.name, 5*n), func(b *testing.B) { benchPlan(b, bc.desired, bc.inventory, bc.want) })
		}
		b.Run(fmt.Sprintf("one change/resources=%d", 5*n), func(b *testing.B) {
			benchPlan(b, changed, full, len(mustPlan(b, changed, full).Spec.Operations))
		})
	}
}

func benchPlan(b *testing.B, desired []plan.Translation, i *inventory.Inventory, want int) {
	if got := len(mustPlan(b, desired, i).Spec.Operations); got != want {
		b.Fatalf("%d operations, want %d", got, want)
	}
	b.ReportAllocs()
	for b.Loop() {
		mustPlan(b, desired, i)
	}
}

// BenchmarkApply is all that is not the backend: an inventory in memory and in a file.
func BenchmarkApply(b *testing.B) {
	plan := mustPlan(b, fleet(400), inventory.New("midonet"))
	b.Run("memory/resources=2000", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			imagine(b, plan)
		}
	})
	b.Run("file/resources=2000", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			store := open(b, filepath.Join(b.TempDir(), fmt.Sprintf("%d.yaml", n)))
			c, err := httpclient.New(midonet(b), httpclient.Config{URL: "http://backend.example", Username: "u", Transport: &nowhere{}})
			if err != nil {
				b.Fatal(err)
			}
			if result, err := apply.Run(b.Context(), c, plan, store, apply.Options{Clock: &fakeClock{}}); err != nil || !result.Complete() {
				b.Fatal(err, result.Err())
			}
			if err := store.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
