package inventory_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/waybill-dev/waybill/controllers/translation/inventory"
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	backendinventory "github.com/waybill-dev/waybill/pkg/backend/inventory"
)

// BenchmarkStore is of 30,000 records as MidoNet's are: to take them over, and to save one change.
func BenchmarkStore(b *testing.B) {
	const all = 30_000
	by, at := newClient(b)
	store := inventory.New(by, at, "midonet")
	i, err := store.Load(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	fill := backendinventory.Change{Next: all + 1}
	for n := int64(1); n <= all; n++ {
		r := record(n, fmt.Sprintf("%08d-0000-5000-8000-000000000000", n))
		r.Parent, r.Translation = r.ID, "default/endpoints-port.4.default-web-http-10.96.0.10-6-80-e7fa6be6c8989e75aa153db5a4f4aeabb298fbd5"
		r.References = []string{"Chain/" + r.ID, "Chain/" + r.ID}
		fill.Put = append(fill.Put, r)
	}
	for part := range slices.Chunk(fill.Put, 64) {
		c := backendinventory.Change{Next: part[len(part)-1].Number + 1, Put: part}
		if err := store.Save(b.Context(), c); err != nil {
			b.Fatal(err)
		}
		i.Take(c)
	}
	b.Run("save", func(b *testing.B) {
		for n := 0; b.Loop(); n++ {
			r := fill.Put[n%all]
			r.Index++
			if err := store.Save(b.Context(), backendinventory.Change{Next: fill.Next, Put: []waybill.BackendRecord{r}}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("take over", func(b *testing.B) {
		for b.Loop() {
			again, err := inventory.New(by, at, "midonet").Load(b.Context())
			if err != nil || again.Len() != i.Len() {
				b.Fatal(again, err)
			}
		}
	})
}
