package starlark

import (
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	star "go.starlark.net/starlark"
)

// TestPricesAreComplete wants a price for everything that the library offers, and for nothing else.
func TestPricesAreComplete(t *testing.T) {
	var want []string
	for name, v := range star.Universe {
		if _, ok := v.(*star.Builtin); ok {
			want = append(want, name)
		}
	}
	for _, v := range []star.HasAttrs{star.String(""), star.Bytes(""), star.NewList(nil), new(star.Dict), new(star.Set)} {
		for _, name := range v.AttrNames() {
			want = append(want, v.Type()+"."+name)
		}
	}
	slices.Sort(want)
	if d := cmp.Diff(want, slices.Sorted(maps.Keys(prices))); d != "" {
		t.Errorf("(-library +prices):\n%s", d)
	}
}
