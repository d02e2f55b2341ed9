package correspond

import (
	"bytes"
	"cmp"
	"encoding/json"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// adoptions are the values of AdoptedAnnotation.
var adoptions = map[Adoption]string{Preserve: "Preserve", Converge: "Converge"}

func (e *edgeRun) adoptBy() string { return cmp.Or(e.AdoptBy, "allow adoption") }

// adoptedAs is the AdoptedAnnotation that an output is to have; "" for one that was made here.
func (r *run) adoptedAs(g *group, it *item, why Reason) string {
	switch {
	case it == nil:
		return ""
	case why == ReasonAdopted && (!g.run.DeleteAdopted || g.run.Adopt == Preserve):
		return adoptions[g.run.Adopt]
	}
	return r.adoption(g, it)
}

// adoption is how an output came to be one, by its annotation or, where that was taken off, by what was last applied;
// "" for one that was made here.
func (r *run) adoption(g *group, it *item) string {
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
	return scalarText(krm.Lookup(n, "metadata", "annotations", AdoptedAnnotation))
}

// markedAs is an output as its state has it: with the AdoptedAnnotation.
func markedAs(adopted string, root *yaml.Node) *yaml.Node {
	if adopted == "" {
		return root
	}
	root = plainCopy(root)
	setIn(root, "annotations", AdoptedAnnotation, quoted(adopted))
	return root
}

// lostTags reports whether an object without all tags is an output that lost some: it holds all of what was last applied
// to the output of that name. Its labels and annotations do not count, as it may have lost any of them.
func (r *run) lostTags(g *group, it *item) bool {
	if g.run.Merge != ThreeWay {
		return false
	}
	last, content := readState(r.stored(g, it.ref), g.run.WithStatus), false
	if last == nil {
		return false
	}
	secret := g.run.isSecret(it.ref.ID)
	for i := 0; i+1 < len(last.Content); i += 2 {
		switch name := last.Content[i].Value; {
		case name == "apiVersion" || name == "kind" || name == "metadata":
		case !holds(krm.Lookup(it.object.Node(), name), last.Content[i+1], secret):
			return false
		default:
			content = true
		}
	}
	return content
}

// holds reports whether everything in want is in have, which may have more. Values of a secret are hashes in want.
func holds(have, want *yaml.Node, secret bool) bool {
	have, want = krm.Deref(have), krm.Deref(want)
	switch {
	case have == nil:
		return false
	case isMap(want) && isMap(have):
		fields := fieldsOf(have)
		for i := 0; i+1 < len(want.Content); i += 2 {
			if !holds(fields.get(want.Content[i].Value), want.Content[i+1], secret) {
				return false
			}
		}
		return true
	case isList(want) && isList(have) && len(want.Content) == len(have.Content):
		for i := range want.Content {
			if !holds(have.Content[i], want.Content[i], secret) {
				return false
			}
		}
		return true
	case secret && have.Kind == yaml.ScalarNode:
		return want.Value == hashOf(have)
	}
	return sameData(have, want)
}
