package correspond

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// StateKind is the kind, in group waybill.dev, of items that hold what was last applied for one owner.
const (
	StateKind       = "SyncState"
	stateGroup      = "waybill.dev"
	stateAPIVersion = stateGroup + "/v1alpha1"
)

// stateOwner says for whom a state item holds states.
type stateOwner struct{ controller, owner string }

// stateItem is one of them, and what becomes of it.
type stateItem struct {
	owner   stateOwner
	pos     int         // in the View's items; -1 for a new one
	object  *krm.Object // nil for a new one
	entries map[string]string
	changes map[string]*string // by entry; nil takes it away
}

// isState reports whether o is a state item.
func isState(o *krm.Object) bool { return o.Is(stateGroup, StateKind) }

// entryName is the entry of one output. It has its type: a Secret and a ConfigMap may share a name.
func entryName(edge string, output Ref) string { return edge + " " + output.String() }

// read gives the state of an entry.
func (s *stateItem) read(entry string) []byte {
	if s == nil || s.object == nil {
		return nil
	}
	if s.entries == nil {
		s.entries = map[string]string{}
		if m := s.object.Lookup("data"); isMap(m) {
			for i := 0; i+1 < len(m.Content); i += 2 {
				s.entries[m.Content[i].Value] = scalarText(m.Content[i+1])
			}
		}
	}
	return []byte(s.entries[entry])
}

// result is the item with its changes; the very same object when there are none, nil when nothing is
// left in it.
func (s *stateItem) result() *krm.Object {
	s.read("")
	kept, changed := maps.Clone(s.entries), false
	if kept == nil {
		kept = map[string]string{}
	}
	for entry, text := range s.changes {
		have, found := kept[entry]
		switch {
		case text == nil && found:
			delete(kept, entry)
			changed = true
		case text != nil && (!found || have != *text):
			kept[entry], changed = *text, true
		}
	}
	switch {
	case !changed:
		return s.object
	case len(kept) == 0:
		return nil
	}
	return s.with(kept)
}

func (s *stateItem) with(entries map[string]string) *krm.Object {
	data := krm.MapNode()
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		data.Content = append(data.Content, krm.StringNode(entry), quoted(entries[entry]))
	}
	if s.object != nil {
		o := s.object.DeepCopy()
		if old := o.Lookup("data"); old != nil {
			fn.KeepForm(old, data)
		}
		krm.SetField(o.Node(), "data", data)
		return o
	}
	return s.fresh(data)
}

// fresh is a new item.
func (s *stateItem) fresh(data *yaml.Node) *krm.Object {
	sum := sha256.Sum256([]byte(s.owner.controller + " " + s.owner.owner))
	short := hex.EncodeToString(sum[:])[:20]
	o := krm.FromNode(krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode(stateAPIVersion),
		krm.StringNode("kind"), krm.StringNode(StateKind),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode("state-"+short)),
		krm.StringNode("data"), data))
	o.SetAnnotation(krm.LocalConfigAnnotation, "true")
	o.SetAnnotation(ControllerAnnotation, s.owner.controller)
	o.SetAnnotation(OwnerAnnotation, s.owner.owner)
	o.SetPath("state/"+s.owner.controller+"/"+short+".yaml", 0)
	return o
}

// lastKnown is what was last applied to an object that is an output of g, or is to be one; nil when nobody knows.
func (r *run) lastKnown(g *group, it *item) []byte {
	if it.group != nil {
		g = it.group
	}
	if g.run.Merge != ThreeWay {
		return nil
	}
	here := []byte(it.object.Annotation(LastKnownAnnotation))
	if g.run.State == InAnnotation && len(here) > 0 {
		return here
	}
	if there := r.stored(g, it.ref); len(there) > 0 {
		return there
	}
	if len(here) > 0 {
		return here
	}
	return nil
}

// stored is what the ledger or a state item says was last applied.
func (r *run) stored(g *group, output Ref) []byte {
	if r.view.LastKnown != nil {
		return r.view.LastKnown(g.Controller, g.Owner, g.Edge, output)
	}
	return r.states[stateOwner{g.Controller, g.Owner}].read(entryName(g.Edge, output))
}

// note has the state items say what a change leads to.
func (r *run) note(g *group, c *change) {
	if r.view.LastKnown != nil || g.run.Merge != ThreeWay {
		return
	}
	gone := c.action == ActionDelete || c.action == ActionOrphan
	if c.old != nil && c.old.group != nil && (gone || c.action == ActionRetag) {
		r.setState(c.old.group, c.ref, nil)
	}
	switch {
	case gone || c.state == nil:
	case c.inItem:
		text := string(c.state)
		r.setState(g, c.ref, &text)
	default:
		r.setState(g, c.ref, nil)
	}
}

// setState sets an entry, or takes it away. An item that is not there is made for an entry only.
func (r *run) setState(g *group, output Ref, text *string) {
	owner := stateOwner{g.Controller, g.Owner}
	s := r.states[owner]
	if s == nil {
		if text == nil {
			return
		}
		s = &stateItem{owner: owner, pos: -1}
		r.states[owner] = s
	}
	if s.changes == nil {
		s.changes = map[string]*string{}
	}
	s.changes[entryName(g.Edge, output)] = text
}
