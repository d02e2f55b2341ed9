package applyset

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// MaxAnnotationState is the largest state in an annotation, in bytes.
const MaxAnnotationState = 64 << 10

// stateOf is the state that records root, an object without system fields: canonical JSON, with hashes in place of the
// values of a secret.
func stateOf(root *yaml.Node, secret bool) ([]byte, error) {
	if secret {
		root = threeway.Redacted(root)
	}
	return krm.CanonicalJSON(root)
}

// readState parses a state; nil when it is missing or invalid.
func readState(text []byte) *yaml.Node {
	if len(text) == 0 || !json.Valid(text) {
		return nil
	}
	n, err := krm.NodeOf(json.RawMessage(text))
	if err != nil || !krm.IsMap(n) {
		return nil
	}
	threeway.RemoveSystemFields(n) // another client may have written it: keep only content
	return n
}

// lastKnown is what was last applied to an object that is, or becomes, an output of g; nil when it is not known.
func (p *planner) lastKnown(g *group, it *item) []byte {
	if it.group != nil {
		g = it.group
	}
	if g.edge.Merge != ThreeWay {
		return nil
	}
	here := []byte(it.object.Annotation(LastKnownAnnotation))
	if g.edge.State == InAnnotation && len(here) > 0 {
		return here
	}
	if there := p.storedState(g, it.ref); len(there) > 0 {
		return there
	}
	if len(here) > 0 {
		return here
	}
	return nil
}

// storedState is what the caller's store or a state item holds as last applied.
func (p *planner) storedState(g *group, output Ref) []byte {
	if p.view.LastKnown != nil {
		return p.view.LastKnown(g.Controller, g.Owner, g.Edge, output)
	}
	return p.states[stateOwner{g.Controller, g.Owner}].read(entryName(g.Edge, output))
}

// recordState stores the state of a change in the state items.
func (p *planner) recordState(g *group, c *change) {
	if p.view.LastKnown != nil || g.edge.Merge != ThreeWay {
		return
	}
	gone := c.action.removes()
	if c.old != nil && c.old.group != nil && (gone || c.action == ActionRelabel) {
		p.setState(c.old.group, c.ref, "")
	}
	switch {
	case gone || c.state == nil:
	case c.inItem:
		p.setState(g, c.ref, string(c.state))
	default:
		p.setState(g, c.ref, "")
	}
}

// setState sets an entry, or removes it if the text is "". It creates a missing item only to set an entry.
func (p *planner) setState(g *group, output Ref, text string) {
	owner := stateOwner{g.Controller, g.Owner}
	s := p.states[owner]
	if s == nil {
		if text == "" {
			return
		}
		s = &stateItem{owner: owner, pos: -1, changes: map[string]string{}}
		p.states[owner] = s
	}
	s.changes[entryName(g.Edge, output)] = text
}

// StateKind is the kind, in group waybill.dev, of items that hold what was last applied for one owner.
const (
	StateKind       = "SyncState"
	stateGroup      = "waybill.dev"
	stateAPIVersion = stateGroup + "/v1alpha1"
)

// stateOwner identifies a state item.
type stateOwner struct{ controller, owner string }

// stateItem is a state item and its changes.
type stateItem struct {
	owner   stateOwner
	pos     int         // in the View's items; -1 for a new one
	object  *krm.Object // nil for a new object
	entries map[string]string
	changes map[string]string // by entry; "" removes it
}

// isState reports whether o is a state item.
func isState(o *krm.Object) bool { return o.Is(stateGroup, StateKind) }

// entryName is the name of the entry of one output. It includes the type: a Secret and a ConfigMap may share a name.
func entryName(edge string, output Ref) string { return edge + " " + output.String() }

// read returns the state of an entry.
func (s *stateItem) read(entry string) []byte {
	if s == nil || s.object == nil {
		return nil
	}
	if s.entries == nil {
		s.entries = map[string]string{}
		if m := s.object.Lookup("data"); krm.IsMap(m) {
			for i := 0; i+1 < len(m.Content); i += 2 {
				s.entries[m.Content[i].Value] = threeway.ScalarText(m.Content[i+1])
			}
		}
	}
	return []byte(s.entries[entry])
}

// result is the item after its changes: the identical object when nothing changed, nil when no entry is left.
func (s *stateItem) result() *krm.Object {
	s.read("")
	kept := map[string]string{}
	maps.Copy(kept, s.entries)
	for entry, text := range s.changes {
		if delete(kept, entry); text != "" {
			kept[entry] = text
		}
	}
	switch {
	case maps.Equal(kept, s.entries):
		return s.object
	case len(kept) == 0:
		return nil
	}
	return s.withEntries(kept)
}

func (s *stateItem) withEntries(entries map[string]string) *krm.Object {
	data := krm.MapNode()
	for _, entry := range slices.Sorted(maps.Keys(entries)) {
		data.Content = append(data.Content, krm.StringNode(entry), threeway.Quoted(entries[entry]))
	}
	if s.object != nil {
		o := s.object.DeepCopy()
		if old := o.Lookup("data"); old != nil {
			fn.KeepForm(old, data)
		}
		krm.SetField(o.Node(), "data", data)
		return o
	}
	return s.newObject(data)
}

// newObject creates a state item.
func (s *stateItem) newObject(data *yaml.Node) *krm.Object {
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
