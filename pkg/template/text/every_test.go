package text

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestEveryFunction gives each function what it may least expect, in all orders: it comes back soon, with a value that
// has its place in a template, or with an error.
func TestEveryFunction(t *testing.T) {
	pool := map[string]any{
		"text": strings.Repeat("aB.é\n ", 4_000), "pattern": "(.?){9}x?", "far": int64(math.MaxInt64), "below": math.MinInt64 + 1,
		"list": slices.Repeat([]any{"a", int64(1), nil, map[string]any{"a": 1.5}}, 100), "dict": map[string]any{"a": map[string]any{"host": "a"}, "b": nil},
		"nothing": nil, "float": math.MaxFloat64, "one": 1,
	}
	some := append(orders(slices.Sorted(maps.Keys(pool)), 2), orders([]string{"text", "far", "list", "dict"}, 3)...)
	for name := range functionsByName() {
		t.Run(name, func(t *testing.T) {
			for _, args := range some {
				checkCall(t, name, args, pool)
			}
		})
	}
}

// orders are all choices of up to n names.
func orders(names []string, n int) (all [][]string) {
	all = [][]string{{}}
	for from := 0; n > 0; n-- {
		to := len(all)
		for _, begun := range all[from:to] {
			for _, name := range names {
				all = append(all, append(slices.Clone(begun), name))
			}
		}
		from = to
	}
	return all
}

func checkCall(t *testing.T, name string, names []string, pool map[string]any) {
	args := make([]any, len(names))
	for i, n := range names {
		args[i] = copyTree(pool[n])
	}
	b := &budget{ctx: t.Context(), left: NewAllowance()}
	began := time.Now()
	v, err := func() (v any, err error) {
		defer func() {
			if r := recover(); r != nil { // as text/template does
				err = fmt.Errorf("%v", r)
			}
		}()
		return b.bind(name, functionsByName()[name])(args...)
	}()
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("%s %v took %v", name, names, took)
	}
	if err == nil && new(size).add(v, 1) != nil {
		t.Errorf("%s %v gives a %T", name, names, v)
	}
}
