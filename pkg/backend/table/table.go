package table

import (
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Table is a compiled BackendTable. It does not change.
type Table struct {
	name  string
	auth  waybill.BackendAuth
	kinds map[string]*Kind
}

// Kind is the kind of that name; nil if the table has none.
func (t *Table) Kind(name string) *Kind { return t.kinds[name] }

// Auth says how clients authenticate.
func (t *Table) Auth() waybill.BackendAuth { return t.auth }

// Name is the name of the BackendTable.
func (t *Table) Name() string { return t.name }

// NeedsPassword reports whether the backend requires a user name and a password.
func (t *Table) NeedsPassword() bool {
	return t.auth.Type == waybill.AuthBasic || t.auth.Type == waybill.AuthLogin
}

// NeedsToken reports whether the backend requires a token that another system has issued.
func (t *Table) NeedsToken() bool { return t.auth.Type == waybill.AuthBearer }

// Kind is one type of resource.
type Kind struct {
	Name, MediaType string
	id              template
	create          []creation
	Replace, Read   template // nil: the backend cannot do it
	Delete          template
	parents         []string
	references      []reference
	Ordered         bool
	needsParent     bool // a resource has a parent
	scoped          bool // and the parent is part of its key
	Statuses        statuses
}

type creation struct {
	path  template
	field []string // nil: no condition
	value string
}

type reference struct {
	field  []string
	kinds  []string
	blocks bool
}

// Blocks reports whether the backend refuses to delete a resource of another kind while one of this kind refers to it.
func (k *Kind) Blocks(other string) bool {
	return slices.ContainsFunc(k.references, func(r reference) bool { return r.blocks && slices.Contains(r.kinds, other) })
}

// statuses are the status codes with a special meaning.
type statuses struct {
	Exists, Missing, Gone, Unchanged []int32
}

// or inherits from other what s does not define.
func (s statuses) or(other statuses) statuses {
	pick := func(a, b []int32) []int32 {
		if a == nil {
			return b
		}
		return a
	}
	return statuses{
		Exists: pick(s.Exists, other.Exists), Missing: pick(s.Missing, other.Missing),
		Gone: pick(s.Gone, other.Gone), Unchanged: pick(s.Unchanged, other.Unchanged),
	}
}

func statusesOf(s waybill.BackendStatuses) statuses {
	return statuses{s.Exists, s.Missing, s.Gone, s.Unchanged}
}

var defaultStatuses = statuses{Exists: []int32{409}, Missing: []int32{404}, Gone: []int32{404, 410}}

// KeyOf is the key of a record. If the table does not have its kind, the key has all fields.
func (t *Table) KeyOf(r waybill.BackendRecord) Key {
	if k := t.kinds[r.Kind]; k != nil {
		return k.key(r.Parent, r.ID)
	}
	return Key{r.Kind, r.Parent, r.ID}
}
