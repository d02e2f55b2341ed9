package applyset

import (
	"bytes"
	"cmp"
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// target is one desired output with its tags and state, ready to be compared with the existing object.
type target struct {
	edge     *edgeState
	existing *item // nil for a new object
	file     string
	ref      Ref
	reason   Reason
	root     *yaml.Node // with tags
	state    []byte     // nil when none is kept
	inItem   bool
	last     []byte
	update   Update
	// adopted is how the object was adopted, if it existed before: Preserve or Converge.
	adopted string
}

// newTarget adds to d its tags, and its state where one is kept.
func (p *planner) newTarget(g *group, d desired, it *item, reason Reason) (*target, error) {
	w := &target{edge: g.edge, existing: it, ref: d.ref, file: d.file, root: d.root, reason: reason}
	if g.edge.UpdateOf != nil {
		w.update = g.edge.UpdateOf(d.ref.ID)
	}
	more := map[string]string{}
	if w.adopted = p.adoptedValue(g, it, reason); w.adopted != "" {
		more[AdoptedAnnotation] = w.adopted
	}
	if w.edge.Merge == ThreeWay {
		state, err := stateOf(withAdoptedAnnotation(w.adopted, d.root), w.edge.isSecret(d.ref.ID))
		if err != nil && g.redact {
			err = errors.New("an output has no JSON form")
		}
		if err != nil {
			return nil, err
		}
		w.state, w.inItem = state, w.edge.State == InItem || len(state) > MaxAnnotationState
		if !w.inItem && !w.onlyTags() {
			more[LastKnownAnnotation] = string(state)
		}
	}
	if it != nil {
		w.last = p.lastKnown(g, it)
	}
	w.edge.setTags(w.root, g, more)
	if p.view.Live && w.adopted == "" { // an adopted object is not deleted with its owner
		addOwnerReference(w.root, g, d.ref.ID)
	}
	return w, nil
}

// onlyTags reports whether the object gets tags and no content that a state could record.
func (t *target) onlyTags() bool {
	return t.existing != nil && t.update == OnDelete && !t.preserves()
}

func (t *target) preserves() bool { return t.reason == ReasonAdopted && t.edge.Adopt == Preserve }

// newObject is the change that creates the object.
func (t *target) newObject() *change {
	c := t.newChange(ActionCreate, ReasonNew)
	c.object = krm.FromNode(t.root)
	return c
}

func (t *target) newChange(action Action, reason Reason) *change {
	return &change{
		action: action, reason: reason, ref: t.ref, old: t.existing, file: t.file,
		last: t.last, state: t.state, inItem: t.inItem,
	}
}

// diff is the change from the existing object to the desired one; nil when they are equal.
func (t *target) diff() *change {
	action := cmp.Or(map[Reason]Action{ReasonAdopted: ActionAdopt, ReasonMoved: ActionRelabel}[t.reason], ActionUpdate)
	c := t.newChange(action, t.reason)
	if t.reason == ReasonAdopted {
		c.last, t.last = nil, nil // a state of another controller does not count
	}
	old := t.existing.object.Node()
	switch {
	case t.preserves():
		c.setObject(t.existing, t.withTagsOnly(old))
		return c
	case t.update == OnDelete:
		return t.diffOnDelete(c, old)
	}
	last := readState(t.last)
	c.lost = t.edge.Merge == ThreeWay && last == nil && t.reason != ReasonAdopted
	root := t.merged(old, last)
	if root == old && t.reason == ReasonChanged {
		return c.stateOnly()
	}
	if t.update == Recreate && root != old && c.action == ActionUpdate && t.adopted == "" {
		c.action, root = ActionRecreate, t.recreated(old)
	}
	c.setObject(t.existing, root)
	return c
}

// setObject sets the object after the change to root, which may share nodes with the existing object.
func (c *change) setObject(it *item, root *yaml.Node) {
	if root == it.object.Node() {
		c.object = it.object
		return
	}
	c.object = it.object.DeepCopy().WithRoot(krm.CopyNode(krm.SelfContained(root)))
}

// stateOnly is the change for an object that is correct: that of its state, if one is kept elsewhere.
func (c *change) stateOnly() *change {
	if !c.inItem || bytes.Equal(c.last, c.state) {
		return nil
	}
	c.action, c.quiet, c.object = ActionKeep, true, c.old.object
	if c.lost {
		c.reason = ReasonStateLost
	}
	return c
}

// merged is the existing object after the merge; old itself when nothing changes.
func (t *target) merged(old, last *yaml.Node) *yaml.Node {
	if t.edge.Merge == Replace {
		return threeway.Replace(old, t.root, threeway.Owned{Fields: t.edge.OwnFields, References: t.edge.OwnReferences,
			Name: func(name string) bool {
				return slices.ContainsFunc(t.edge.OwnNames, func(prefix string) bool { return strings.HasPrefix(name, prefix) })
			}})
	}
	if t.inItem && t.update != OnDelete && t.existing.object.HasAnnotation(LastKnownAnnotation) {
		last = withStateAnnotation(last)
	}
	return threeway.Merge(old, last, t.root, threeway.Options{
		Tolerate:   t.edge.Drift == Tolerate || t.adopted == adoptions[Preserve],
		WholeLists: t.edge.WholeLists,
		Hashed:     t.edge.isSecret(t.ref.ID),
	})
}

// withStateAnnotation adds a state annotation to last, in place, so that the merge removes it from the object.
func withStateAnnotation(last *yaml.Node) *yaml.Node {
	if last == nil {
		last = krm.MapNode()
	}
	threeway.SetMetadata(last, "annotations", LastKnownAnnotation, threeway.Quoted(""))
	return last
}

// diffOnDelete is the change for an object that is not to be updated: at most that of its tags.
func (t *target) diffOnDelete(c *change, old *yaml.Node) *change {
	c.state, c.inItem = nil, false
	tagged := t.withTagsOnly(old)
	if tagged != old {
		c.setObject(t.existing, tagged)
		return c
	}
	if t.merged(old, readState(t.last)) == old {
		return nil
	}
	c.action, c.reason, c.object = ActionKeep, ReasonOnDelete, t.existing.object
	return c
}

// recreated is the desired object as if it were new, with the format and the package's annotations of old.
func (t *target) recreated(old *yaml.Node) *yaml.Node {
	annotations := krm.Lookup(old, "metadata", "annotations")
	for i := 0; krm.IsMap(annotations) && i+1 < len(annotations.Content); i += 2 {
		name := annotations.Content[i].Value
		if krm.BelongsToPackage(name) || name == KeepAnnotation {
			threeway.SetMetadata(t.root, "annotations", name, threeway.PlainCopy(annotations.Content[i+1]))
		}
	}
	return threeway.KeepForm(old, t.root)
}

// withAdoptedAnnotation is an output as its state stores it: with the AdoptedAnnotation.
func withAdoptedAnnotation(adopted string, root *yaml.Node) *yaml.Node {
	if adopted == "" {
		return root
	}
	root = threeway.PlainCopy(root)
	threeway.SetMetadata(root, "annotations", AdoptedAnnotation, threeway.Quoted(adopted))
	return root
}
