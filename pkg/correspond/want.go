package correspond

import (
	"bytes"
	"errors"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// want is one wanted output, ready to be compared with what there is.
type want struct {
	e      *edgeRun
	it     *item // nil for a new one
	file   string
	ref    Ref
	reason Reason
	root   *yaml.Node // with tags
	state  []byte     // nil when none is kept
	inItem bool
	last   []byte
	update Update
	// adopted is how the object came to be an output, if it was there before: Preserve or Converge.
	adopted string
}

// want makes d ready: its tags, and its state where one is kept.
func (r *run) want(g *group, d desired, it *item, reason Reason) (*want, error) {
	w := &want{e: g.run, it: it, ref: d.ref, file: d.file, root: d.root, reason: reason, update: g.run.updateOf(d.ref.ID)}
	more := map[string]string{}
	if w.adopted = r.adoptedAs(g, it, reason); w.adopted != "" {
		more[AdoptedAnnotation] = w.adopted
	}
	if w.e.Merge == ThreeWay {
		state, err := stateOf(markedAs(w.adopted, d.root), w.e.isSecret(d.ref.ID))
		if err != nil && g.discreet {
			err = errors.New("an output has no JSON form")
		}
		if err != nil {
			return nil, err
		}
		w.state, w.inItem = state, w.e.State == InItem || len(state) > MaxAnnotationState
		if !w.inItem && !w.onlyTags() {
			more[LastKnownAnnotation] = string(state)
		}
	}
	if it != nil {
		w.last = r.lastKnown(g, it)
	}
	w.e.stamp(w.root, g, more)
	if r.view.Live && w.adopted == "" { // what was there before does not go with its owner
		refer(w.root, g, d.ref.ID)
	}
	return w, nil
}

func (e *edgeRun) updateOf(id krm.ID) Update {
	if e.UpdateOf != nil {
		return e.UpdateOf(id)
	}
	return e.Update
}

// onlyTags reports whether the object is to get tags and no content that a state could speak of.
func (w *want) onlyTags() bool {
	return w.it != nil && w.update == OnDelete && !w.preserves()
}

func (w *want) preserves() bool { return w.reason == ReasonAdopted && w.e.Adopt == Preserve }

// create is the change that makes a new object.
func (w *want) create() *change {
	c := w.plainChange(ActionCreate, ReasonNew)
	c.object = krm.FromNode(w.root)
	return c
}

func (w *want) plainChange(action Action, reason Reason) *change {
	return &change{
		action: action, reason: reason, ref: w.ref, old: w.it, file: w.file,
		last: w.last, state: w.state, inItem: w.inItem,
	}
}

// change is what makes the existing object what is wanted; nil when it is that.
func (w *want) change() *change {
	c := w.plainChange(w.action(), w.reason)
	if w.reason == ReasonAdopted {
		c.last, w.last = nil, nil // a state that somebody left there is not of this
	}
	old := w.it.object.Node()
	switch {
	case w.preserves():
		c.become(w.it, w.tagsOnly(old))
		return c
	case w.update == OnDelete:
		return w.onDelete(c, old)
	}
	last := readState(w.last, w.e.WithStatus)
	c.lost = w.e.Merge == ThreeWay && last == nil && w.reason != ReasonAdopted
	root := w.merged(old, last)
	if root == old && w.reason == ReasonChanged {
		return c.onlyState()
	}
	if w.update == Recreate && root != old && c.action == ActionUpdate && w.adopted == "" {
		c.action, root = ActionRecreate, w.afresh(old)
	}
	c.become(w.it, root)
	return c
}

func (w *want) action() Action {
	switch w.reason {
	case ReasonAdopted:
		return ActionAdopt
	case ReasonMoved:
		return ActionRetag
	}
	return ActionUpdate
}

// become makes root, which may share nodes with the object there is, the change's object.
func (c *change) become(it *item, root *yaml.Node) {
	if root == it.object.Node() {
		c.object = it.object
		return
	}
	c.object = it.object.DeepCopy().WithRoot(krm.CopyNode(krm.SelfContained(root)))
}

// onlyState is the change for an object that is as it should be: that of its state, if one is kept
// elsewhere.
func (c *change) onlyState() *change {
	if !c.inItem || bytes.Equal(c.last, c.state) {
		return nil
	}
	c.action, c.quiet, c.object = ActionKeep, true, c.old.object
	if c.lost {
		c.reason = ReasonStateLost
	}
	return c
}

// merged is what the existing object becomes; old itself when that is what is wanted.
func (w *want) merged(old, last *yaml.Node) *yaml.Node {
	if w.e.Merge == Replace {
		return w.replaced(old)
	}
	m := merger{hashed: w.e.isSecret(w.ref.ID), MergeOptions: MergeOptions{
		Tolerate:   w.e.Drift == Tolerate || w.adopted == adoptions[Preserve],
		WholeLists: w.e.WholeLists,
	}}
	if w.inItem && w.update != OnDelete && w.it.object.HasAnnotation(LastKnownAnnotation) {
		last = forgetting(last)
	}
	return m.value(old, last, w.root, "")
}

// forgetting is last, which is ours, with a state in an annotation, so that this goes.
func forgetting(last *yaml.Node) *yaml.Node {
	if last == nil {
		last = krm.MapNode()
	}
	if !isMap(krm.Lookup(last, "metadata")) {
		krm.SetField(last, "metadata", krm.MapNode())
	}
	setIn(last, "annotations", LastKnownAnnotation, quoted(""))
	return last
}
