package inventory

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Change is what becomes different in an inventory. To take in the same changes in the same order once
// more changes nothing, so a store may repeat those that it is not sure of.
type Change struct {
	// Backend is the name of the backend's table, for stores that have to know; empty: the same.
	Backend string `json:"backend,omitempty"`
	// URL is the address at which plans are applied from now on; empty: the same.
	URL string `json:"url,omitempty"`
	// Plan is the digest of a plan that is begun; empty when none is.
	Plan string `json:"plan,omitempty"`
	// Next is the next number.
	Next int64 `json:"next"`
	// Remove are the numbers of records that are no more.
	Remove []int64 `json:"remove,omitempty"`
	// Put are records that are new or different, told apart by number; no number is in Remove, too.
	Put []waybill.BackendRecord `json:"put,omitempty"`
}

func (c *Change) Empty() bool {
	return c.URL == "" && c.Plan == "" && len(c.Remove) == 0 && len(c.Put) == 0
}

// check refuses what no inventory can have, as InventoryOf does.
func (c *Change) check() error {
	if c.Next < 1 || c.Next > maxNext {
		return fmt.Errorf("next: want 1 to %d", int64(maxNext))
	}
	for _, n := range c.Remove {
		if n < 1 || n >= c.Next {
			return fmt.Errorf("remove: number %d is not above 0 and below next, %d", n, c.Next)
		}
	}
	for _, r := range c.Put {
		if r.Number < 1 || r.Number >= c.Next {
			return fmt.Errorf("put: number %d is not above 0 and below next, %d", r.Number, c.Next)
		}
		if err := checkRecord(r); err != nil {
			return fmt.Errorf("number %d: %w", r.Number, err)
		}
	}
	return nil
}

// Take makes the change.
func (i *Inventory) Take(c Change) {
	if c.Backend != "" {
		i.backend = c.Backend
	}
	if c.URL != "" {
		i.url = c.URL
	}
	if c.Plan != "" {
		i.plan = c.Plan
	}
	i.next = max(i.next, c.Next)
	for _, n := range c.Remove {
		delete(i.records, n)
	}
	for _, r := range c.Put {
		i.records[r.Number] = r
	}
}
