package helmchart

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/chart"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// lock says which archives a config renders.
type lock struct {
	object *krm.Object
	Charts []chart.Locked `json:"charts"`
}

// findLock finds the lock of a config among the items; nil if there is none.
func findLock(in *fn.Input, name string) (*lock, error) {
	folder := fn.PackageFolder(in)
	for _, o := range in.Items {
		if !o.Is(fn.ConfigGroup, chart.LockKind) || o.Name() != name || !isIn(in, o, folder) {
			continue
		}
		l := &lock{object: o}
		errs := fn.UnknownFields(o, "entries belong under charts", "charts")
		if n := o.Lookup("charts"); n != nil && !krm.IsNull(n) {
			errs = append(errs, krm.DecodeErrors(n, field.NewPath("charts"), &l.Charts)...)
		}
		if err := errs.ToAggregate(); err != nil {
			return nil, fmt.Errorf("%s: %w; run waybill helm lock", o.Describe(), err)
		}
		return l, nil
	}
	return nil, nil
}

// isIn reports whether o belongs to the package in a folder, and not to a subpackage of it.
func isIn(in *fn.Input, o *krm.Object, folder string) bool {
	own := fn.Folder(o)
	return !slices.ContainsFunc(in.Items, func(k *krm.Object) bool {
		inner := fn.Folder(k)
		return k.Is("kpt.dev", "Kptfile") && inner != folder && (own == inner || len(own) > len(inner) && own[:len(inner)+1] == inner+"/")
	})
}

// find is the entry of a chart; nil if there is none.
func (l *lock) find(a *chartArgs) *chart.Locked {
	if l == nil {
		return nil
	}
	return chart.FindLocked(l.Charts, a.Name, a.Repo, a.Version)
}
