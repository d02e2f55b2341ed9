package merge

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// resourceFile merges one file of objects.
type resourceFile struct {
	file      string
	prefer    Prefer
	types     func(*krm.Object) *schema.Type
	out       []*document.Document
	displaced *document.Document // our first document, if one of theirs goes before it
	changed   bool               // out is not what ours was
	conflicts []Conflict
}

// merge returns the merged file, nil for none.
func (r *resourceFile) merge(v versions) (*pkgtree.Blob, error) {
	ourDocs, inOurs, err := r.read(v, ours)
	if err != nil {
		return nil, err
	}
	if v.base.Equal(v.theirs) && !holdsNull(ourDocs) {
		r.out = ourDocs
		return r.blob(v)
	}
	theirDocs, inTheirs, err := r.read(v, theirs)
	if err != nil {
		return nil, err
	}
	if v.base == nil && v.ours == nil {
		return document.Mark(r.file, v.theirs)
	}
	baseDocs, inBase, err := r.read(v, base)
	if err != nil {
		return nil, err
	}
	if first := firstObject(theirDocs); first != nil && inOurs[first.ID] == nil && inBase[first.ID] == nil {
		r.displaced = firstObject(ourDocs)
	}
	for _, d := range r.withHeader(baseDocs, theirDocs, ourDocs) {
		if d.Object == nil {
			r.out = append(r.out, d)
			continue
		}
		r.mergeObject(inBase[d.ID], inTheirs[d.ID], d)
	}
	here := r.out
	for _, d := range theirDocs {
		if d.Object != nil && inOurs[d.ID] == nil {
			r.mergeObject(inBase[d.ID], d, nil)
		}
	}
	r.out = place(here, theirDocs, r.out[len(here):])
	return r.blob(v)
}

// firstObject is the first document that holds an object, nil for none.
func firstObject(docs []*document.Document) *document.Document {
	if i := slices.IndexFunc(docs, func(d *document.Document) bool { return d.Object != nil }); i >= 0 {
		return docs[i]
	}
	return nil
}

// withHeader is ours with the header (a first document without an object) of theirs, if only they changed it.
func (r *resourceFile) withHeader(o, u, l []*document.Document) []*document.Document {
	before, after, here := headerOf(o), headerOf(u), headerOf(l)
	if bytes.Equal(before, after) || !bytes.Equal(before, here) {
		return l
	}
	r.changed = true
	if here != nil {
		l = l[1:]
	}
	if after != nil {
		l = slices.Insert(slices.Clone(l), 0, u[0])
	}
	return l
}

// headerOf is the text of a header, nil for none.
func headerOf(docs []*document.Document) []byte {
	if len(docs) == 0 || docs[0].Object != nil {
		return nil
	}
	return docs[0].Text
}

// read reads one of the three and indexes its objects.
func (r *resourceFile) read(v versions, s side) ([]*document.Document, map[document.Identity]*document.Document, error) {
	docs, err := document.ReadMarked(r.file, v.of(s))
	if err != nil {
		return nil, nil, err
	}
	by, err := index(r.file, s, docs)
	return docs, by, err
}

// holdsNull reports whether a null might take out a field.
func holdsNull(docs []*document.Document) bool {
	var holds func(*yaml.Node) bool
	holds = func(n *yaml.Node) bool { return krm.IsNull(n) || slices.ContainsFunc(n.Content, holds) }
	return slices.ContainsFunc(docs, func(d *document.Document) bool { return d.Object != nil && holds(d.Object.Node()) })
}

// blob is the file of what is left; ours if nothing changed.
func (r *resourceFile) blob(v versions) (*pkgtree.Blob, error) {
	for _, d := range r.out {
		r.changed = r.changed || d.Unmarked
	}
	if !r.changed {
		return v.ours, nil
	}
	if !slices.ContainsFunc(r.out, func(d *document.Document) bool { return d.Object != nil }) {
		return nil, nil
	}
	data, err := document.Bytes(r.out)
	if err != nil {
		return nil, err
	}
	return pkgtree.NewBlob(data), nil
}

// mergeObject decides about one object; o, u and l are nil where it does not exist.
func (r *resourceFile) mergeObject(o, u, l *document.Document) {
	switch {
	case u != nil && l != nil:
		r.fields(o, u, l)
	case u == nil && l != nil && o == nil:
		r.out = append(r.out, l)
	case u != nil && l == nil && o == nil:
		r.add(u)
	case u == nil && l != nil && krm.Same(o.Object, l.Object):
		r.changed = true // deleted upstream
	case u == nil && l != nil:
		r.out = append(r.out, l)
		r.recordDeletion(l, "", object.Changed, object.ChosenOurs)
	case u != nil && !krm.Same(o.Object, u.Object): // deleted here, changed upstream
		r.recordDeletion(u, object.Changed, "", "")
	}
}

func (r *resourceFile) add(d *document.Document) {
	r.out, r.changed = append(r.out, d), true
}

// recordDeletion records that one side deleted what the other changed.
func (r *resourceFile) recordDeletion(d *document.Document, theirsDid, oursDid, chosen string) {
	c := object.WholeConflict(true, theirsDid, oursDid)
	if c.Object = d.Object.ID(); r.prefer != object.Fail {
		c.Chosen = object.ValueOf(chosen)
	}
	r.conflicts = append(r.conflicts, c)
}

// fields merges an object that both sides have.
func (r *resourceFile) fields(o, u, l *document.Document) {
	var before *yaml.Node
	all := []*krm.Object{u.Object, l.Object}
	if o != nil {
		o.Object.ExpandAliases()
		before, all = o.Object.Node(), append(all, o.Object)
	}
	u.Object.ExpandAliases()
	aliased := l.Object.ExpandAliases()
	if hasHeader(l.Text) && l != r.displaced {
		shareHeader(before, u.Object.Node(), l.Object.Node())
	}
	m := object.Merger{Prefer: r.prefer, Hide: object.Redacted(all...)}
	m.Value(r.typeOf(l, u), before, u.Object.Node(), l.Object.Node())
	for i := range m.Conflicts {
		m.Conflicts[i].Object = l.Object.ID()
	}
	r.conflicts = append(r.conflicts, m.Conflicts...)
	if r.out = append(r.out, l); m.Changed || aliased && l.Unmarked {
		l.Text, r.changed = nil, true
	}
}

// typeOf is the type of the first document whose type is known.
func (r *resourceFile) typeOf(docs ...*document.Document) *schema.Type {
	for _, d := range docs {
		if t := r.types(d.Object); t != nil {
			return t
		}
	}
	return nil
}

// hasHeader reports whether a document starts with a comment that a blank line separates from the object: it is
// about the file, and each side has its own.
func hasHeader(text []byte) bool {
	comment := false
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 && comment:
			return true
		case len(line) > 0 && line[0] == '#':
			comment = true
		case len(line) > 0 && !bytes.Equal(line, []byte("---")):
			return false
		}
	}
	return false
}

// shareHeader gives base and theirs the header of ours.
func shareHeader(o, u, l *yaml.Node) {
	for _, n := range []*yaml.Node{o, u} {
		if n != nil && len(n.Content) > 0 && len(l.Content) > 0 {
			n.Content[0].HeadComment = l.Content[0].HeadComment
		}
	}
}

// index indexes documents by identity.
func index(file string, whose side, docs []*document.Document) (map[document.Identity]*document.Document, error) {
	out := make(map[document.Identity]*document.Document, len(docs))
	for _, d := range docs {
		if d.Object == nil {
			continue
		}
		if out[d.ID] != nil {
			return nil, fmt.Errorf("found duplicate %q resources in file %q, please refer to \"update\" documentation for the fix: "+
				"%s is there twice",
				whose, file, d.Object.Title())
		}
		out[d.ID] = d
	}
	return out, nil
}
