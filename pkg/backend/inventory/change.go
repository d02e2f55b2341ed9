package inventory

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Change is a change to an inventory. Applying the same changes in the same order again changes nothing, so a store may
// repeat changes of which it is not sure.
type Change struct {
	// Backend is the name of the table, for stores that need it; empty: unchanged.
	Backend string `json:"backend,omitempty"`
	// URL is the new address of the backend; empty: unchanged.
	URL string `json:"url,omitempty"`
	// Plan is the digest of a plan that is being started; empty: none.
	Plan string `json:"plan,omitempty"`
	// Next is the next number.
	Next int64 `json:"next"`
	// Remove are the numbers of removed records.
	Remove []int64 `json:"remove,omitempty"`
	// Put are new or changed records, by number; none of these is in Remove.
	Put []waybill.BackendRecord `json:"put,omitempty"`
}

// Empty reports whether the change changes nothing.
func (c *Change) Empty() bool {
	return c.URL == "" && c.Plan == "" && len(c.Remove) == 0 && len(c.Put) == 0
}

// check refuses a change that no inventory can have, as FromObject does.
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

// Take applies a change.
func (i *Inventory) Take(c Change) {
	if c.Backend != "" {
		i.Backend = c.Backend
	}
	if c.URL != "" {
		i.URL = c.URL
	}
	if c.Plan != "" {
		i.Plan = c.Plan
	}
	i.Next = max(i.Next, c.Next)
	for _, n := range c.Remove {
		delete(i.records, n)
	}
	for _, r := range c.Put {
		i.records[r.Number] = r
	}
}
