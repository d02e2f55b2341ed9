package cel

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// maxPlain is how many parts plain data may have, and maxPlainDepth how many levels.
const maxPlain, maxPlainDepth = 100_000, 100

var (
	errManyParts = fmt.Errorf("the value has more than %d parts", maxPlain)
	errDeep      = fmt.Errorf("the value nests more than %d levels", maxPlainDepth)
)

// Plain makes plain JSON data of a CEL value: nil, bool, string, int64, float64, []any and
// map[string]any, none of them shared with the variables. Whole numbers stay exact, as uint64 when
// they are too large for int64; bytes, times and durations are their texts in CEL's JSON. A value without a
// JSON form, such as NaN or a key that is no text, is an error with its path.
func Plain(v ref.Val) (any, error) {
	p := &plainer{left: maxPlain}
	return p.plain(v, maxPlainDepth)
}

type plainer struct{ left int }

func (p *plainer) plain(v ref.Val, depth int) (any, error) {
	if p.left--; p.left < 0 {
		return nil, errManyParts
	}
	if depth == 0 {
		return nil, errDeep
	}
	switch v := v.(type) {
	case types.Null:
		return nil, nil
	case types.Bool:
		return bool(v), nil
	case types.String:
		return string(v), nil
	case types.Double:
		return finite(float64(v))
	case types.Int:
		return int64(v), nil
	case types.Uint:
		if v > math.MaxInt64 {
			return uint64(v), nil
		}
		return int64(v), nil
	case types.Bytes:
		return base64.StdEncoding.EncodeToString(v), nil
	case types.Timestamp:
		return v.UTC().Format(time.RFC3339Nano), nil
	case types.Duration:
		return strconv.FormatFloat(v.Seconds(), 'f', -1, 64) + "s", nil
	case traits.Lister:
		return p.list(v, depth)
	case traits.Mapper:
		return p.object(v, depth)
	}
	return nil, noForm(v)
}

func noForm(v ref.Val) error {
	return fmt.Errorf("a value of type %s has no JSON form", v.Type().TypeName())
}

func finite(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("the number %v has no JSON form", f)
	}
	return f, nil
}

func (p *plainer) list(l traits.Lister, depth int) (any, error) {
	out := make([]any, 0, min(items(l), maxParts))
	for i := range items(l) {
		part, err := p.plain(l.Get(types.Int(i)), depth-1)
		if err != nil {
			return nil, within(fmt.Sprintf("[%d]", i), err)
		}
		out = append(out, part)
	}
	return out, nil
}

func (p *plainer) object(m traits.Mapper, depth int) (any, error) {
	out := map[string]any{}
	for keys := sortedKeys(m).Iterator(); keys.HasNext() == types.True; {
		key := keys.Next()
		name, is := key.(types.String)
		if !is {
			return nil, fmt.Errorf("a key of type %s has no JSON form", key.Type().TypeName())
		}
		part, err := p.plain(m.Get(key), depth-1)
		if err != nil {
			return nil, within("."+safetext.Cut(string(name), 100, "..."), err)
		}
		out[string(name)] = part
	}
	return out, nil
}

// located is an error with a path.
type located struct {
	at  string
	err error
}

func (l *located) Error() string { return l.at + ": " + l.err.Error() }
func (l *located) Unwrap() error { return l.err }

// within prepends a step to the path of an error.
func within(step string, err error) error {
	var deeper *located
	if errors.As(err, &deeper) {
		return &located{step + deeper.at, deeper.err}
	}
	return &located{step, err}
}
