package text

import (
	"maps"
	"math"
	"sync"

	"github.com/waybill-dev/waybill/pkg/template"
)

// costs are the checks of arguments before a function, or its must form, is called. Other functions return at most a few
// bytes for each byte of their arguments.
var costs = sync.OnceValue(func() map[string]func(b *budget, args []any) error {
	all := map[string]func(*budget, []any) error{
		"toPrettyJson": boundPretty,
		"set":          copyArgs, "merge": copyArgs, "mergeOverwrite": copyArgs,
	}
	for name, cost := range maps.All(template.Costs()) {
		all[name] = func(b *budget, args []any) error { return cost(b, args) }
	}
	return all
})

// Draw, Left, Weigh, MaxText and MaxItems implement template.Meter.
func (b *budget) Draw(steps int) error { return b.spend(steps) }

func (b *budget) Left() int { return b.left.Steps }

func (b *budget) Weigh(v any) int {
	e := size{}
	if e.add(v, 1) != nil {
		return math.MaxInt32
	}
	return e.parts + e.bytes/bytesPerStep
}

func (b *budget) MaxText() int { return maxText }

func (b *budget) MaxItems() int { return maxItems }

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
