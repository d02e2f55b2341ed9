package overlap

import (
	"encoding/json"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
)

// maxExamples is the most objects in a singleton warning.
const maxExamples = 4

// wrongCount is an example in a singleton warning; the names and the order of its fields are part of the interface.
type wrongCount struct {
	ObjectID struct {
		GVK        struct{ Group, Version, Kind string }
		Resource   string
		ObjectName struct{ Namespace, Name string }
	}
	NumWECs int
}

// reportSingletons warns every policy that selects an object of which some policy wants the one status, if the policies that
// want it do not send it to exactly one cluster.
func (f *finder) reportSingletons() {
	counts := f.singletonCounts()
	for _, p := range f.policies {
		var examples []wrongCount
		for _, e := range p.Picks {
			if n, wanted := counts[e.Index]; wanted && n != 1 && len(examples) < maxExamples {
				examples = append(examples, newWrongCount(e.Candidate, n))
			}
		}
		if len(examples) == 0 {
			continue
		}
		text, err := json.Marshal(examples)
		if err != nil { // text and numbers always encode
			panic(fmt.Sprintf("write examples of policy %q: %v", p.Name, err))
		}
		f.report(sdk.Warning, p.Object, field.NewPath("spec", "downsync"), "Singleton reported status return is requested "+
			"but some objects have the wrong number of associated WECs, for example: %s", text)
	}
}

// singletonCounts is, for every object of which some policy wants the one status, the number of
// clusters to which these policies send it.
func (f *finder) singletonCounts() map[int]int {
	wanted := map[int]bitset{}
	for i, p := range f.policies {
		for _, e := range p.Picks {
			if !e.Modulation.WantSingletonReportedState {
				continue
			}
			if old, twice := wanted[e.Index]; twice {
				wanted[e.Index] = old.union(f.selected[i].clusters)
			} else {
				wanted[e.Index] = f.selected[i].clusters
			}
		}
	}
	counts := make(map[int]int, len(wanted))
	for index, clusters := range wanted {
		counts[index] = clusters.common(clusters).n
	}
	return counts
}

func newWrongCount(e *match.Candidate, n int) (out wrongCount) {
	out.ObjectID.GVK.Group, out.ObjectID.GVK.Version, out.ObjectID.GVK.Kind = e.Group, e.Version, e.Object.Kind()
	out.ObjectID.Resource = e.Resource
	out.ObjectID.ObjectName.Namespace, out.ObjectID.ObjectName.Name = e.Namespace, e.Name
	out.NumWECs = n
	return out
}
