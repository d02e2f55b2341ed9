package text

import (
	"math"
	"reflect"
	"strings"

	"github.com/waybill-dev/waybill/pkg/template"
)

// costs are the checks of arguments before a function, or its must form, is called. Other functions return at most a few
// bytes for each byte of their arguments.
var costs = map[string]func(b *budget, args []any) error{
	"repeat":   boundText(func(a []any) int { return product(intOf(a, 0), length(a, 1)) }),
	"indent":   boundText(indents),
	"nindent":  boundText(indents),
	"replace":  boundText(func(a []any) int { return length(a, 2) + product(length(a, 1), count(a, 2, textOf(a, 0))) }),
	"wrap":     boundText(wraps(0)),
	"wrapWith": boundText(wraps(1)),
	"join":     boundText(func(a []any) int { return product(length(a, 0), items(a, 1)) }),

	"until":     boundList(func(a []any) float64 { return math.Abs(float64(intOf(a, 0))) }),
	"untilStep": boundList(func(a []any) float64 { return rounds(intOf(a, 0), intOf(a, 1), intOf(a, 2)) }),
	"seq":       boundList(sequence),
	"split":     boundList(splits(1)),
	"splitList": boundList(splits(1)),
	"splitn":    boundList(splits(2)),

	"trimAll":   charge(trims),
	"trimall":   charge(trims),
	"uniq":      charge(func(a []any) int { return product(items(a, 0), weightOf(a, 0)) }),      // compares each part with all before it
	"without":   charge(func(a []any) int { return product(max(0, len(a)-1), weightOf(a, 0)) }), // compares each part with all arguments
	"sortAlpha": charge(func(a []any) int { return 16 * items(a, 0) }),
	"mulf":      charge(digits), "divf": charge(digits), "addf": charge(digits), "subf": charge(digits),

	"toPrettyJson": boundPretty,
	"chunk":        checkChunk,
	"semver":       boundVersion, "semverCompare": boundVersion,
	"set": copyArgs, "merge": copyArgs, "mergeOverwrite": copyArgs,
}

// boundText refuses a text that would be too long.
func boundText(bytes func(args []any) int) func(*budget, []any) error {
	return func(_ *budget, args []any) error {
		if bytes(args) > maxText {
			return errTooLong
		}
		return nil
	}
}

// boundList refuses a list that would be too long.
func boundList(items func(args []any) float64) func(*budget, []any) error {
	return func(b *budget, args []any) error {
		n := items(args)
		if n > maxItems || math.IsNaN(n) {
			return template.Refuse("it makes a list of more than %d parts", maxItems)
		}
		return b.spend(int(n))
	}
}

// charge draws the steps of work that grows faster than the arguments.
func charge(steps func(args []any) int) func(*budget, []any) error {
	return func(b *budget, args []any) error { return b.spend(steps(args)) }
}

func indents(a []any) int { return length(a, 1) + product(intOf(a, 0), 1+count(a, 1, "\n")) }

func trims(a []any) int { return product(length(a, 0), length(a, 1)) / bytesPerStep }

// digits are those of a product of many numbers: each factor has about a hundred.
func digits(a []any) int { return 8 * product(len(a), len(a)) }

// wraps counts line ends. Argument sep is the line end, a single byte by default.
func wraps(sep int) func([]any) int {
	return func(a []any) int {
		text := length(a, sep+1)
		return text + product(text/max(1, intOf(a, 0))+1, max(1, length(a, sep)))
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

// boundPretty counts a space in front of each part for each level.
func boundPretty(_ *budget, args []any) error {
	e := size{}
	for _, a := range args {
		if err := e.add(a, 1); err != nil {
			return err
		}
	}
	if 2*e.parts*e.levels+e.bytes > maxTransient {
		return errTooLong
	}
	return nil
}

func checkChunk(_ *budget, args []any) error {
	if intOf(args, 0) < 1 {
		return template.Refuse("chunk wants a size above 0")
	}
	return nil
}

func boundVersion(_ *budget, args []any) error {
	for i := range args {
		if length(args, i) > maxVersion {
			return template.Refuse("a version of more than %d bytes", maxVersion)
		}
	}
	return nil
}

// copyArgs copies the values for a dict, so that it stays a tree.
func copyArgs(b *budget, args []any) (err error) {
	for i := 1; i < len(args); i++ {
		if args[i], err = b.copyOf(args[i]); err != nil {
			return err
		}
		args[i] = withoutMethods(args[i])
	}
	return nil
}

// product does not overflow.
func product(a, b int) int {
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
	return partsOf(a[i])
}

func weightOf(a []any, i int) int {
	e := size{}
	if i >= len(a) || e.add(a[i], 1) != nil {
		return math.MaxInt32
	}
	return e.parts + e.bytes/bytesPerStep
}
