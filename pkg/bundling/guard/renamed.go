package guard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// renamed is a work that has another name or namespace than this function gave it.
type renamed struct {
	object *krm.Object
	at     *field.Path
	was    string
}

// Renamed refuses works of an earlier run that another function has renamed or moved. The hub has them as they were: what
// they hold would go there without a hand-over.
func Renamed(items []*krm.Object, list []bindings.Binding, inventory *workload.Inventory) sdk.Results {
	var found []renamed
	k := known{inventory: inventory, bindings: map[string]bool{}, destinations: map[string]bool{}}
	for _, b := range list {
		k.bindings[b.Binding] = true
		for _, cluster := range b.Destinations {
			k.destinations[cluster] = true
		}
	}
	for _, o := range naming.OwnWorks(items) {
		if r, is := k.renamed(o); is {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		return nil
	}
	return sdk.Results{reportRenamed(found)}
}

// known are the names of Bindings, and of clusters.
type known struct {
	inventory              *workload.Inventory
	bindings, destinations map[string]bool
}

func reportRenamed(found []renamed) *sdk.Result {
	first, more := slices.MinFunc(found, func(a, b renamed) int { return strings.Compare(a.object.Describe(), b.object.Describe()) }), ""
	if others := len(found) - 1; others > 0 {
		more = " (and " + selection.Count(others, "other ManifestWork") + ")"
	}
	return fn.NewResult(sdk.Error, first.object, first.at, "an earlier run wrote this work as %s, and it was renamed since%s: the hub has it under the "+
		"earlier name, and everything it ships would be deleted; where a function renames it, add exclude: [{kind: ManifestWork}] to the step "+
		"of that function, also in the pipeline of a package above; where the file has the new name, or is in another folder, restore it "+
		"from Git", first.was, more)
}

// renamed tells by what a work says about itself and by its file whether it still has the name and namespace that this function
// gave it. What says nothing is as it was.
func (k known) renamed(o *krm.Object) (renamed, bool) {
	of, metadata := naming.OriginOf(o), field.NewPath("metadata")
	cluster, folder := k.folderOf(o)
	switch {
	case of.Binding != "" && of.WDS != "" && !of.HasName(o.Name()):
		return renamed{o, metadata.Child("name"), cmp.Or(cluster, o.Namespace()) + "/" + of.NameInFile(o.File())}, true
	case cluster != "" && cluster != o.Namespace():
		return renamed{o, metadata.Child("namespace"), cluster + "/" + o.Name()}, true
	case cluster != "" && of.Binding != "" && of.Binding != folder && !k.bindings[folder] && k.bindings[of.Binding]:
		return renamed{o, metadata.Child("name"), cluster + "/" + naming.Origin{Binding: folder, WDS: of.WDS}.NameInFile(o.File())}, true
	}
	return renamed{}, false
}

// folderOf are the cluster and the Binding in whose folder the file of a work is: clusters/<cluster>/<binding>/<file>, wherever
// clusters is. People may move files, so only the name of a cluster counts that the inventory or a Binding has.
func (k known) folderOf(o *krm.Object) (cluster, binding string) {
	steps := strings.Split(path.Dir(o.File()), "/")
	n := len(steps)
	if n < 3 || steps[n-3] != naming.ClustersFolder {
		return "", ""
	}
	cluster = steps[n-2]
	if _, known := k.inventory.Get(cluster); known || k.destinations[cluster] {
		return cluster, steps[n-1]
	}
	return "", ""
}
