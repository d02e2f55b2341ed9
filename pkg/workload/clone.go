package workload

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// MayBeClone reports whether what earlier renders left among the items may be of another package: the one whose Kptfile is
// outermost has an upstream, or there is no Kptfile that could tell. A clone begins with the Bindings and works of its
// blueprint, which name clusters of the blueprint's fleet. In a package without an upstream they name its own.
func MayBeClone(items []*krm.Object) bool {
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
	return slices.ContainsFunc(files, func(o *krm.Object) bool {
		return len(folder(o)) == len(outermost) && (o.Lookup("upstream") != nil || o.Lookup("upstreamLock") != nil)
	})
}

// folder is where an object's file is: the orchestrator says where the package is, and the path where in it.
func folder(o *krm.Object) string {
	return strings.Trim(path.Join("/", o.Annotation(krm.PackagePathAnnotation), path.Dir(o.File())), "/")
}
