package status

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// group determines the group of a row.
func (e *evaluator) group(out *row) {
	if len(e.groups) == 0 {
		return
	}
	out.values = make([]control.Value, len(e.groups))
	keys := make([]groupKey, len(e.groups))
	for i, c := range e.groups {
		v, err := e.eval(c.def)
		if err == nil {
			out.values[i], keys[i], err = e.groupValue(v)
		}
		if err != nil {
			e.fail(out, c.name, err.Error())
		}
	}
	for i, c := range e.groups {
		out.values[i], keys[i] = out.values[c.last], keys[c.last]
	}
	out.group = joined(keys, out.cluster)
}

// groupKey identifies a value to group by: numbers of different types differ.
type groupKey struct {
	kind, text string
	nan        bool // each NaN differs from every other
}

// joined returns one text for keys, different for different keys. It begins with the kinds, which decide the order of values
// that look the same.
func joined(keys []groupKey, cluster string) string {
	var out strings.Builder
	for _, k := range keys {
		out.WriteString(k.kind + " ")
	}
	for _, k := range keys {
		out.WriteString(strconv.Itoa(len(k.text)) + ":" + k.text)
	}
	for _, k := range keys {
		if k.nan {
			out.WriteString(" " + cluster)
			break
		}
	}
	return out.String()
}

func (e *evaluator) groupValue(v ref.Val) (value control.Value, key groupKey, err error) {
	key.kind = v.Type().TypeName()
	switch v.(type) {
	case traits.Mapper, traits.Lister:
		return value, key, fmt.Errorf("groupBy expression has type %s but a group key cannot be a list or a map", key.kind)
	}
	if value, err = valueOf(v, e.options); err != nil {
		return value, key, expression.Failed(err)
	}
	key.text = payload(&value)
	if d, is := v.(types.Double); is {
		key.nan = math.IsNaN(float64(d))
		if d == 0 {
			key.text = "0" // not -0
		}
	}
	return value, key, nil
}

// payload returns the text of a value of any type.
func payload(v *control.Value) string {
	switch v.Type {
	case control.TypeString:
		return *v.String
	case control.TypeNumber:
		return *v.Number
	case control.TypeBool:
		return strconv.FormatBool(*v.Bool)
	case control.TypeObject:
		return string(v.Object.Raw)
	}
	return string(v.Array.Raw)
}

// compareValues orders values by type, then numbers by size with NaN last, and all others bytewise.
func compareValues(a, b *control.Value) int {
	if byType := cmp.Compare(a.Type, b.Type); byType != 0 {
		return byType
	}
	if a.Type == control.TypeNumber {
		return compareNumbers(*a.Number, *b.Number)
	}
	return cmp.Compare(payload(a), payload(b))
}

func compareNumbers(a, b string) int {
	if a == b {
		return 0
	}
	// The texts are those of numbers; any other would count as 0.
	x, _ := strconv.ParseFloat(a, 64)
	y, _ := strconv.ParseFloat(b, 64)
	switch {
	case math.IsNaN(x) || math.IsNaN(y):
		return -cmp.Compare(x, y) // where NaN comes first
	case x != y || math.IsInf(x, 0):
		return cmp.Compare(x, y)
	}
	p, _, errA := big.ParseFloat(a, 10, 128, big.ToNearestEven)
	q, _, errB := big.ParseFloat(b, 10, 128, big.ToNearestEven)
	if errA != nil || errB != nil {
		return 0
	}
	return p.Cmp(q) // whole numbers that are one as float64
}
