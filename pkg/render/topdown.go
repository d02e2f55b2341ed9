package render

import (
	"context"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// topDown runs the pipelines from the root downwards, level by level, each on its package and all
// packages below. What a pipeline makes of another package's resources is what that package's own
// pipeline sees.
func (r *renderer) topDown(ctx context.Context, root *pkg) ([]*krm.Object, error) {
	levels := root.levels()
	for _, p := range levels {
		p.own, p.items = p.items, nil
	}
	for _, p := range levels {
		items, err := r.pipeline(ctx, p, gather(p.levels()))
		if err != nil {
			handBack(p, p.now)
			return nil, err
		}
		handBack(p, items)
	}
	return gather(levels), nil
}

// levels lists p and the packages below, breadth first.
func (p *pkg) levels() []*pkg {
	found := []*pkg{p}
	for i := 0; i < len(found); i++ {
		found = append(found, found[i].subs...)
	}
	return found
}

func gather(packages []*pkg) (items []*krm.Object) {
	for _, p := range packages {
		items = append(items, p.own...)
	}
	return items
}

// handBack gives p and each package below the items that are its own.
func handBack(p *pkg, items []*krm.Object) {
	owners := map[string]*pkg{}
	for _, q := range p.levels() {
		q.own, owners[q.identity()] = []*krm.Object{}, q
	}
	for _, o := range items {
		q := owners[o.Annotation(krm.PackagePathAnnotation)]
		q.own = append(q.own, o)
	}
}
