package backend

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Inventory is what was applied to a backend, by number.
type Inventory struct {
	backend, plan string
	next          int64
	records       map[int64]waybill.BackendRecord
}

// NewInventory is the inventory of a backend to which nothing was applied.
func NewInventory(backend string) *Inventory {
	return &Inventory{backend: backend, next: 1, records: map[int64]waybill.BackendRecord{}}
}

// InventoryOf is what a BackendInventory says. Numbers that are not in order, or nonsense in a record,
// are an error that names the record: nothing should be deleted on the word of such an inventory.
func InventoryOf(b *waybill.BackendInventory) (*Inventory, error) {
	i := NewInventory(b.Spec.Backend)
	i.plan, i.next = b.Spec.Plan, max(b.Spec.Next, 1)
	var last int64
	for n, r := range b.Spec.Resources {
		if r.Number <= last || r.Number >= i.next {
			return nil, fmt.Errorf("inventory %q: spec.resources[%d].number: %d is not above the one before, %d, and below spec.next, %d", b.Name, n, r.Number, last, i.next)
		}
		if err := checkRecord(r); err != nil {
			return nil, fmt.Errorf("inventory %q: spec.resources[%d].%w", b.Name, n, err)
		}
		i.records[r.Number], last = r, r.Number
	}
	return i, nil
}

var (
	hexDigest      = regexp.MustCompile(`^[0-9a-f]{64}$`)
	translationKey = regexp.MustCompile(`^[^/\s]{1,63}/[^/\s]{1,253}$`)
)

func checkRecord(r waybill.BackendRecord) error {
	switch {
	case !kindName.MatchString(r.Kind):
		return fmt.Errorf("kind: %q is no kind", cut(r.Kind))
	case r.ID == "" || checkName("id", r.ID, maxID) != nil:
		return fmt.Errorf("id: %q is no id", cut(r.ID))
	case checkName("parent", r.Parent, maxField) != nil:
		return fmt.Errorf("parent: %q is no id", cut(r.Parent))
	case !hexDigest.MatchString(r.Hash):
		return fmt.Errorf("hash: %q is no SHA-256", cut(r.Hash))
	case !translationKey.MatchString(r.Translation):
		return fmt.Errorf("translation: %q is no namespace/name", cut(r.Translation))
	case r.State != "" && r.State != waybill.StateCreating && r.State != waybill.StateUnknown:
		return fmt.Errorf("state: %q is none", cut(r.State))
	case slices.ContainsFunc(r.References, func(s string) bool { return !strings.Contains(s, "/") }):
		return fmt.Errorf("references: want Kind/id each")
	case r.Index < 0:
		return fmt.Errorf("index: want 0 or more")
	case len(r.Fields) > maxFields:
		return fmt.Errorf("fields: want at most %d bytes", maxFields)
	}
	return nil
}

// Spec is the inventory as a BackendInventory has it.
func (i *Inventory) Spec() waybill.BackendInventorySpec {
	return waybill.BackendInventorySpec{Backend: i.backend, Next: i.next, Plan: i.plan, Resources: i.Records()}
}

// Records are copies of all records, by number.
func (i *Inventory) Records() []waybill.BackendRecord {
	return slices.SortedFunc(maps.Values(i.records), func(a, b waybill.BackendRecord) int { return cmp.Compare(a.Number, b.Number) })
}

// Len is the number of records.
func (i *Inventory) Len() int { return len(i.records) }

// Digest tells inventories apart by everything but the plan that was begun.
func (i *Inventory) Digest() string {
	spec := i.Spec()
	spec.Plan = ""
	return jsonDigest(spec)
}

// jsonDigest is the digest of a value of our own types.
func jsonDigest(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers
	}
	return digest(data)
}

// Change is what becomes different in an inventory. To take in the same changes in the same order once
// more changes nothing, so a store may repeat those that it is not sure of.
type Change struct {
	// Plan is the digest of a plan that is begun; empty when none is.
	Plan string `json:"plan,omitempty"`
	// Next is the next number.
	Next int64 `json:"next"`
	// Remove are the numbers of records that are no more.
	Remove []int64 `json:"remove,omitempty"`
	// Put are records that are new or different, told apart by number; no number is in Remove, too.
	Put []waybill.BackendRecord `json:"put,omitempty"`
}

func (c *Change) empty() bool { return c.Plan == "" && len(c.Remove) == 0 && len(c.Put) == 0 }

// Take makes the change.
func (i *Inventory) Take(c Change) {
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

// Clone is a copy that shares nothing with i.
func (i *Inventory) Clone() *Inventory {
	return &Inventory{backend: i.backend, plan: i.plan, next: i.next, records: maps.Clone(i.records)}
}
