// Package threeway merges YAML nodes of Kubernetes objects three ways: the object as it is, what was last applied to it, and
// what it should be.
//
// Shape: Merge(observed, last, desired, Options) gives a node; Replace needs no last. Other functions compare, copy and hash
// nodes, and edit metadata.
// Cost: linear in the three versions.
// Errors: none; data of an unexpected type replaces what is there.
// Source: kubectl's three-way merge patch and strategic merge keys.
package threeway

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Options control the merge. The zero value asserts the desired version and merges lists of named items by name.
type Options struct {
	// Tolerate ignores desired values that did not change since the last time.
	Tolerate bool
	// WholeLists makes every list one value.
	WholeLists bool
	// Hashed says that last holds hashes in place of values, as it does for a Secret.
	Hashed bool
}

// Merge changes observed to what desired says. It removes what last has and desired lacks, and keeps what only observed
// has. A change of type replaces a value; a null removes from a map what last has. Lists of maps that share a name in all
// versions merge item by item, observed items first, unless one list has a name twice. last may be nil. The result is
// observed itself where nothing changes; else it shares nodes with both. Merge edits nothing but the comments and quotes
// of desired, which it takes from observed.
func Merge(observed, last, desired *yaml.Node, opts Options) *yaml.Node {
	return (&merger{opts}).value(observed, last, desired, "")
}

// merger merges one object.
type merger struct{ Options }

// value merges one value of observed (o), last (l) and desired (d). at names the field where lists merge in a special way.
// A nil o means that observed lacks the value, a nil result that the value stays absent.
func (m *merger) value(o, l, d *yaml.Node, at string) *yaml.Node {
	o, l, d = krm.Deref(o), krm.Deref(l), krm.Deref(d)
	if m.Tolerate && l != nil && m.asBefore(d, l) {
		return o
	}
	switch {
	case krm.IsMap(d) && krm.IsMap(o):
		return m.fields(o, mapOrNil(l), d, at)
	case krm.IsMap(d) && o == nil && m.Tolerate && krm.IsMap(l):
		return m.fields(krm.MapNode(), l, d, at)
	case krm.IsMap(o) && krm.IsNull(d):
		return m.fields(o, mapOrNil(l), krm.MapNode(), at)
	case krm.IsList(d) && krm.IsList(o):
		return m.list(o, l, d, at)
	case sameData(o, d):
		return o
	}
	return KeepForm(o, d)
}

// fields merges two maps.
func (m *merger) fields(o, l, d *yaml.Node, at string) *yaml.Node {
	inO, inL, inD := fieldsOf(o), fieldsOf(l), fieldsOf(d)
	kept, changed := make([]*yaml.Node, 0, max(len(o.Content), len(d.Content))), false
	for i := 0; i+1 < len(o.Content); i += 2 {
		name, have := o.Content[i].Value, o.Content[i+1]
		want, was := inD.Get(name), inL.Get(name)
		if want == nil && was != nil {
			changed = true
			continue
		}
		if want != nil {
			if v := m.value(have, was, want, listPath(at, name)); v != krm.Deref(have) {
				have, changed = v, true
			}
		}
		kept = append(kept, o.Content[i], have)
	}
	for i := 0; i+1 < len(d.Content); i += 2 {
		name := d.Content[i].Value
		if inO.Get(name) != nil {
			continue
		}
		if v := m.value(nil, inL.Get(name), d.Content[i+1], listPath(at, name)); v != nil {
			kept, changed = append(kept, d.Content[i], v), true
		}
	}
	if !changed {
		return o
	}
	return withContent(o, kept)
}

// asBefore reports whether d equals l.
func (m *merger) asBefore(d, l *yaml.Node) bool {
	d, l = krm.Deref(d), krm.Deref(l)
	if m.Hashed && d.Kind == yaml.ScalarNode && l.Kind == yaml.ScalarNode && l.Value == hash(d) {
		return true
	}
	return sameBy(d, l, m.asBefore)
}

// withContent is n with other content. It is a new node without an anchor.
func withContent(n *yaml.Node, content []*yaml.Node) *yaml.Node {
	c := *n
	c.Content, c.Anchor = content, ""
	if len(n.Content) == 0 { // an empty node is in flow style
		c.Style &^= yaml.FlowStyle
	}
	return &c
}

// KeepForm gives d the comments, quotes and field order of o, which it replaces.
func KeepForm(o, d *yaml.Node) *yaml.Node {
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

// listPath names the few fields where lists merge in a special way.
func listPath(at, name string) string {
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
