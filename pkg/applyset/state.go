package applyset

import (
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// MaxAnnotationState is the largest state in an annotation, in bytes.
const MaxAnnotationState = 64 << 10

func groupKind(id krm.ID) schema.GroupKind { return schema.GroupKind{Group: id.Group, Kind: id.Kind} }

// isSecret reports whether messages and states must not show values of such an object.
func (e *edgeState) isSecret(id krm.ID) bool {
	return id.Group == "" && id.Kind == "Secret" || slices.Contains(e.SecretTypes, groupKind(id))
}

// stateOf is the state that records root, an object without system fields: canonical JSON, with hashes in place of the
// values of a secret.
func stateOf(root *yaml.Node, secret bool) ([]byte, error) {
	if secret {
		root = threeway.Redacted(root)
	}
	return krm.CanonicalJSON(root)
}

// readState parses a state; nil when it is missing or invalid.
func readState(text []byte, withStatus bool) *yaml.Node {
	if len(text) == 0 || !json.Valid(text) {
		return nil
	}
	n, err := krm.NodeOf(json.RawMessage(text))
	if err != nil || !krm.IsMap(n) {
		return nil
	}
	removeSystemFields(n, withStatus) // another client may have written it: keep only content
	return n
}

// seesSecret reports whether the input, the owner or an output of a group is a Secret.
func (g *group) seesSecret() bool {
	is := func(o *krm.Object) bool { return o != nil && g.edge.isSecret(o.ID()) }
	return is(g.Input) || is(g.OwnerObject) || slices.ContainsFunc(g.Outputs, is)
}

// displayName names an output in a message about g. The name of an output that does not exist yet may be the value of a
// secret.
func (r *planner) displayName(g *group, ref Ref) string {
	if g.redact && r.byRef[ref] == nil {
		return "(its name may be secret)"
	}
	return ref.String()
}

// lastKnown is what was last applied to an object that is, or becomes, an output of g; nil when it is not known.
func (r *planner) lastKnown(g *group, it *item) []byte {
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
	if there := r.storedState(g, it.ref); len(there) > 0 {
		return there
	}
	if len(here) > 0 {
		return here
	}
	return nil
}

// storedState is what the caller's store or a state item holds as last applied.
func (r *planner) storedState(g *group, output Ref) []byte {
	if r.view.LastKnown != nil {
		return r.view.LastKnown(g.Controller, g.Owner, g.Edge, output)
	}
	return r.states[stateOwner{g.Controller, g.Owner}].read(entryName(g.Edge, output))
}

// recordState stores the state of a change in the state items.
func (r *planner) recordState(g *group, c *change) {
	if r.view.LastKnown != nil || g.edge.Merge != ThreeWay {
		return
	}
	gone := c.action.removes()
	if c.old != nil && c.old.group != nil && (gone || c.action == ActionRelabel) {
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

// setState sets or removes an entry. It creates a missing item only to set an entry.
func (r *planner) setState(g *group, output Ref, text *string) {
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
