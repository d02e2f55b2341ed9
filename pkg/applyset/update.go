package applyset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/applyset/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// replaced is old with all top-level fields of the desired object.
func (w *target) replaced(old *yaml.Node) *yaml.Node {
	inWanted, inOld := threeway.FieldsOf(w.root), threeway.FieldsOf(old)
	kept, changed := make([]*yaml.Node, 0, len(old.Content)), false
	for i := 0; i+1 < len(old.Content); i += 2 {
		name, have := old.Content[i].Value, old.Content[i+1]
		v := inWanted.Get(name)
		switch {
		case v == nil && owns(w.edge.OwnFields, name):
			changed = true
			continue
		case v == nil:
		case name == "metadata":
			v = threeway.MergeMetadata(have, w.ownNames(have), v)
			changed, have = changed || v != krm.Deref(have), v
		case !threeway.SameData(have, v):
			changed, have = true, threeway.KeepForm(krm.Deref(have), v)
		}
		kept = append(kept, old.Content[i], have)
	}
	for i := 0; i+1 < len(w.root.Content); i += 2 {
		if inOld.Get(w.root.Content[i].Value) == nil {
			kept, changed = append(kept, w.root.Content[i], w.root.Content[i+1]), true
		}
	}
	if !changed {
		return old
	}
	return threeway.WithContent(old, kept)
}

func owns(fields []string, name string) bool {
	for _, f := range fields {
		if f == name {
			return true
		}
	}
	return false
}

// ownNames is a metadata with the labels, annotations and owner references of have that belong to the edge, as if they had
// been applied before.
func (w *target) ownNames(have *yaml.Node) *yaml.Node {
	own := krm.MapNode()
	for _, field := range []string{"labels", "annotations"} {
		m := krm.Lookup(have, field)
		if !krm.IsMap(m) {
			continue
		}
		names := withoutFields(m.Content, func(name string) bool { return !hasPrefix(name, w.edge.OwnNames) })
		own.Content = append(own.Content, krm.StringNode(field), krm.MapNode(names...))
	}
	if refs := krm.Lookup(have, "ownerReferences"); refs != nil && w.edge.OwnReferences {
		own.Content = append(own.Content, krm.StringNode("ownerReferences"), refs)
	}
	return own
}

func hasPrefix(name string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(name, p) && !isReserved(name) {
			return true
		}
	}
	return false
}

// diffOnDelete is the change for an object that is not to be updated: at most that of its tags.
func (w *target) diffOnDelete(c *change, old *yaml.Node) *change {
	c.state, c.inItem = nil, false
	tagged := w.withTagsOnly(old)
	if tagged != old {
		c.setObject(w.existing, tagged)
		return c
	}
	if w.merged(old, readState(w.last, w.edge.WithStatus)) == old {
		return nil
	}
	c.action, c.reason, c.object = ActionKeep, ReasonOnDelete, w.existing.object
	return c
}

// recreated is the desired object as if it were new, with the format and the package's annotations of old.
func (w *target) recreated(old *yaml.Node) *yaml.Node {
	annotations := krm.Lookup(old, "metadata", "annotations")
	for i := 0; krm.IsMap(annotations) && i+1 < len(annotations.Content); i += 2 {
		name := annotations.Content[i].Value
		if krm.BelongsToPackage(name) || name == KeepAnnotation {
			setMetadata(w.root, "annotations", name, threeway.PlainCopy(annotations.Content[i+1]))
		}
	}
	return threeway.KeepForm(old, w.root)
}

// adoptions are the values of AdoptedAnnotation.
var adoptions = map[Adoption]string{Preserve: "Preserve", Converge: "Converge"}

func (e *edgeState) adoptBy() string { return cmp.Or(e.AdoptBy, "allow adoption") }

// adoptedValue is the AdoptedAnnotation that an output gets; "" for an object that Run created.
func (r *planner) adoptedValue(g *group, it *item, why Reason) string {
	switch {
	case it == nil:
		return ""
	case why == ReasonAdopted && (!g.edge.DeleteAdopted || g.edge.Adopt == Preserve):
		return adoptions[g.edge.Adopt]
	}
	return r.adoptionOf(g, it)
}

// adoptionOf reads from the annotation how an output was adopted or, where the annotation is lost, from what was last
// applied; "" for an object that Run created.
func (r *planner) adoptionOf(g *group, it *item) string {
	if how := it.object.Annotation(AdoptedAnnotation); how != "" {
		return how
	}
	last := r.lastKnown(g, it)
	if !bytes.Contains(last, []byte(AdoptedAnnotation)) {
		return ""
	}
	n, err := krm.NodeOf(json.RawMessage(last))
	if err != nil {
		return ""
	}
	return threeway.ScalarText(krm.Lookup(n, "metadata", "annotations", AdoptedAnnotation))
}

// withAdoptedAnnotation is an output as its state stores it: with the AdoptedAnnotation.
func withAdoptedAnnotation(adopted string, root *yaml.Node) *yaml.Node {
	if adopted == "" {
		return root
	}
	root = threeway.PlainCopy(root)
	setMetadata(root, "annotations", AdoptedAnnotation, quoted(adopted))
	return root
}
