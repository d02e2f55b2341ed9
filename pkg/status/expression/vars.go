package expression

import (
	"time"

	"github.com/waybill-dev/waybill/pkg/cel"
)

// Vars are the variables of an expression: those of one object, and of one cluster at a time. The maps are reused for every
// cluster, so the value of an expression must be used before the next call of Set.
type Vars struct {
	obj, returned, propagation, manifest map[string]any
	inventory                            map[string]string
	cel.Meter
}

// NewVars makes Vars for an object, which must not change; nil for one that does not exist.
func NewVars(obj map[string]any) *Vars {
	if obj == nil {
		obj = map[string]any{}
	}
	return &Vars{obj: obj, returned: map[string]any{}, propagation: map[string]any{}, inventory: map[string]string{}}
}

// emptyManifest is manifest when no ManifestWork says anything. It must not be changed.
var emptyManifest = map[string]any{"state": "", "message": "", "conditions": []any{}, "feedback": map[string]any{}}

// Set replaces the variables of the cluster. A nil status is empty to expressions, and null as a result. A nil manifest has
// all fields, empty.
func (v *Vars) Set(cluster string, status, manifest map[string]any, updated time.Time) {
	if v.manifest = manifest; manifest == nil {
		v.manifest = emptyManifest
	}
	v.inventory["name"] = cluster
	v.returned["status"] = status
	v.propagation["lastReturnedUpdateTimestamp"] = updated.UTC()
}

// ResolveName implements CEL's Activation.
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
