package fn

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Merge returns in's items with what the config renders now. An item whose rendering is the same stays as it is, with what people
// and other functions changed in it. An item whose rendering changed is rewritten in its place, one that is no longer rendered is
// removed, and a new one is added; an Info result says whose changes are lost. The items of subpackages stay. An object that is
// rendered twice, and one that the package has already, are error results. Each rendered object must have a path.
func (r Rendering) Merge(in *Input, rendered []*krm.Object) *Output {
	m := merging{Rendering: r, out: &Output{}, marks: map[string]*krm.Object{}, ids: map[krm.ID]*krm.Object{}, seen: map[string]*krm.Object{}}
	for _, o := range rendered {
		m.want(o)
	}
	ownItems := r.Own(in.Items)
	for _, o := range in.Items {
		if ownItems[o] {
			m.match(o)
		}
	}
	m.added = maps.Clone(m.ids)
	m.followRenamed(ownItems)
	for _, o := range in.Items {
		m.item(o, ownItems[o])
	}
	for _, o := range rendered {
		if m.ids[o.ID()] == o {
			m.out.Items = append(m.out.Items, o)
		}
	}
	if m.out.Failed() {
		m.out.Items = slices.Clone(in.Items)
	}
	return m.out
}

// merging is one Merge. ids are the rendered objects that no item is yet.
type merging struct {
	Rendering
	out   *Output
	marks map[string]*krm.Object
	ids   map[krm.ID]*krm.Object
	added map[krm.ID]*krm.Object // ids before items were rewritten, and those of items that a later function renamed
	seen  map[string]*krm.Object // the items of the same rendering, by mark
}

// want marks a rendered object and takes note of it.
func (m *merging) want(o *krm.Object) {
	mark, err := m.mark(o)
	switch {
	case err != nil:
		m.out.Report(sdk.Error, o, nil, "%v", err)
	case m.ids[o.ID()] != nil:
		m.out.Report(sdk.Error, o, nil, "%s renders %s twice; a package holds an object once", m.Function, o.Describe())
	}
	m.marks[mark], m.ids[o.ID()] = o, o
}

// match finds the rendered object that an item still is.
func (m *merging) match(o *krm.Object) {
	mark := o.Annotation(RenderedFrom)
	w := m.marks[mark]
	if w == nil {
		return
	}
	if first := m.seen[mark]; first != nil {
		m.out.Report(sdk.Error, o, nil, "it has the same annotation %s as %s; remove the annotation from the one that you copied",
			RenderedFrom, first.Describe())
	}
	m.seen[mark] = o
	delete(m.ids, w.ID())
}

// followRenamed finds items whose rendering changed, and which a later function gave another namespace or name: the object that is
// rendered into the file now.
func (m *merging) followRenamed(own map[*krm.Object]bool) {
	type place struct{ file, group, kind string }
	placeOf := func(o *krm.Object) place { return place{FilePath(o), o.Group(), o.Kind()} }
	rendered, held, taken := map[place][]*krm.Object{}, map[place][]*krm.Object{}, map[krm.ID]bool{}
	for _, w := range m.ids {
		rendered[placeOf(w)] = append(rendered[placeOf(w)], w)
	}
	for o := range own {
		taken[o.ID()] = true
		held[placeOf(o)] = append(held[placeOf(o)], o)
	}
	for at, o := range held { // with one object of the kind on either side, it is the same
		w := rendered[at]
		if len(o) == 1 && len(w) == 1 && m.marks[o[0].Annotation(RenderedFrom)] == nil && !taken[w[0].ID()] && m.added[o[0].ID()] == nil {
			m.added[o[0].ID()] = w[0]
		}
	}
}

// item decides about one item.
func (m *merging) item(o *krm.Object, own bool) {
	w := m.added[o.ID()]
	switch {
	case !own:
		if w != nil && w.ID() == o.ID() {
			m.out.Report(sdk.Error, o, nil, "%s renders %s: %s", m.Function, w.Describe(), m.taken(o))
		}
		m.out.Items = append(m.out.Items, o)
	case m.marks[o.Annotation(RenderedFrom)] != nil:
		m.out.Items = append(m.out.Items, o)
	default:
		m.reportLoss(o, w)
		if w != nil {
			delete(m.ids, w.ID())
			m.out.Items = append(m.out.Items, renew(o, w))
		}
	}
}

// taken says why an item is not one of the config's, and what to do.
func (m *merging) taken(o *krm.Object) string {
	by, _, rendered := strings.Cut(o.Annotation(RenderedFrom), "@")
	if rendered && by+"@sha256:" != m.prefix() {
		return fmt.Sprintf("%s rendered this object, as its annotation %s says; if the config was renamed, change the name in the annotations "+
			"to keep what was changed in its objects, or remove them; otherwise change or remove one of the configs", by, RenderedFrom)
	}
	return fmt.Sprintf("a file that was not rendered by config %q already holds this object; rename or remove one of them", m.Config)
}

// reportLoss tells that an item is rewritten or removed that a user or a later function had changed since it was rendered.
func (m *merging) reportLoss(o, w *krm.Object) {
	data, err := withoutPlace(o)
	digest := sha256.Sum256(data)
	if err == nil && m.prefix()+hex.EncodeToString(digest[:8]) == o.Annotation(RenderedFrom) {
		return
	}
	if w == nil {
		m.out.Report(sdk.Info, o, nil, "config %q no longer renders it; it is removed, with what people and later functions changed in it",
			m.Config)
		return
	}
	m.out.Report(sdk.Info, o, nil, "config %q renders it differently now; what people and later functions changed in it is replaced", m.Config)
}
