package injection

import (
	"fmt"
	"maps"
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

// Record writes the outcomes into the package's root Kptfile: a condition per point and a readiness gate per required point. New
// conditions come last, sorted by type; those that are there keep their order, since Porch appends conditions of its own.
// Gates are sorted by type when one comes or goes. Record removes conditions and gates of points that no longer exist.
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
	for _, o := range os {
		if o.Required && !slices.Contains(want, o.Type) {
			want = append(want, o.Type)
		}
	}
	if len(os) == 0 && len(want) == len(have) {
		return
	}
	slices.Sort(want)
	if want = slices.Compact(want); !slices.Equal(want, slices.Sorted(slices.Values(have))) {
		f.SetReadinessGates(want)
	}
}

func (os Outcomes) recordConditions(f *kptfile.File) {
	points := os.byType()
	var want []kptfilev1.Condition
	recorded := map[string]bool{}
	for _, c := range f.Conditions() {
		o, isPoint := points[c.Type]
		if isPoint {
			c = o.Condition()
		}
		if again := isPoint && recorded[c.Type]; !again && !isStale(c.Type, points) {
			want = append(want, c)
		}
		recorded[c.Type] = true
	}
	for _, t := range slices.Sorted(maps.Keys(points)) {
		if !recorded[t] {
			want = append(want, points[t].Condition())
		}
	}
	f.SetConditions(want)
}
