package injection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// The reasons in the condition of a point.
const (
	// ReasonInjected: the point has the object that the message names.
	ReasonInjected = "ConfigInjected"
	// ReasonNotSelected: no object was injected; the message says why.
	ReasonNotSelected = "NoResourceSelected"
)

// Outcome is the result for one injection point.
type Outcome struct {
	Type     string // condition type
	Required bool
	Source   string // name of the injected context object; "" for none
	Reason   string // why nothing was injected; "" if no injector fits, or something was
}

// Outcomes are those of a whole package.
type Outcomes []Outcome

// Condition is o as a condition of the Kptfile. It is True if something was injected.
func (o Outcome) Condition() kptfilev1.Condition {
	c := kptfilev1.Condition{Type: o.Type, Status: kptfilev1.ConditionFalse, Reason: ReasonNotSelected}
	switch {
	case o.Source != "":
		c.Status, c.Reason = kptfilev1.ConditionTrue, ReasonInjected
		c.Message = fmt.Sprintf("injected resource %q from cluster", o.Source)
	case o.Reason != "":
		c.Message = o.Reason
	default:
		c.Message = "no resource matched any injection selector for this injection point"
	}
	return c
}

// Record writes the outcomes into the package's root Kptfile: a condition per point and a
// readiness gate per required point, both lists sorted by type. It removes conditions and gates of points
// that no longer exist. A package that has no points, and had none, does not change.
func (os Outcomes) Record(f *kptfile.File) {
	os.recordGates(f)
	os.recordConditions(f)
}

// byType finds outcomes by their condition type.
func (os Outcomes) byType() map[string]Outcome {
	found := make(map[string]Outcome, len(os))
	for _, o := range os {
		found[o.Type] = o
	}
	return found
}

// isStale reports whether a condition type is that of a point that no longer exists.
func isStale(conditionType string, points map[string]Outcome) bool {
	_, there := points[conditionType]
	return !there && strings.HasPrefix(conditionType, ConditionPrefix)
}

func (os Outcomes) recordGates(f *kptfile.File) {
	have, points := f.ReadinessGates(), os.byType()
	want := slices.DeleteFunc(slices.Clone(have), func(t string) bool { return isStale(t, points) })
	if len(os) == 0 && len(want) == len(have) {
		return
	}
	for _, o := range os {
		if o.Required {
			want = append(want, o.Type)
		}
	}
	slices.Sort(want)
	f.SetReadinessGates(slices.Compact(want))
}

func (os Outcomes) recordConditions(f *kptfile.File) {
	have, points := f.Conditions(), os.byType()
	want := slices.DeleteFunc(slices.Clone(have), func(c kptfilev1.Condition) bool { return isStale(c.Type, points) })
	if len(os) == 0 && len(want) == len(have) {
		return
	}
	for i := range want {
		if o, ok := points[want[i].Type]; ok {
			want[i] = o.Condition()
			delete(points, o.Type)
		}
	}
	for _, o := range points {
		want = append(want, o.Condition())
	}
	slices.SortStableFunc(want, func(a, b kptfilev1.Condition) int { return cmp.Compare(a.Type, b.Type) })
	f.SetConditions(want)
}
