package status

import (
	"errors"
	"strconv"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// valueOf converts a CEL value. Only one that is too large or too deep is an error.
func valueOf(v ref.Val, o Options) (control.Value, error) {
	switch v := v.(type) {
	case types.String:
		if len(v) > maxValue {
			return control.Value{}, errTooLarge
		}
		return textValue(string(v)), nil
	case types.Int:
		return numberValue(strconv.FormatInt(int64(v), 10)), nil
	case types.Uint:
		return numberValue(strconv.FormatUint(uint64(v), 10)), nil
	case types.Double:
		return numberValue(numberText(float64(v))), nil
	case types.Bool:
		b := bool(v)
		return control.Value{Type: control.TypeBool, Bool: &b}, nil
	case *types.Type:
		return textValue(v.TypeName()), nil
	case types.Null:
		return nullValue(o), nil
	}
	return jsonValue(v, o)
}

// jsonValue converts a value that is no scalar; one without a JSON form becomes Null.
func jsonValue(v ref.Val, o Options) (control.Value, error) {
	text, err := appendJSON(nil, v, maxDepth)
	if err == nil && len(text) > maxValue {
		err = errTooLarge
	}
	_, list := v.(traits.Lister)
	switch {
	case errors.Is(err, errNotJSON):
		return control.Value{Type: control.TypeNull}, nil
	case err != nil:
		return control.Value{}, err
	case list && o.NullAsNull:
		return control.Value{Type: control.TypeArray, Array: control.JSON{Raw: text}}, nil
	}
	return control.Value{Type: control.TypeObject, Object: control.JSON{Raw: text}}, nil
}

// nullValue is null, which KubeStellar writes as the number that its library has for it.
func nullValue(o Options) control.Value {
	if o.NullAsNull {
		return control.Value{Type: control.TypeNull}
	}
	return control.Value{Type: control.TypeObject, Object: control.JSON{Raw: []byte("0")}}
}

func textValue(s string) control.Value {
	return control.Value{Type: control.TypeString, String: &s}
}

func numberValue(s string) control.Value {
	return control.Value{Type: control.TypeNumber, Number: &s}
}

// numberText is the shortest text that reads back as the same number, with an exponent from one million on.
func numberText(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }
