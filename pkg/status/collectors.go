package status

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// Collectors are StatusCollectors by name, each compiled once. They are for one goroutine, but the Programs are not.
type Collectors struct{ known map[string]compiled }

type compiled struct {
	spec    control.StatusCollectorSpec
	program *Program // nil: the collector is invalid
	errs    []string
}

// NewCollectors compiles collectors. Of two with one name the last counts.
func NewCollectors(all ...*control.StatusCollector) *Collectors {
	c := &Collectors{known: map[string]compiled{}}
	for _, one := range all {
		c.Put(one)
	}
	return c
}

// Put adds or replaces a collector, and reports whether that changes anything. It returns what is wrong with it.
func (c *Collectors) Put(one *control.StatusCollector) (changed bool, errs []string) {
	if known, is := c.known[one.Name]; is && reflect.DeepEqual(known.spec, one.Spec) {
		return false, known.errs
	}
	program, errs := Compile(one)
	c.known[one.Name] = compiled{one.Spec, program, errs}
	return true, errs
}

// Delete removes a collector, and reports whether it existed.
func (c *Collectors) Delete(name string) bool {
	_, known := c.known[name]
	delete(c.known, name)
	return known
}

// Errors returns what is wrong with a collector; nil for one that does not exist.
func (c *Collectors) Errors(name string) []string { return c.known[name].errs }

// Names returns the names of all collectors, valid or not, in order.
func (c *Collectors) Names() []string { return slices.Sorted(maps.Keys(c.known)) }

// Pick returns the Programs of the named collectors, and the names of those that do not exist or are invalid; each in order
// and once.
func (c *Collectors) Pick(names []string) (programs []*Program, missing []string) {
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		if p := c.known[name].program; p != nil {
			programs = append(programs, p)
		} else {
			missing = append(missing, name)
		}
	}
	return programs, missing
}

// ConditionCollectorsAvailable is True while all StatusCollectors that a Binding names exist and are valid, and False
// otherwise. It is always present.
const ConditionCollectorsAvailable = "StatusCollectorsAvailable"

// Reasons of this condition, as KubeStellar has them.
const (
	// ReasonCollectorsAvailable: all StatusCollectors exist and are valid.
	ReasonCollectorsAvailable = "ReconcileSuccess"
	// ReasonCollectorsMissing: StatusCollectors are missing or invalid; the message names them.
	ReasonCollectorsMissing = "ReconcileError"
)

// AvailableCondition is the condition of a Binding with these missing collectors. It has no time: the caller sets it when the
// condition changes.
func AvailableCondition(missing []string) metav1.Condition {
	if len(missing) == 0 {
		return metav1.Condition{
			Type: ConditionCollectorsAvailable, Status: metav1.ConditionTrue,
			Reason: ReasonCollectorsAvailable, Message: "All StatusCollector(s) are available",
		}
	}
	names := slices.Compact(slices.Sorted(slices.Values(missing)))
	return metav1.Condition{
		Type: ConditionCollectorsAvailable, Status: metav1.ConditionFalse,
		Reason: ReasonCollectorsMissing, Message: fmt.Sprintf("Missing StatusCollector(s) %v", names),
	}
}
