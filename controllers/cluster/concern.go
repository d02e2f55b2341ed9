package cluster

import (
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant"
)

// concerns reports whether a change in a repository may give a variant something to do: when it is
// made of a package there, makes one there, or has made one there.
func concerns(pv *porchconfig.PackageVariant, repository string, what change) bool {
	if what.owners[variant.Owner(pv)] {
		return true
	}
	if down := pv.Spec.Downstream; follows(pv, repository, what) || down != nil && down.Repo == repository && what.touches(down.Package) {
		return true
	}
	return what.all && (!pv.DeletionTimestamp.IsZero() || keeps(pv, repository))
}

// follows reports whether a variant is made of a package that a change touches.
func follows(pv *porchconfig.PackageVariant, repository string, what change) bool {
	up := pv.Spec.Upstream
	return up != nil && up.Repo == repository && what.touches(up.Package)
}

// keeps reports whether a variant's status names a revision of a repository.
func keeps(pv *porchconfig.PackageVariant, repository string) bool {
	for _, target := range pv.Status.DownstreamTargets {
		if strings.HasPrefix(target.Name, repository+".") {
			return true
		}
	}
	return false
}
