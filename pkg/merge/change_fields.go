package merge

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// objects lists what is different about one object.
func (c *comparison) objects(o twoObjects) []Change {
	if bytes.Equal(o.from.text, o.to.text) {
		return nil
	}
	o.from.strip()
	o.to.strip()
	from, to := o.from.object, o.to.object
	w := walk{object: o.to.change(Changed)}
	var t twoTypes
	if isKptfile(o.to.file) {
		k := kptfileMerge{}
		t.to = k.kptfileType(nil, from.Node(), to.Node())
		t.from, w.merger = t.to, k.merger
	} else {
		t = c.typesOf(from, to)
	}
	w.hide = hiding(from, to)
	w.value(t, from.Node(), to.Node())
	return w.changes
}

// walk finds the fields of one object that differ. It reads lists and hides values as a merger does.
type walk struct {
	merger
	object  Change // as a whole
	changes []Change
}

func (w *walk) value(t twoTypes, from, to *yaml.Node) {
	switch {
	case from == nil || to == nil:
		w.note(from, to)
	case isMap(from) && isMap(to):
		w.fields(t, from, to)
	case isList(from) && isList(to):
		w.list(t, from, to)
	case !equal(from, to):
		w.note(from, to)
	}
}

// note records that the value of a place differs.
func (w *walk) note(from, to *yaml.Node) {
	c := w.object
	c.Field, c.Kind = w.at.String(), kindOf(from != nil, to != nil)
	c.From, c.To = w.text(from), w.text(to)
	if c.Kind == Changed && *c.From == *c.To && *c.From != hidden {
		c.From, c.To = apart(from, to)
	}
	w.changes = append(w.changes, c)
}

// step goes down to one field or item, and back.
func (w *walk) step(name string, t twoTypes, from, to *yaml.Node) {
	w.at = append(w.at, name)
	w.value(t, from, to)
	w.at = w.at[:len(w.at)-1]
}

func (w *walk) fields(t twoTypes, from, to *yaml.Node) {
	inFrom, inTo := lookIn(from), lookIn(to)
	for i := 0; i+1 < len(from.Content); i += 2 {
		name := from.Content[i].Value
		_, v := inTo.field(name, i)
		w.step(name, t.field(name), from.Content[i+1], v)
	}
	for i := 0; i+1 < len(to.Content); i += 2 {
		name := to.Content[i].Value
		if key, _ := inFrom.field(name, i); key == nil {
			w.step(name, t.field(name), nil, to.Content[i+1])
		}
	}
}

func (w *walk) list(t twoTypes, from, to *yaml.Node) {
	by := w.keys(t, from, to)
	if by == nil {
		if !equal(from, to) {
			w.note(from, to)
		}
		return
	}
	inFrom, inTo := by.byName(from), by.byName(to)
	for _, n := range from.Content {
		values := by.values(n)
		w.step(item(by.keys, values), t.items(), n, inTo[strings.Join(values, "\x00")])
	}
	for _, n := range to.Content {
		values := by.values(n)
		if inFrom[strings.Join(values, "\x00")] == nil {
			w.step(item(by.keys, values), t.items(), nil, n)
		}
	}
	if before, after := by.shared(from, inTo), by.shared(to, inFrom); by.steps && !equal(before, after) {
		w.note(before, after)
		w.changes[len(w.changes)-1].Kind = Moved
	}
}

// keys is how the items of two lists are told apart, if either tree knows; if they know it differently,
// it is the same whichever of them comes first.
func (w *walk) keys(t twoTypes, from, to *yaml.Node) *keying {
	a, b := w.keysFor(t.from, from, to), w.keysFor(t.to, from, to)
	if a == nil || b != nil && strings.Join(b.keys, " ") < strings.Join(a.keys, " ") {
		return b
	}
	return a
}
