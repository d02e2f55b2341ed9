package plan

import (
	"fmt"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/control"
)

// operation is an operation of a JSON patch.
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value,omitempty"`
}

// maxOperations is how many operations a patch of results may have; with more, all results are replaced. An API server
// refuses more than 10,000.
const maxOperations = 1000

// unchanged makes a patch fail unless the object is in the state that was read.
func unchanged(have *unstructured.Unstructured) operation {
	return operation{"test", "/metadata/resourceVersion", have.GetResourceVersion()}
}

// replaceField sets a field that may be absent.
func replaceField(path string, value any) operation { return operation{"add", path, value} }

// metadataPatch sets labels and owners. Labels of other clients stay.
func metadataPatch(have *unstructured.Unstructured, want *control.CombinedStatus) (patch []operation) {
	before, _ := have.Object["metadata"].(map[string]any)
	desired := &unstructured.Unstructured{Object: map[string]any{"metadata": runtime.DeepCopyJSON(before)}}
	desired.SetLabels(labels.Merge(desired.GetLabels(), want.Labels))
	desired.SetOwnerReferences(want.OwnerReferences)
	after, _ := desired.Object["metadata"].(map[string]any)
	for _, field := range []string{"labels", "ownerReferences"} {
		if value, is := after[field]; !is && before[field] != nil {
			patch = append(patch, operation{Op: "remove", Path: "/metadata/" + field})
		} else if !equal(before[field], value) {
			patch = append(patch, replaceField("/metadata/"+field, value))
		}
	}
	return patch
}

// resultsPatch turns results into the desired ones.
func resultsPatch(have, want []control.NamedStatusCombination) (patch []operation) {
	if len(have) != len(want) {
		return listPatch("/results", have, want)
	}
	for i := range want {
		patch = append(patch, resultPatch(fmt.Sprintf("/results/%d", i), &have[i], &want[i])...)
	}
	if len(patch) > maxOperations {
		return []operation{replaceField("/results", want)}
	}
	return patch
}

// resultPatch is resultsPatch of one collector.
func resultPatch(path string, have, want *control.NamedStatusCombination) []operation {
	if have.Name != want.Name || !slices.Equal(have.ColumnNames, want.ColumnNames) {
		return []operation{{"replace", path, want}}
	}
	return slices.Concat(
		rowsPatch(path+"/rows", have.Rows, want.Rows),
		listPatch(path+"/rowErrors", have.RowErrors, want.RowErrors),
		listPatch(path+"/aggregationErrors", have.AggregationErrors, want.AggregationErrors))
}

// listPatch replaces a list as a whole. An API server does not store an empty one.
func listPatch[E any](path string, have, want []E) []operation {
	if len(have) == 0 && len(want) == 0 || reflect.DeepEqual(have, want) {
		return nil
	}
	return []operation{replaceList(path, want)}
}

// replaceList sets a list, or removes one that is there.
func replaceList[E any](path string, want []E) operation {
	if len(want) == 0 {
		return operation{Op: "remove", Path: path}
	}
	return replaceField(path, want)
}

// rowsPatch turns rows into the desired ones: it replaces, adds and removes those between what both begin and end with.
func rowsPatch(path string, have, want []control.StatusCombinationRow) (patch []operation) {
	if len(have) == 0 || len(want) == 0 {
		return listPatch(path, have, want)
	}
	first, most := 0, min(len(have), len(want))
	for first < most && sameRow(&have[first], &want[first]) {
		first++
	}
	last := 0
	for last < most-first && sameRow(&have[len(have)-1-last], &want[len(want)-1-last]) {
		last++
	}
	have, want = have[:len(have)-last], want[:len(want)-last]
	row := func(i int) string { return fmt.Sprintf("%s/%d", path, i) }
	for i := first; i < min(len(have), len(want)); i++ {
		if !sameRow(&have[i], &want[i]) {
			patch = append(patch, operation{"replace", row(i), want[i]})
		}
	}
	for i := len(have); i < len(want); i++ {
		patch = append(patch, operation{"add", row(i), want[i]})
	}
	for i := len(have) - 1; i >= len(want); i-- {
		patch = append(patch, operation{Op: "remove", Path: row(i)})
	}
	return patch
}

// sameRow reports whether rows have the same values. Those that were not evaluated anew since share them.
func sameRow(a, b *control.StatusCombinationRow) bool {
	if len(a.Columns) > 0 && len(a.Columns) == len(b.Columns) && &a.Columns[0] == &b.Columns[0] {
		return true
	}
	return reflect.DeepEqual(a, b)
}
