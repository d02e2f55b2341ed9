package expression

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/cel"
)

// Vars are the variables of an expression: those of one object, and of one cluster at a time. The
// maps are made once and filled again for every cluster, so a value that an Expression made of Vars
// is to be used before the next call of Set.
type Vars struct {
	obj, returned, propagation, manifest map[string]any
	inventory                            map[string]string
	cel.Meter
}

// NewVars makes Vars for an object, which must not change; nil is an object that cannot be found.
func NewVars(obj map[string]any) *Vars {
	if obj == nil {
		obj = map[string]any{}
	}
	return &Vars{obj: obj, returned: map[string]any{}, propagation: map[string]any{}, inventory: map[string]string{}}
}

// unsaid is what manifest is where no ManifestWork says anything. Nobody changes it.
var unsaid = map[string]any{"state": "", "message": "", "conditions": []any{}, "feedback": map[string]any{}}

// Set puts the variables of one cluster in place of another's. A nil status is none: empty to
// expressions, null as a result. A nil manifest is one of which nothing is said, with all of its fields.
func (v *Vars) Set(cluster string, status, manifest map[string]any, updated time.Time) {
	if v.manifest = manifest; manifest == nil {
		v.manifest = unsaid
	}
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
	case manifest:
		return v.manifest, true
	}
	return v.Meter.ResolveName(name)
}
