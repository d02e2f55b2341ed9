package injection

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Annotations of injection.
const (
	// PointAnnotation makes an object an injection point: required or optional.
	PointAnnotation = "kpt.dev/config-injection"
	// SourceAnnotation names the context object that was injected.
	SourceAnnotation = "kpt.dev/injected-resource"
)

// ConditionPrefix begins the condition type of every injection point.
const ConditionPrefix = "config.injection."

// point is an object that wants something injected.
type point struct {
	object        *krm.Object
	conditionType string
	required      bool
}

// points finds the injection points among items, in the order of their files.
func points(items []*krm.Object) ([]point, error) {
	var found []point
	var faults []string
	first := map[string]*krm.Object{}
	for _, o := range inFileOrder(items) {
		if !o.HasAnnotation(PointAnnotation) || !mayHoldPoints(o.File()) {
			continue
		}
		value := o.Annotation(PointAnnotation)
		if value != "required" && value != "optional" {
			faults = append(faults, fmt.Sprintf("%s: %s/%s has invalid %q annotation value of %q", o.File(), o.Kind(), o.Name(), PointAnnotation, value))
			continue
		}
		p := point{o, ConditionPrefix + o.Kind() + "." + o.Name(), value == "required"}
		if other := first[p.conditionType]; other != nil {
			faults = append(faults, fmt.Sprintf("duplicate injection conditionType %q (%s and %s)", p.conditionType, other.File(), o.File()))
			continue
		}
		first[p.conditionType] = o
		found = append(found, p)
	}
	if len(faults) > 0 {
		return nil, fmt.Errorf("errors in injection points: %s", strings.Join(faults, ", "))
	}
	return found, nil
}

// mayHoldPoints reports whether objects of that file can be injection points. An object without a
// file, which a function was handed, can.
func mayHoldPoints(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return file == "" || path.Base(file) == "Kptfile"
}

func inFileOrder(items []*krm.Object) []*krm.Object {
	sorted := slices.Clone(items)
	slices.SortStableFunc(sorted, func(a, b *krm.Object) int {
		return cmp.Or(cmp.Compare(a.File(), b.File()), cmp.Compare(a.Index(), b.Index()))
	})
	return sorted
}
