package inventory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// Inventory has a record, with a number, of every resource that was applied to a backend.
type Inventory struct {
	Backend string // the name of the table; empty if the inventory does not say
	URL     string // the address of the backend; empty before the first plan
	Plan    string // the digest of the plan that was started last
	Next    int64  // the number of the next record
	records map[int64]waybill.BackendRecord
}

// New is an empty inventory.
func New(backend string) *Inventory {
	return &Inventory{Backend: backend, Next: 1, records: map[int64]waybill.BackendRecord{}}
}

// FromObject is the inventory in a BackendInventory. If numbers are not in order, or a record is not valid, the error names
// the record: nothing may be deleted because of such an inventory.
func FromObject(b *waybill.BackendInventory) (*Inventory, error) {
	i := New(b.Spec.Backend)
	i.URL, i.Plan, i.Next = b.Spec.URL, b.Spec.Plan, max(b.Spec.Next, 1)
	if i.Next > maxNext {
		return nil, fmt.Errorf("inventory %q: spec.next: %d is more than was ever created", b.Name, i.Next)
	}
	var last int64
	for n, r := range b.Spec.Resources {
		if r.Number <= last || r.Number >= i.Next {
			return nil, fmt.Errorf("inventory %q: spec.resources[%d].number: %d is not above the one before, %d, and below spec.next, %d", b.Name,
				n, r.Number, last, i.Next)
		}
		if err := checkRecord(r); err != nil {
			return nil, fmt.Errorf("inventory %q: spec.resources[%d].%w", b.Name, n, err)
		}
		i.records[r.Number], last = r, r.Number
	}
	return i, nil
}

// maxNext bounds numbers, so that there is always a next one.
const maxNext = 1 << 53

var (
	hexDigest      = lazyregexp.New(`^[0-9a-f]{64}$`)
	translationKey = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[^/\s]{1,63}/[^/\s]{1,253}$`) })
)

// IsTranslationKey reports whether s is a namespace/name.
func IsTranslationKey(s string) bool { return translationKey().MatchString(s) }

func checkRecord(r waybill.BackendRecord) error {
	if err := table.CheckNames(r.Kind, r.ID, r.Parent); err != nil {
		return err
	}
	switch {
	case !hexDigest.MatchString(r.Hash):
		return fmt.Errorf("hash: %q is not a SHA-256", table.Short(r.Hash))
	case !IsTranslationKey(r.Translation):
		return fmt.Errorf("translation: %q is not a namespace/name", table.Short(r.Translation))
	case r.State != "" && r.State != waybill.StateCreating && r.State != waybill.StateUnknown:
		return fmt.Errorf("state: %q is not a state", table.Short(r.State))
	case slices.ContainsFunc(r.References, func(s string) bool { return !strings.Contains(s, "/") }):
		return fmt.Errorf("references: want Kind/id each")
	case r.Index < 0:
		return fmt.Errorf("index: want 0 or more")
	case len(r.Fields) > table.MaxFields:
		return fmt.Errorf("fields: want at most %d bytes", table.MaxFields)
	}
	return nil
}

// Spec is the inventory as a BackendInventory stores it.
func (i *Inventory) Spec() waybill.BackendInventorySpec {
	return waybill.BackendInventorySpec{Backend: i.Backend, URL: i.URL, Next: i.Next, Plan: i.Plan, Resources: i.Records()}
}

// Records are copies of all records, by number.
func (i *Inventory) Records() []waybill.BackendRecord {
	return slices.SortedFunc(maps.Values(i.records), func(a, b waybill.BackendRecord) int { return cmp.Compare(a.Number, b.Number) })
}

// Record is the record with a number, if there is one.
func (i *Inventory) Record(number int64) (r waybill.BackendRecord, ok bool) {
	r, ok = i.records[number]
	return r, ok
}

// Len is the number of records.
func (i *Inventory) Len() int { return len(i.records) }

// Reserve returns the next number and counts it as used.
func (i *Inventory) Reserve() int64 {
	i.Next++
	return i.Next - 1
}

// Digest identifies the state of an inventory, without the started plan and the address of the backend.
func (i *Inventory) Digest() string {
	spec := i.Spec()
	spec.Plan, spec.URL = "", ""
	return DigestOf(spec)
}

// DigestOf is the digest of a value as JSON.
func DigestOf(v any) string {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // strings and numbers
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Clone is an independent copy.
func (i *Inventory) Clone() *Inventory {
	c := *i
	c.records = maps.Clone(i.records)
	return &c
}
