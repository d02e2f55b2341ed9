package fntest

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// changes shows how out differs from in: new and changed items in file order, each below a comment with its file, then a
// line for each removed item.
func changes(t testing.TB, in, out []*krm.Object) string {
	t.Helper()
	var b strings.Builder
	before := map[krm.ID]*krm.Object{}
	for _, o := range in {
		before[o.ID()] = o
	}
	left := map[krm.ID]bool{}
	for _, o := range sorted(out) {
		left[o.ID()] = true
		if old := before[o.ID()]; old != nil && krm.Same(old, o) {
			continue
		}
		data, err := krm.Write([]*krm.Object{o})
		if err != nil {
			t.Fatal(err)
		}
		b.WriteString("--- # " + o.File() + "\n")
		b.Write(data)
	}
	for _, o := range sorted(in) {
		if !left[o.ID()] {
			b.WriteString("# removed: " + o.ID().String() + "\n")
		}
	}
	return b.String()
}
