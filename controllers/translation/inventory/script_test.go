package inventory_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
)

func record(n int64, what string) waybill.BackendRecord {
	return waybill.BackendRecord{
		Number: n, Kind: "Chain", ID: what, Hash: strings.Repeat("0", 64), Translation: "default/" + what,
	}
}

// script makes changes as Apply does: most replace a record, some remove it, and some replace an old number by a
// new one.
type script struct {
	*rand.Rand
	now *inventory.Inventory
}

func (s *script) change() inventory.Change {
	records := s.now.Records()
	next := s.now.Spec().Next
	c := inventory.Change{Next: next}
	used := map[int64]bool{}
	for range 1 + s.IntN(4) {
		if len(records) == 0 || s.IntN(3) == 0 {
			c.Put = append(c.Put, record(c.Next, fmt.Sprintf("new-%d", c.Next)))
			c.Next++
			continue
		}
		r := records[s.IntN(len(records))]
		if used[r.Number] {
			continue
		}
		used[r.Number] = true
		switch s.IntN(3) {
		case 0:
			c.Remove = append(c.Remove, r.Number)
		case 1: // the same resource under a new number
			c.Remove = append(c.Remove, r.Number)
			c.Put = append(c.Put, record(c.Next, r.ID))
			c.Next += 1 + int64(s.IntN(90))
		default:
			r.State = waybill.StateUnknown
			c.Put = append(c.Put, r)
		}
	}
	return c
}

// content is what an inventory says but for its next number; the test ends when it could not be loaded.
func content(t testing.TB, i *inventory.Inventory, err error) []waybill.BackendRecord {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return i.Records()
}

// numbers are what of two successive states must not be torn apart.
func numbers(records []waybill.BackendRecord) (out []int64) {
	for _, r := range records {
		out = append(out, r.Number)
	}
	return out
}
