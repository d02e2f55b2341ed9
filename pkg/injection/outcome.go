package injection

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// Reasons of the condition of a point.
const (
	ReasonInjected    = "ConfigInjected"
	ReasonNotSelected = "NoResourceSelected"
)

// Outcome is what became of one injection point.
type Outcome struct {
	Type     string // condition type
	Required bool
	Source   string // name of the context object; "" when nothing was injected
	Trouble  string // why nothing was injected; "" when no injector fitted, or it was
}

// Outcomes are those of a whole package.
type Outcomes []Outcome

// Condition is o as a condition of the Kptfile. It is True when something was injected.
func (o Outcome) Condition() kptfilev1.Condition {
	c := kptfilev1.Condition{Type: o.Type, Status: kptfilev1.ConditionFalse, Reason: ReasonNotSelected}
	switch {
	case o.Source != "":
		c.Status, c.Reason = kptfilev1.ConditionTrue, ReasonInjected
		c.Message = fmt.Sprintf("injected resource %q from cluster", o.Source)
	case o.Trouble != "":
		c.Message = o.Trouble
	default:
		c.Message = "no resource matched any injection selector for this injection point"
	}
	return c
}

// Record writes the outcomes into the package's root Kptfile: a condition per point and a
// readiness gate per required point, both lists sorted by type. Conditions and gates of points
// that are gone go too. A package that has and had no points is left as it is.
func (os Outcomes) Record(f *kptfile.File) {
	os.recordGates(f)
	os.recordConditions(f)
}

// stale reports whether a condition type is that of a point that is gone.
func (os Outcomes) stale(conditionType string) bool {
	return strings.HasPrefix(conditionType, ConditionPrefix) &&
		!slices.ContainsFunc(os, func(o Outcome) bool { return o.Type == conditionType })
}

func (os Outcomes) recordGates(f *kptfile.File) {
	have := f.ReadinessGates()
	want := slices.DeleteFunc(slices.Clone(have), os.stale)
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
	have := f.Conditions()
	want := slices.DeleteFunc(slices.Clone(have), func(c kptfilev1.Condition) bool { return os.stale(c.Type) })
	if len(os) == 0 && len(want) == len(have) {
		return
	}
	for _, o := range os {
		at := slices.IndexFunc(want, func(c kptfilev1.Condition) bool { return c.Type == o.Type })
		if at < 0 {
			want = append(want, o.Condition())
		} else {
			want[at] = o.Condition()
		}
	}
	slices.SortStableFunc(want, func(a, b kptfilev1.Condition) int { return cmp.Compare(a.Type, b.Type) })
	f.SetConditions(want)
}
