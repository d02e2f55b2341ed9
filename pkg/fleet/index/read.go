package index

import (
	"maps"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Of indexes f, which was read from tree. preview is a comparison with f as the side after, or nil.
func Of(tree pkgtree.Tree, f *fleet.Fleet, preview *waybill.FleetPreview) (*Index, error) {
	b := newBuilder()
	if err := b.byLines(tree, f); err != nil {
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

// mostAtOnce is how many files' deliveries are in memory at a time.
const mostAtOnce = 256

// byLines adds what f delivers, some files at a time: to ask all files about each cluster would take their product.
func (b *builder) byLines(tree pkgtree.Tree, f *fleet.Fleet) error {
	kptfiles := map[string]*pkgtree.Blob{} // they say which folders are packages
	for p, blob := range tree.All() {
		if path.Base(p) == kptfile.Name {
			kptfiles[p] = blob
		}
	}
	for paths := range slices.Chunk(tree.Paths(), mostAtOnce) {
		blobs := maps.Clone(kptfiles)
		for _, p := range paths {
			blobs[p] = tree.Blob(p)
		}
		some, err := pkgtree.FromBlobs(blobs)
		if err != nil {
			return err
		}
		part, err := fleet.Read(some, f)
		if err != nil {
			return err
		}
		if err := b.deliveredBy(part); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) deliveredBy(f *fleet.Fleet) error {
	clusters := f.Named()
	out := make([][]found, len(clusters))
	err := fleet.InParallel(len(clusters), func(i int) error {
		all, err := f.Delivered(clusters[i])
		if err == nil {
			out[i], err = b.texts.read(all)
		}
		return err
	})
	if err != nil {
		return err
	}
	for i, name := range clusters {
		b.cluster(name, out[i])
	}
	return nil
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
