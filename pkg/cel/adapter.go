package cel

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
)

// adapter makes CEL values of data: whole numbers are ints and others doubles, of any Go type.
type adapter struct{ exact bool } // see Options

var errLarge = errors.New("a whole number is too large to be exact; write it as a string")

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
		switch {
		case int64(v) >= 0:
			return types.Int(v)
		case a.exact:
			return types.Uint(v)
		}
		return types.Double(v)
	case json.Number:
		return a.number(string(v))
	}
	return types.DefaultTypeAdapter.NativeToValue(value)
}

func (a adapter) number(text string) ref.Val {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return types.Int(i)
	}
	if a.exact && !strings.ContainsAny(text, ".eE") {
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return types.Uint(u)
		}
		return types.WrapErr(errLarge)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return types.WrapErr(err)
	}
	return types.Double(f)
}
