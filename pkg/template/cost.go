package template

import (
	"maps"
	"math"
	"reflect"
	"strings"
)

// Budget is what work is paid from, in steps of about fifty nanoseconds.
type Budget interface {
	// Draw takes steps; it is an error when too few are left.
	Draw(steps int) error
	// Left is how many steps are left.
	Left() int
}

// Meter is the budget and the limits of the functions of one run.
type Meter interface {
	Budget
	// Weigh is the steps of reading all of a value.
	Weigh(v any) int
	// MaxText is the longest text that a function may make, in bytes, and MaxItems the longest list.
	MaxText() int
	MaxItems() int
}

// Cost checks the arguments of a function before the call: it draws the steps of the work beyond reading them, and refuses a
// result that would be too large.
type Cost func(m Meter, args []any) error

// bytesPerStep is how many bytes of text one step reads. maxVersion is the longest semantic version or constraint on one.
const bytesPerStep, maxVersion = 16, 256

// Costs are the costs of sprig's functions, by name, where the result or the work can grow faster than the arguments. Their
// must forms cost the same.
func Costs() map[string]Cost { return maps.Clone(costs) }

// costs are those of Costs.
var costs = map[string]Cost{
	"repeat":   boundText(func(a []any) int { return Product(intOf(a, 0), length(a, 1)) }),
	"indent":   boundText(indents),
	"nindent":  boundText(indents),
	"replace":  boundText(func(a []any) int { return length(a, 2) + Product(length(a, 1), count(a, 2, textOf(a, 0))) }),
	"wrap":     boundText(wraps(0)),
	"wrapWith": boundText(wraps(1)),
	"join":     boundText(func(a []any) int { return Product(length(a, 0), items(a, 1)) }),

	"until":     boundList(func(a []any) float64 { return math.Abs(float64(intOf(a, 0))) }),
	"untilStep": boundList(func(a []any) float64 { return rounds(intOf(a, 0), intOf(a, 1), intOf(a, 2)) }),
	"seq":       boundList(sequence),
	"split":     boundList(splits(1)),
	"splitList": boundList(splits(1)),
	"splitn":    boundList(splits(2)),

	"trimAll":   charge(func(_ Meter, a []any) int { return Product(length(a, 0), length(a, 1)) / bytesPerStep }),
	"trimall":   charge(func(_ Meter, a []any) int { return Product(length(a, 0), length(a, 1)) / bytesPerStep }),
	"uniq":      charge(func(m Meter, a []any) int { return Product(items(a, 0), weightOf(m, a, 0)) }),      // each part with all before
	"without":   charge(func(m Meter, a []any) int { return Product(max(0, len(a)-1), weightOf(m, a, 0)) }), // each part with all arguments
	"sortAlpha": charge(func(_ Meter, a []any) int { return 16 * items(a, 0) }),
	"mulf":      charge(digits), "divf": charge(digits), "addf": charge(digits), "subf": charge(digits),

	"chunk":  checkChunk,
	"semver": boundVersion, "semverCompare": boundVersion,
}

// boundText refuses a text that would be too long.
func boundText(bytes func(args []any) int) Cost {
	return func(m Meter, args []any) error {
		if bytes(args) > m.MaxText() {
			return TooLong(m.MaxText())
		}
		return nil
	}
}

// TooLong is the refusal of a text of more than limit bytes.
func TooLong(limit int) error { return Refuse("it makes a text of more than %d bytes", limit) }

// boundList refuses a list that would be too long.
func boundList(items func(args []any) float64) Cost {
	return func(m Meter, args []any) error {
		n := items(args)
		if n > float64(m.MaxItems()) || math.IsNaN(n) {
			return Refuse("it makes a list of more than %d parts", m.MaxItems())
		}
		return m.Draw(int(n))
	}
}

// charge draws the steps of work that grows faster than the arguments.
func charge(steps func(m Meter, args []any) int) Cost {
	return func(m Meter, args []any) error { return m.Draw(steps(m, args)) }
}

func indents(a []any) int { return length(a, 1) + Product(intOf(a, 0), 1+count(a, 1, "\n")) }

// digits are those of a product of many numbers: each factor has about a hundred.
func digits(_ Meter, a []any) int { return 8 * Product(len(a), len(a)) }

// wraps counts line ends. Argument sep is the line end, a single byte by default.
func wraps(sep int) func([]any) int {
	return func(a []any) int {
		text := length(a, sep+1)
		return text + Product(text/max(1, intOf(a, 0))+1, max(1, length(a, sep)))
	}
}

func splits(text int) func([]any) float64 {
	return func(a []any) float64 { return float64(1 + count(a, text, textOf(a, 0))) }
}

// rounds is how many numbers there are from start to stop. If a sum could overflow, the library would not end.
func rounds(start, stop, step int) float64 {
	if step == 0 {
		return 0
	}
	if max(start, stop, step, -start, -stop, -step) >= farthest {
		return math.Inf(1)
	}
	return math.Abs(float64(stop)-float64(start))/math.Abs(float64(step)) + 1
}

func sequence(a []any) float64 {
	switch len(a) {
	case 1:
		return rounds(1, intOf(a, 0), 1)
	case 2:
		return rounds(intOf(a, 0), intOf(a, 1), 1)
	}
	return rounds(intOf(a, 0), intOf(a, 2), intOf(a, 1))
}

func checkChunk(_ Meter, args []any) error {
	if intOf(args, 0) < 1 {
		return Refuse("chunk wants a size above 0")
	}
	return nil
}

func boundVersion(_ Meter, args []any) error {
	for i := range args {
		if length(args, i) > maxVersion {
			return Refuse("a version of more than %d bytes", maxVersion)
		}
	}
	return nil
}

// Product does not overflow.
func Product(a, b int) int {
	if a <= 0 || b <= 0 {
		return 0
	}
	if a > math.MaxInt32 || b > math.MaxInt32 {
		return math.MaxInt32
	}
	return min(a*b, math.MaxInt32)
}

// farthest is the largest number that is distinguished.
const farthest = 1 << 40

// intOf is a whole number among arguments, 0 by default, in a range that can be multiplied.
func intOf(a []any, i int) int {
	if i >= len(a) || a[i] == nil {
		return 0
	}
	switch v := reflect.ValueOf(a[i]); {
	case v.CanInt():
		return int(min(max(v.Int(), -farthest), farthest))
	case v.CanUint():
		return int(min(v.Uint(), farthest))
	}
	return 0
}

func textOf(a []any, i int) string {
	if i < len(a) {
		s, _ := a[i].(string)
		return s
	}
	return ""
}

func length(a []any, i int) int { return len(textOf(a, i)) }

func count(a []any, i int, part string) int { return strings.Count(textOf(a, i), part) }

// items is how many direct parts a list or a map among arguments has.
func items(a []any, i int) int {
	if i >= len(a) {
		return 0
	}
	return PartsOf(a[i])
}

func weightOf(m Meter, a []any, i int) int {
	if i >= len(a) {
		return 0
	}
	return m.Weigh(a[i])
}

// PartsOf is how many direct parts a list or a map has; anything else is one.
func PartsOf(v any) int {
	switch r := reflect.ValueOf(v); r.Kind() {
	case reflect.Slice, reflect.Map:
		return r.Len()
	}
	return 1
}
