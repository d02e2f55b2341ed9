package merge

import (
	"bytes"
	"fmt"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/schema"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// resources merges one file of objects.
type resources struct {
	file      string
	prefer    Prefer
	types     func(*krm.Object) *schema.Type
	out       []*document
	changed   bool // out is not what ours was
	conflicts []Conflict
}

// merge returns the file that comes of the three, nil for none.
func (r *resources) merge(v versions) (*pkgtree.Blob, error) {
	ourDocs, inOurs, err := r.read(v, ours)
	if err != nil {
		return nil, err
	}
	if same(v.base, v.theirs) && !holdsNull(ourDocs) {
		r.out = ourDocs
		return r.blob(v)
	}
	theirDocs, inTheirs, err := r.read(v, theirs)
	if err != nil {
		return nil, err
	}
	if v.base == nil && v.ours == nil {
		return marks(r.file, v.theirs)
	}
	baseDocs, inBase, err := r.read(v, base)
	if err != nil {
		return nil, err
	}
	for _, d := range r.headed(baseDocs, theirDocs, ourDocs) {
		if d.object == nil {
			r.out = append(r.out, d)
			continue
		}
		r.one(inBase[d.id], inTheirs[d.id], d)
	}
	for _, d := range theirDocs {
		if d.object != nil && inOurs[d.id] == nil {
			r.one(inBase[d.id], d, nil)
		}
	}
	return r.blob(v)
}

// headed is ours with the header of theirs, a first document without an object, if only they changed it.
func (r *resources) headed(o, u, l []*document) []*document {
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
func headerOf(docs []*document) []byte {
	if len(docs) == 0 || docs[0].object != nil {
		return nil
	}
	return docs[0].text
}

// read reads one of the three and indexes its objects.
func (r *resources) read(v versions, s side) ([]*document, map[identity]*document, error) {
	docs, err := readDocuments(r.file, v.of(s))
	if err != nil {
		return nil, nil, err
	}
	by, err := index(r.file, s, docs)
	return docs, by, err
}

// holdsNull reports whether a null might take out a field.
func holdsNull(docs []*document) bool {
	var holds func(*yaml.Node) bool
	holds = func(n *yaml.Node) bool { return isNull(n) || slices.ContainsFunc(n.Content, holds) }
	return slices.ContainsFunc(docs, func(d *document) bool { return d.object != nil && holds(d.object.Node()) })
}

// blob is the file of what is left: the bytes of ours where these say it already.
func (r *resources) blob(v versions) (*pkgtree.Blob, error) {
	for _, d := range r.out {
		r.changed = r.changed || d.unmarked
	}
	if !r.changed {
		return v.ours, nil
	}
	if !slices.ContainsFunc(r.out, func(d *document) bool { return d.object != nil }) {
		return nil, nil
	}
	data, err := fileOf(r.out)
	if err != nil {
		return nil, err
	}
	return pkgtree.NewBlob(data), nil
}

// one decides on one object; o, u and l are nil where it is not.
func (r *resources) one(o, u, l *document) {
	switch {
	case u != nil && l != nil:
		r.fields(o, u, l)
	case u == nil && l != nil && o == nil:
		r.out = append(r.out, l)
	case u != nil && l == nil && o == nil:
		r.keep(u)
	case u == nil && l != nil && krm.Same(o.object, l.object):
		r.changed = true // deleted upstream
	case u == nil && l != nil:
		r.out = append(r.out, l)
		r.lost(l, "", changed, chosenOurs)
	case u != nil && !krm.Same(o.object, u.object): // deleted here, changed upstream
		r.lost(u, changed, "", "")
	}
}

func (r *resources) keep(d *document) {
	r.out, r.changed = append(r.out, d), true
}

// lost records that one side deleted what the other changed.
func (r *resources) lost(d *document, theirsDid, oursDid, chosen string) {
	c := wholeConflict(true, theirsDid, oursDid)
	if c.Object = d.object.ID(); r.prefer != Fail {
		c.Chosen = word(chosen)
	}
	r.conflicts = append(r.conflicts, c)
}

// fields merges an object that both sides have.
func (r *resources) fields(o, u, l *document) {
	var before *yaml.Node
	all := []*krm.Object{u.object, l.object}
	if o != nil {
		o.object.ExpandAliases()
		before, all = o.object.Node(), append(all, o.object)
	}
	u.object.ExpandAliases()
	aliased := l.object.ExpandAliases()
	if hasHeader(l.text) {
		shareHeader(before, u.object.Node(), l.object.Node())
	}
	m := merger{prefer: r.prefer, hide: hiding(all...)}
	m.value(r.typeOf(l, u), before, u.object.Node(), l.object.Node())
	for i := range m.conflicts {
		m.conflicts[i].Object = l.object.ID()
	}
	r.conflicts = append(r.conflicts, m.conflicts...)
	if r.out = append(r.out, l); m.changed || aliased && l.unmarked {
		l.text, r.changed = nil, true
	}
}

// typeOf is the type of the first of the documents of whose type anything is known.
func (r *resources) typeOf(docs ...*document) *schema.Type {
	for _, d := range docs {
		if t := r.types(d.object); t != nil {
			return t
		}
	}
	return nil
}

// hasHeader reports whether a document begins with a comment that a blank line sets apart: it is about
// the file, and each side has its own.
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

// index finds documents by identity.
func index(file string, whose side, docs []*document) (map[identity]*document, error) {
	out := make(map[identity]*document, len(docs))
	for _, d := range docs {
		if d.object == nil {
			continue
		}
		if out[d.id] != nil {
			return nil, fmt.Errorf("found duplicate %q resources in file %q, please refer to \"update\" documentation for the fix: "+
				"%s is there twice",
				whose, file, d.object.Title())
		}
		out[d.id] = d
	}
	return out, nil
}
