package correspond

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// MergeOptions say how three versions become one. The zero value asserts what is desired and merges
// lists of named items by name.
type MergeOptions struct {
	// Tolerate leaves alone what is desired as it was the last time.
	Tolerate bool
	// WholeLists makes every list one value.
	WholeLists bool
}

// ThreeWayMerge is observed with what desired says: what last has and desired has not goes, what only
// observed has stays. A change of type replaces a value; a null makes a map lose what last has. Lists
// of maps that share a name in all versions are merged item by item, observed items first, unless a
// name is there twice. last may be nil. The result is observed itself where nothing changes; else it
// shares nodes with both. Nothing is changed but the comments and quotes of desired, which take
// after observed.
func ThreeWayMerge(observed, last, desired *yaml.Node, opts MergeOptions) *yaml.Node {
	m := merger{MergeOptions: opts}
	return m.value(observed, last, desired, "")
}

// merger merges one object.
type merger struct {
	MergeOptions
	hashed bool // last has hashes for values
}

// value merges one value; at is the place it stands in, where that matters. No o means that observed
// lacks it, and no result that it stays so.
func (m *merger) value(o, l, d *yaml.Node, at string) *yaml.Node {
	o, l, d = krm.Deref(o), krm.Deref(l), krm.Deref(d)
	if m.Tolerate && l != nil && m.asBefore(d, l) {
		return o
	}
	switch {
	case isMap(d) && isMap(o):
		return m.fields(o, mapOrNil(l), d, at)
	case isMap(d) && o == nil && m.Tolerate && isMap(l):
		return m.fields(krm.MapNode(), l, d, at)
	case isMap(o) && isNull(d):
		return m.fields(o, mapOrNil(l), krm.MapNode(), at)
	case isList(d) && isList(o):
		return m.list(o, l, d, at)
	case sameData(o, d):
		return o
	}
	return inForm(o, d)
}

// fields merges two maps.
func (m *merger) fields(o, l, d *yaml.Node, at string) *yaml.Node {
	inO, inL, inD := fieldsOf(o), fieldsOf(l), fieldsOf(d)
	kept, changed := make([]*yaml.Node, 0, max(len(o.Content), len(d.Content))), false
	for i := 0; i+1 < len(o.Content); i += 2 {
		name, have := o.Content[i].Value, o.Content[i+1]
		want, was := inD.get(name), inL.get(name)
		if want == nil && was != nil {
			changed = true
			continue
		}
		if want != nil {
			if v := m.value(have, was, want, below(at, name)); v != krm.Deref(have) {
				have, changed = v, true
			}
		}
		kept = append(kept, o.Content[i], have)
	}
	for i := 0; i+1 < len(d.Content); i += 2 {
		name := d.Content[i].Value
		if inO.get(name) != nil {
			continue
		}
		if v := m.value(nil, inL.get(name), d.Content[i+1], below(at, name)); v != nil {
			kept, changed = append(kept, d.Content[i], v), true
		}
	}
	if !changed {
		return o
	}
	return withContent(o, kept)
}

// asBefore reports whether d says what l did.
func (m *merger) asBefore(d, l *yaml.Node) bool {
	d, l = krm.Deref(d), krm.Deref(l)
	if m.hashed && d.Kind == yaml.ScalarNode && l.Kind == yaml.ScalarNode && l.Value == hashOf(d) {
		return true
	}
	return sameBy(d, l, m.asBefore, sameScalar)
}

// withContent is n with other content. It is a new node without an anchor.
func withContent(n *yaml.Node, content []*yaml.Node) *yaml.Node {
	c := *n
	c.Content, c.Anchor = content, ""
	if len(n.Content) == 0 { // what is empty is written in braces
		c.Style &^= yaml.FlowStyle
	}
	return &c
}

// inForm is d with the comments, quotes and order of fields of o, in whose place it comes.
func inForm(o, d *yaml.Node) *yaml.Node {
	if o == nil {
		return d
	}
	fn.KeepForm(o, d)
	quotes := yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle
	if o.Kind == yaml.ScalarNode && d.Kind == yaml.ScalarNode && d.ShortTag() == yaml.NodeTagString && o.Style&quotes != 0 {
		d.Style = o.Style & quotes
	}
	return d
}

// below names the few places where lists merge in a way of their own.
func below(at, name string) string {
	switch {
	case at == "" && name == "metadata":
		return name
	case at == "metadata" && name == "finalizers":
		return atFinalizers
	case at == "metadata" && name == "ownerReferences":
		return atOwnerReferences
	}
	return elsewhere
}

const (
	atFinalizers      = "metadata.finalizers"
	atOwnerReferences = "metadata.ownerReferences"
	elsewhere         = "-"
)
