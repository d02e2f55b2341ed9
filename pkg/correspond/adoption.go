package correspond

import (
	"bytes"
	"cmp"
	"encoding/json"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/correspond/threeway"
	"github.com/waybill-dev/waybill/pkg/krm"
)

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
