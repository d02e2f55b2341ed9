package workload

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// MayBeClone reports whether what earlier renders left among the items may be of another package: the one whose Kptfile is
// outermost has an upstream and nothing that was generated names a cluster of the inventory, or there is no Kptfile that
// could tell. A clone begins with the Bindings and works of its blueprint, which name clusters of the blueprint's fleet. In a
// package without an upstream, and in a clone that was rendered for its own clusters, they name its own.
func MayBeClone(items []*krm.Object, inventory *Inventory) bool {
	var files []*krm.Object
	for _, o := range items {
		if o.Is("kpt.dev", "Kptfile") {
			files = append(files, o)
		}
	}
	if len(files) == 0 {
		return true
	}
	outermost := folder(slices.MinFunc(files, func(a, b *krm.Object) int { return cmp.Compare(len(folder(a)), len(folder(b))) }))
	cloned := slices.ContainsFunc(files, func(o *krm.Object) bool {
		return len(folder(o)) == len(outermost) && (o.Lookup("upstream") != nil || o.Lookup("upstreamLock") != nil)
	})
	return cloned && !slices.ContainsFunc(items, inventory.isFor)
}

// isFor reports whether o is a work or Binding that was generated for a cluster of the inventory.
func (inv *Inventory) isFor(o *krm.Object) bool {
	if !fn.IsGenerated(o) {
		return false
	}
	clusters := []string{o.Namespace()}
	if o.Is(control.Group, control.KindBinding) {
		clusters = nil
		if n := o.Lookup("spec", "destinations"); n != nil {
			for _, d := range krm.Deref(n).Content {
				if id := krm.Lookup(d, "clusterId"); id != nil {
					clusters = append(clusters, id.Value)
				}
			}
		}
	} else if o.Kind() != "ManifestWork" {
		return false
	}
	return slices.ContainsFunc(clusters, func(name string) bool { _, here := inv.Get(name); return here })
}

// folder is where an object's file is: the orchestrator says where the package is, and the path where in it.
func folder(o *krm.Object) string {
	return strings.Trim(path.Join("/", o.Annotation(krm.PackagePathAnnotation), path.Dir(o.File())), "/")
}
