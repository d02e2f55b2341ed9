package fleet

import (
	"fmt"
	"strconv"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// handOverCount reads the annotation of a work with so many manifests.
func handOverCount(text string, manifests int) (int, error) {
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || int(n) > manifests {
		return 0, fmt.Errorf("metadata.annotations[%s]: %q: want how many of the work's %d manifests are handed over; "+
			"remove the work and render again",
			fn.HandOver, text, manifests)
	}
	return int(n), nil
}

// markEntries marks the last of some deliveries as hand-over entries. One that nothing in the work releases is none: the
// agent holds it like any other.
func markEntries(all []Delivery, last int) {
	for i := len(all) - last; i < len(all); i++ {
		d := &all[i]
		id, err := d.Content.ID()
		d.HandOver = err == nil && (d.settings.orphans(id) || d.settings.watches(id))
	}
}

// owns reports whether the agent owns the object, which it does not where it only looks at it.
func (d *Delivery) owns(id krm.ID) bool { return d.HandOver || !d.settings.watches(id) }

// stays reports whether the object stays on the cluster when the work drops d without another holding it: the agent has
// given it up before.
func (d *Delivery) stays(id krm.ID) bool {
	return d.settings.orphans(id) && !d.settings.watches(id)
}
