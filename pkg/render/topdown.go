package render

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// topDown runs the pipelines from the root downwards, breadth first, each on its package and all
// packages below. A package's own pipeline sees its resources as the pipelines above returned them.
func (r *renderer) topDown(ctx context.Context, root *load.Package) ([]*krm.Object, error) {
	packages := root.All()
	for _, p := range packages {
		items, err := r.pipeline(ctx, p, gather(p.All()))
		if err != nil {
			distribute(p, p.Current)
			return nil, err
		}
		distribute(p, items)
	}
	return gather(packages), nil
}

func gather(packages []*load.Package) (items []*krm.Object) {
	for _, p := range packages {
		items = append(items, p.Items...)
	}
	return items
}

// distribute gives p and each package below its own items.
func distribute(p *load.Package, items []*krm.Object) {
	owners := map[string]*load.Package{}
	for _, q := range p.All() {
		q.Items, owners[q.Identity()] = nil, q
	}
	for _, o := range items {
		q := owners[o.Annotation(krm.PackagePathAnnotation)]
		q.Items = append(q.Items, o)
	}
}
