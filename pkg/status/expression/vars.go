package expression

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/expression"
)

// Vars are the variables of an expression: those of one object, and of one cluster at a time. The
// maps are made once and filled again for every cluster, so a value that an Expression made of Vars
// is to be used before the next call of Set.
type Vars struct {
	obj, returned, propagation map[string]any
	inventory                  map[string]string
	expression.Meter
}

// NewVars makes Vars for an object, which must not change; nil is an object that cannot be found.
func NewVars(obj map[string]any) *Vars {
	if obj == nil {
		obj = map[string]any{}
	}
	return &Vars{obj: obj, returned: map[string]any{}, propagation: map[string]any{}, inventory: map[string]string{}}
}

// Set puts the variables of one cluster in place of another's. A nil status is none: empty to
// expressions, null as a result.
func (v *Vars) Set(cluster string, status map[string]any, updated time.Time) {
	v.inventory["name"] = cluster
	v.returned["status"] = status
	v.propagation["lastReturnedUpdateTimestamp"] = updated.UTC()
}

// ResolveName implements the library's Activation.
func (v *Vars) ResolveName(name string) (any, bool) {
	switch name {
	case "returned":
		return v.returned, true
	case "obj":
		return v.obj, true
	case "inventory":
		return v.inventory, true
	case "propagation":
		return v.propagation, true
	}
	return v.Meter.ResolveName(name)
}
