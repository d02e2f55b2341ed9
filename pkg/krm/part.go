package krm

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Part is o without the outermost fields for which holds reports false. It shares its nodes with o. It is
// o itself when an alias in one field may refer to another field.
func (o *Object) Part(holds func(field string) bool) *Object {
	if !o.anchorless {
		return o
	}
	return o.WithRoot(withFields(o.Node(), holds))
}

// KeepHead drops all of o but its type and metadata, and a lazy field, which is no nodes. It serves a caller that only asks whether o was
// read and what it is called.
func (o *Object) KeepHead() {
	if o.rest == nil {
		o.doc.Content[0] = withFields(o.Node(), func(field string) bool {
			return field == "apiVersion" || field == "kind" || field == "metadata"
		})
	}
}

// withFields is a mapping with those of its fields that holds reports true for.
func withFields(n *yaml.Node, holds func(field string) bool) *yaml.Node {
	part := *n
	part.Content = make([]*yaml.Node, 0, len(n.Content))
	for key, value := range Fields(n) {
		if holds(key.Value) {
			part.Content = append(part.Content, key, value)
		}
	}
	return &part
}

// WithPart is part, an edited copy of o.Part(holds), with the fields of o that Part left out, each in its
// place. Fields that only part has come last.
func (o *Object) WithPart(part *Object, holds func(field string) bool) *Object {
	all, edited := o.Node(), part.Node()
	fields := make(map[string][]*yaml.Node, len(edited.Content)/2)
	for i := 0; i+1 < len(edited.Content); i += 2 {
		fields[edited.Content[i].Value] = edited.Content[i : i+2]
	}
	root := *all
	root.Content = make([]*yaml.Node, 0, len(all.Content)+2)
	for i := 0; i+1 < len(all.Content); i += 2 {
		field := all.Content[i : i+2]
		if name := field[0].Value; holds(name) {
			field = fields[name]
			delete(fields, name)
		}
		root.Content = append(root.Content, field...)
	}
	for key := range Fields(edited) {
		root.Content = append(root.Content, fields[key.Value]...)
	}
	c := part.WithRoot(&root)
	c.anchorless = o.anchorless
	return c
}
