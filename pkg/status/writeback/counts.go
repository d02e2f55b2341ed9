package writeback

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// PolicyError is an error for the status of a policy.
type PolicyError struct{ Policy, Text string }

// wrongCountsBegin is the beginning of every PolicyError, and of no other error.
const wrongCountsBegin = "Singleton reported status return is requested but some objects have the wrong number of " +
	"associated WECs, for example: "

// maxExamples is how many objects an error lists.
const maxExamples = 4

// wrongCount is an example; names and order of fields are part of the interface.
type wrongCount struct {
	ObjectID struct {
		GVK        struct{ Group, Version, Kind string }
		Resource   string
		ObjectName struct{ Namespace, Name string }
	}
	NumWECs int
}

// Errors returns, by policy, what is wrong with the number of clusters. If any policy requests the singleton status of an
// object, and not exactly one cluster has the object, counted over the policies that request it, every policy that selects
// the object gets the error. Examples are the first in the order of the Binding.
func (w *Wants) Errors() (errs []PolicyError) {
	for _, s := range w.selections {
		var examples []wrongCount
		for _, o := range s.Objects {
			want := w.objects[o.Object]
			if n := len(want.SingletonClusters); want.Singleton && n != 1 && len(examples) < maxExamples {
				examples = append(examples, newWrongCount(o.Object, n))
			}
		}
		if len(examples) > 0 {
			errs = append(errs, PolicyError{s.Policy, wrongCounts(examples)})
		}
	}
	slices.SortFunc(errs, func(a, b PolicyError) int {
		return cmp.Or(cmp.Compare(a.Policy, b.Policy), cmp.Compare(a.Text, b.Text))
	})
	return errs
}

func wrongCounts(examples []wrongCount) string {
	list, err := json.Marshal(examples)
	if err != nil { // text and numbers always encode
		panic(fmt.Sprintf("write examples: %v", err))
	}
	return wrongCountsBegin + string(list)
}

func newWrongCount(id reports.Identity, n int) (out wrongCount) {
	out.ObjectID.GVK.Group, out.ObjectID.GVK.Version, out.ObjectID.GVK.Kind = id.Group, id.Version, id.Kind
	out.ObjectID.Resource = id.Resource
	out.ObjectID.ObjectName.Namespace, out.ObjectID.ObjectName.Name = id.Namespace, id.Name
	out.NumWECs = n
	return out
}
