package budget

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// difference is how many contents of one key were added, removed and changed.
type difference struct{ added, removed, changed int }

func (d difference) objects() int { return d.added + d.removed + d.changed }

// compare pairs contents that are equal, in any order, and then the others; what has no partner was
// added or removed.
func compare(was, is []content) difference {
	left := min(len(was), len(is))
	if left > 0 {
		left -= equal(was, is)
	}
	return difference{added: max(len(is)-len(was), 0), removed: max(len(was)-len(is), 0), changed: left}
}

// equal is how many contents of was and is are pairwise the same.
func equal(was, is []content) (pairs int) {
	if len(was) == 1 && len(is) == 1 {
		if same(was[0], is[0]) {
			return 1
		}
		return 0
	}
	have := map[string]int{}
	for i, c := range was {
		have[c.text("was", i)]++
	}
	for i, c := range is {
		if text := c.text("is", i); have[text] > 0 {
			have[text]--
			pairs++
		}
	}
	return pairs
}

func same(a, b content) bool {
	if a.node == nil || b.node == nil {
		return a.node == b.node && a.blob.Equal(b.blob)
	}
	return krm.Equivalent(a.node, b.node)
}

// text is the same for contents that are the same. What JSON cannot represent equals nothing.
func (c content) text(side string, i int) string {
	if c.node == nil {
		return "file " + string(c.blob.Data())
	}
	data, err := krm.CanonicalJSON(c.node)
	if err != nil {
		return fmt.Sprintf("%s %d", side, i)
	}
	return "object " + string(data)
}
