package writeback

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

// PolicyError is an error that belongs into the status of a policy.
type PolicyError struct{ Policy, Text string }

// wrongCountsBegin is what every PolicyError begins with, and nothing else that anybody writes.
const wrongCountsBegin = "Singleton reported status return is requested but some objects have the wrong number of " +
	"associated WECs, for example: "

// maxExamples is how many objects an error lists.
const maxExamples = 4

// wrongCount is an example; names and order of fields are interface.
type wrongCount struct {
	ObjectID struct {
		GVK        struct{ Group, Version, Kind string }
		Resource   string
		ObjectName struct{ Namespace, Name string }
	}
	NumWECs int
}

// Errors returns, by policy, what is wrong with the number of clusters. Every policy that selects an
// object gets it, when any of them asks for the object's one status and not exactly one cluster has it,
// counted over those that ask. Examples are the first in the order of the Binding.
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
