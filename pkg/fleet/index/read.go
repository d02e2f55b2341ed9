package index

import (
	"maps"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Of indexes f, which was read from tree. preview is a comparison with f as the side after, or nil.
func Of(tree pkgtree.Tree, f *fleet.Fleet, preview *waybill.FleetPreview) (*Index, error) {
	b := newBuilder()
	if err := b.byLines(f); err != nil {
		b = newBuilder()
		if err := b.thorough(f); err != nil {
			return nil, err
		}
	}
	labels := LabelsIn(tree)
	for name := range labels {
		b.row(name)
	}
	b.compared(preview)
	a := b.index()
	for i := range a.Clusters {
		a.Clusters[i].Labels = labels[a.Clusters[i].Name]
	}
	return a, nil
}

// found is a delivery with its text.
type found struct {
	fleet.Delivery
	*shownText
}

// byLines adds what f delivers. Only texts that are new are read, on all processors.
func (b *builder) byLines(f *fleet.Fleet) error {
	var mu sync.Mutex
	return f.EachCluster(func(name string, all []fleet.Delivery) error {
		out, err := b.texts.read(all)
		if err == nil {
			mu.Lock()
			defer mu.Unlock()
			b.cluster(name, out)
		}
		return err
	})
}

// thorough is byLines for works that lines alone misread: a comparison with an empty fleet parses all of them.
func (b *builder) thorough(f *fleet.Fleet) error {
	nothing, err := fleet.Read(pkgtree.Tree{}, nil)
	if err != nil {
		return err
	}
	all, err := fleet.Compare(nothing, f)
	if err != nil {
		return err
	}
	by := map[string][]fleet.Delivery{}
	for _, c := range all.Changes {
		by[c.Cluster()] = append(by[c.Cluster()], *c.After)
	}
	for _, name := range sortedKeys(by) {
		found, err := b.texts.read(by[name])
		if err != nil {
			return err
		}
		b.cluster(name, found)
	}
	return nil
}

func (t *texts) read(all []fleet.Delivery) (out []found, err error) {
	out = make([]found, 0, len(all))
	for _, d := range all {
		s, err := t.of(d.Content)
		if err != nil {
			return nil, err
		}
		out = append(out, found{d, s})
	}
	return out, nil
}

func (b *builder) compared(p *waybill.FleetPreview) {
	if p == nil {
		return
	}
	b.out.Preview = p
	for _, g := range p.Groups {
		b.object(IdentityOf(g.Object))
		for _, s := range g.Shapes {
			for _, name := range s.Clusters {
				b.row(name)
			}
		}
	}
}

// IdentityOf is the identity of an object in a preview. A ManifestWork that is delivered has a namespace; a work itself has
// none.
func IdentityOf(o waybill.PreviewObject) Identity {
	return Identity{krm.ID(o), o.Group == manifestwork.Group && o.Kind == manifestwork.Kind && o.Namespace == ""}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// Changed are the objects that change, by their place in Objects, with the level of the riskiest rule that applies to them, which
// may be "".
func (a *Index) Changed() map[int]string {
	if a.Preview == nil {
		return nil
	}
	levels := map[Identity]string{}
	for i := range a.Preview.Groups {
		g := &a.Preview.Groups[i]
		id := IdentityOf(g.Object)
		levels[id] = Riskier(levels[id], g.Level)
	}
	out := map[int]string{}
	for i, o := range a.Objects {
		if level, changes := levels[o.Identity]; changes && !o.Itself {
			out[i] = level
		}
	}
	return out
}

// Riskier is the higher of two levels.
func Riskier(a, b string) string {
	order := []string{"", "low", "medium", "high"}
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}
