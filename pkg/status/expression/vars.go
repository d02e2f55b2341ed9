package expression

import (
	"encoding/json"
	"strconv"
	"time"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// meterName is a variable that no expression can name.
const meterName = "@meter"

// Vars are the variables of an expression: those of one object, and of one cluster at a time. The
// maps are made once and filled again for every cluster, so a value that an Expression made of Vars
// is to be used before the next call of Set.
type Vars struct {
	obj, returned, propagation map[string]any
	inventory                  map[string]string
	meter                      meter
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
	case meterName:
		return &v.meter, true
	}
	return nil, false
}

// Parent implements the library's Activation: there is none.
func (v *Vars) Parent() cel.Activation { return nil }

// adapter makes CEL values of data: of numbers what they are in JSON, whole or not, however they
// were read.
type adapter struct{}

// NativeToValue implements the library's Adapter.
func (a adapter) NativeToValue(value any) ref.Val {
	switch v := value.(type) {
	case string:
		return types.String(v)
	case int64:
		return types.Int(v)
	case map[string]any:
		return types.NewStringInterfaceMap(a, v)
	case map[string]string:
		return types.NewStringStringMap(a, v)
	case []any:
		return types.NewDynamicList(a, v)
	case uint64:
		if int64(v) < 0 {
			return types.Double(v)
		}
		return types.Int(v)
	case json.Number:
		return number(string(v))
	}
	return types.DefaultTypeAdapter.NativeToValue(value)
}

func number(text string) ref.Val {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return types.Int(i)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return types.WrapErr(err)
	}
	return types.Double(f)
}
