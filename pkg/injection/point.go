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

// ConditionPrefix is the prefix of the condition type of every injection point, before KIND.NAME. The condition is True while
// the point has its object.
const ConditionPrefix = "config.injection."

// item is an object and its file, relative to the root of the package.
type item struct {
	object *krm.Object
	file   string
}

// withFiles are objects whose paths are relative to the root of the package.
func withFiles(objects []*krm.Object) []item {
	items := make([]item, len(objects))
	for i, o := range objects {
		items[i] = item{o, o.File()}
	}
	return items
}

// point is an injection point.
type point struct {
	item
	conditionType string
	required      bool
}

// pointFault is an error in an injection point.
type pointFault struct {
	object *krm.Object
	text   string
}

// pointFaults are those of a package. As an error they are one line.
type pointFaults []pointFault

func (fs pointFaults) Error() string {
	texts := make([]string, len(fs))
	for i, f := range fs {
		texts[i] = f.text
	}
	return "errors in injection points: " + strings.Join(texts, ", ")
}

// points finds the injection points among items, in the order of their files, and their errors.
func points(items []item) (found []point, faults pointFaults) {
	last := map[string]item{} // by condition type; Porch names the one before, of three too
	for _, it := range markedPoints(items) {
		o, value := it.object, it.object.Annotation(PointAnnotation)
		if value != "required" && value != "optional" {
			faults = append(faults, pointFault{o, fmt.Sprintf("%s: %s/%s has invalid %q annotation value of %q", it.file, o.Kind(), o.Name(),
				PointAnnotation, value)})
			continue
		}
		p := point{it, ConditionPrefix + o.Kind() + "." + o.Name(), value == "required"}
		other, twice := last[p.conditionType]
		last[p.conditionType] = it
		if twice {
			faults = append(faults, pointFault{o, fmt.Sprintf("duplicate injection conditionType %q (%s and %s)", p.conditionType,
				other.file, it.file)})
			continue
		}
		found = append(found, p)
	}
	return found, faults
}

// markedPoints are the items with the annotation of a point, by file and index. Objects without
// either are in the order of their names.
func markedPoints(items []item) (found []item) {
	for _, it := range items {
		if it.object.HasAnnotation(PointAnnotation) && mayHoldPoints(it.file) {
			found = append(found, it)
		}
	}
	slices.SortStableFunc(found, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.object.Index(), b.object.Index()),
			cmp.Compare(a.object.ID().String(), b.object.ID().String()))
	})
	return found
}

// mayHoldPoints reports whether objects of that file can be injection points. An object without a
// file can be one.
func mayHoldPoints(file string) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return file == "" || path.Base(file) == "Kptfile"
}
