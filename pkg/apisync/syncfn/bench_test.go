package syncfn_test

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// many returns a package with n sources.
func many(b *testing.B, n int) *fn.Input {
	b.Helper()
	items := read(b, randomCRD)
	for i := range n {
		o := read(b, fmt.Sprintf("apiVersion: shop.example/v1\nkind: Source\nmetadata:\n  name: s%d\n  namespace: shop\n  labels: {team: web}\nspec: {size: small, replicas: %d}\n", i, i))[0]
		o.SetPath(fmt.Sprintf("source/s%d.yaml", i), 0)
		items = append(items, o)
	}
	return &fn.Input{Items: items, Config: read(b, fmt.Sprintf(randomConfig, "Complete"))[0]}
}

// answered adds the work of a provider: a status and a Secret for each copy.
func answered(b *testing.B, items []*krm.Object) (out []*krm.Object) {
	b.Helper()
	for _, o := range items {
		if o.Kind() != "Copy" {
			out = append(out, o)
			continue
		}
		o = o.DeepCopy()
		krm.SetField(o.Node(), "status", krm.MapNode(krm.StringNode("secret"), krm.StringNode("secret-"+o.Name())))
		s := read(b, "apiVersion: v1\nkind: Secret\nmetadata:\n  name: secret-"+o.Name()+"\n  namespace: copies\ndata: {password: czNjcjN0}\n")[0]
		s.SetPath("destination/secret-"+o.Name()+".yaml", 0)
		out = append(out, o, s)
	}
	return out
}

// BenchmarkSync measures 5,000 objects with one related Secret each: the first run, the run after the provider has answered,
// one in which one source changed, and one in which nothing changed.
func BenchmarkSync(b *testing.B) {
	n := 5000
	if testing.Short() {
		n = 200
	}
	apply := func(in *fn.Input) *fn.Output {
		out := syncfn.Function.Apply(b.Context(), in)
		if out.Failed() {
			b.Fatal(out.Results)
		}
		return out
	}
	first := many(b, n)
	second := &fn.Input{Items: answered(b, apply(first).Items), Config: first.Config}
	same := &fn.Input{Items: apply(second).Items, Config: first.Config}
	changed := &fn.Input{Items: append([]*krm.Object(nil), same.Items...), Config: first.Config}
	for i, o := range changed.Items {
		if o.Kind() == "Source" && o.Name() == "s1" {
			changed.Items[i] = o.DeepCopy()
			krm.SetField(changed.Items[i].Lookup("spec"), "size", krm.StringNode("large"))
		}
	}
	for _, c := range []struct {
		name string
		in   *fn.Input
	}{{"First", first}, {"Answered", second}, {"OneChange", changed}, {"Same", same}} {
		b.Run(fmt.Sprintf("%s/objects=%d", c.name, n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				apply(c.in)
			}
		})
	}
}
