package guard

import (
	"cmp"
	"path"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Renamed refuses works of an earlier run that another function has renamed or moved. The hub has them under their earlier names,
// and their objects would be deleted there without a hand-over.
func Renamed(items []*krm.Object, list []bindings.Binding, inventory *workload.Inventory) sdk.Results {
	k := known{inventory, sets.New[string](), sets.New[string]()}
	for _, b := range list {
		k.bindings.Insert(b.Binding)
		k.destinations.Insert(b.Destinations...)
	}
	var first *krm.Object
	var at, was string
	others := -1
	for _, o := range naming.OwnWorks(items) {
		name, earlier := k.earlierName(o)
		if name == "" {
			continue
		}
		if others++; first == nil || o.Describe() < first.Describe() {
			first, at, was = o, name, earlier
		}
	}
	if first == nil {
		return nil
	}
	more := ""
	if others > 0 {
		more = " (and " + selection.Count(others, "other ManifestWork") + ")"
	}
	return sdk.Results{fn.NewResult(sdk.Error, first, field.NewPath("metadata", at),
		"an earlier run wrote this work as %s, and it was renamed "+
			"since%s: the hub has it under the earlier name, and everything it ships would be deleted; if a function renames it, add "+
			"exclude: [{kind: ManifestWork}] to the step of that function, also in the pipeline of a parent package; if the file has the new "+
			"name, or is in another folder, restore it from Git", was, more)}
}

// known are the names of Bindings and of clusters.
type known struct {
	inventory              *workload.Inventory
	bindings, destinations sets.Set[string]
}

// earlierName is the namespace and name that this function gave a work, and the field of the metadata that changed since; "" if none
// did. The origin of a work and the folder of its file tell. A work without them counts as unchanged.
func (k known) earlierName(o *krm.Object) (changed, was string) {
	of := naming.OriginOf(o)
	cluster, folder := k.folderOf(o)
	switch {
	case of.Binding != "" && of.WDS != "" && !of.HasName(o.Name()):
		return "name", cmp.Or(cluster, o.Namespace()) + "/" + of.NameInFile(o.File())
	case cluster != "" && cluster != o.Namespace():
		return "namespace", cluster + "/" + o.Name()
	case cluster != "" && of.Binding != "" && of.Binding != folder && !k.bindings.Has(folder) && k.bindings.Has(of.Binding):
		return "name", cluster + "/" + naming.Origin{Binding: folder, WDS: of.WDS}.NameInFile(o.File())
	}
	return "", ""
}

// folderOf is the cluster and the Binding in whose folder the file of a work is: clusters/<cluster>/<binding>/<file>, wherever
// clusters is. Users may move files, so a folder counts only if the inventory or a Binding has its cluster.
func (k known) folderOf(o *krm.Object) (cluster, binding string) {
	steps := strings.Split(path.Dir(o.File()), "/")
	n := len(steps)
	if n < 3 || steps[n-3] != naming.ClustersFolder {
		return "", ""
	}
	if _, known := k.inventory.Get(steps[n-2]); !known && !k.destinations.Has(steps[n-2]) {
		return "", ""
	}
	return steps[n-2], steps[n-1]
}
