package binding

import (
	"encoding/json"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/binding/match"
)

// maxExamples is how many objects a singleton warning lists.
const maxExamples = 4

// wrongCount is an example in a singleton warning; names and order of fields are interface.
type wrongCount struct {
	ObjectID struct {
		GVK        struct{ Group, Version, Kind string }
		Resource   string
		ObjectName struct{ Namespace, Name string }
	}
	NumWECs int
}

// reportSingletons warns every policy that selects an object whose one status somebody wants
// although not exactly one cluster has it, counted over the policies that want it.
func (r *resolver) reportSingletons() {
	counts := r.singletonCounts()
	for _, p := range r.policies {
		var examples []wrongCount
		for _, e := range p.Picks {
			if n, wanted := counts[e.Index]; wanted && n != 1 && len(examples) < maxExamples {
				examples = append(examples, newWrongCount(e, n))
			}
		}
		if len(examples) == 0 {
			continue
		}
		text, err := json.Marshal(examples)
		if err != nil { // text and numbers always encode
			panic(fmt.Sprintf("write examples of policy %q: %v", p.Name, err))
		}
		r.report(sdk.Warning, p.Object, field.NewPath("spec", "downsync"), "Singleton reported status return is requested "+
			"but some objects have the wrong number of associated WECs, for example: %s", text)
	}
}

// singletonCounts says, for every object whose singleton status some policy wants, how many
// clusters these policies send it to.
func (r *resolver) singletonCounts() map[int]int {
	wanted := map[int]bitset{}
	for _, p := range r.policies {
		clusters := newBitset(len(r.inventory.Clusters))
		for _, i := range p.Destinations {
			clusters.add(i)
		}
		for _, e := range p.Picks {
			if !e.Modulation.WantSingletonReportedState {
				continue
			}
			if old, twice := wanted[e.Index]; twice {
				wanted[e.Index] = old.union(clusters)
			} else {
				wanted[e.Index] = clusters
			}
		}
	}
	counts := make(map[int]int, len(wanted))
	for index, clusters := range wanted {
		counts[index] = clusters.common(clusters).n
	}
	return counts
}

func newWrongCount(e match.Pick, n int) (out wrongCount) {
	out.ObjectID.GVK.Group, out.ObjectID.GVK.Version, out.ObjectID.GVK.Kind = e.Group, e.Version, e.Object.Kind()
	out.ObjectID.Resource = e.Resource
	out.ObjectID.ObjectName.Namespace, out.ObjectID.ObjectName.Name = e.Namespace, e.Name
	out.NumWECs = n
	return out
}
