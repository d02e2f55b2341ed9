package applyset

import (
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

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
	changes map[string]*string // by entry; nil removes it
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
	return s.withEntries(kept)
}

func (s *stateItem) withEntries(entries map[string]string) *krm.Object {
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
