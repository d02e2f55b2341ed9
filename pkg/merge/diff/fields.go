package diff

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
)

// objects lists the changes of one object.
func (c *comparison) objects(o objectPair) []Change {
	if bytes.Equal(o.from.Text, o.to.Text) {
		return nil
	}
	o.from.strip()
	o.to.strip()
	from, to := o.from.Object, o.to.Object
	w := walk{object: o.to.change(Changed)}
	var t typePair
	if document.IsKptfile(o.to.file) {
		t.to = w.KptfileType(nil, from.Node(), to.Node())
		t.from = t.to
	} else {
		t = c.typesOf(from, to)
	}
	w.Hide = object.Redacted(from, to)
	w.value(t, from.Node(), to.Node())
	return w.changes
}

// walk finds the fields of one object that differ. It identifies items of lists and hides values as a Merger
// does.
type walk struct {
	object.Merger
	object  Change // of the object as a whole
	changes []Change
}

func (w *walk) value(t typePair, from, to *yaml.Node) {
	switch {
	case from == nil || to == nil:
		w.record(from, to)
	case krm.IsMap(from) && krm.IsMap(to):
		w.fields(t, from, to)
	case krm.IsList(from) && krm.IsList(to):
		w.list(t, from, to)
	case !object.Equal(from, to):
		w.record(from, to)
	}
}

// record records a change of the current place.
func (w *walk) record(from, to *yaml.Node) {
	c := w.object
	c.Field, c.Kind = w.At.String(), kindOf(from != nil, to != nil)
	c.From, c.To = w.Text(from), w.Text(to)
	if c.Kind == Changed && *c.From == *c.To && *c.From != object.Hidden {
		c.From, c.To = differingParts(from, to)
	}
	w.changes = append(w.changes, c)
}

// descend compares one field or item.
func (w *walk) descend(name string, t typePair, from, to *yaml.Node) {
	w.At = append(w.At, name)
	w.value(t, from, to)
	w.At = w.At[:len(w.At)-1]
}

func (w *walk) fields(t typePair, from, to *yaml.Node) {
	inFrom, inTo := object.IndexFields(from), object.IndexFields(to)
	for i := 0; i+1 < len(from.Content); i += 2 {
		name := from.Content[i].Value
		_, v := inTo.Field(name, i)
		w.descend(name, t.field(name), from.Content[i+1], v)
	}
	for i := 0; i+1 < len(to.Content); i += 2 {
		name := to.Content[i].Value
		if key, _ := inFrom.Field(name, i); key == nil {
			w.descend(name, t.field(name), nil, to.Content[i+1])
		}
	}
}

func (w *walk) list(t typePair, from, to *yaml.Node) {
	by := w.keys(t, from, to)
	if by == nil {
		if !object.Equal(from, to) {
			w.record(from, to)
		}
		return
	}
	inFrom, inTo := by.ByName(from), by.ByName(to)
	for _, n := range from.Content {
		values := by.Values(n)
		w.descend(object.Item(by.Keys, values), t.items(), n, inTo[strings.Join(values, "\x00")])
	}
	for _, n := range to.Content {
		values := by.Values(n)
		if inFrom[strings.Join(values, "\x00")] == nil {
			w.descend(object.Item(by.Keys, values), t.items(), nil, n)
		}
	}
	if before, after := by.Shared(from, inTo), by.Shared(to, inFrom); by.Ordered && !object.Equal(before, after) {
		w.record(before, after)
		w.changes[len(w.changes)-1].Kind = Moved
	}
}

// keys says how the items of two lists are identified, if either tree knows. If the trees disagree, the choice
// does not depend on which of them comes first.
func (w *walk) keys(t typePair, from, to *yaml.Node) *object.Keying {
	a, b := w.KeysFor(t.from, from, to), w.KeysFor(t.to, from, to)
	if a == nil || b != nil && strings.Join(b.Keys, " ") < strings.Join(a.Keys, " ") {
		return b
	}
	return a
}
