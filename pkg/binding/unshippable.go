package binding

import (
	"iter"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/transform"
)

// reportUnshippable reports every value of a selected object that JSON cannot hold: no work can hold it,
// and the digest would not be that of the shipped object.
func (r *resolver) reportUnshippable() {
	for e := range r.selected() {
		for _, at := range r.unshippable(e) {
			r.report(sdk.Error, e.Object, at, "JSON cannot hold this value (an infinity, a not-a-number, or a tag that does not fit), "+
				"so the object cannot ship; quote the value if it is text")
		}
	}
}

// selected are the objects that some policy selects, each once.
func (r *resolver) selected() iter.Seq[*match.Candidate] {
	return func(yield func(*match.Candidate) bool) {
		seen := make([]bool, len(r.candidates.All))
		for _, p := range r.policies {
			for _, e := range p.Picks {
				if seen[e.Index] {
					continue
				}
				if seen[e.Index] = true; !yield(e.Candidate) {
					return
				}
			}
		}
	}
}

// unshippable are the paths of such values in the shipped object. It checks the object in the package first, which is cheap: only
// if it finds some there it transforms the object, which may remove them.
func (r *resolver) unshippable(e *match.Candidate) []*field.Path {
	if len(noJSON(nil, e.Object.Node(), nil)) == 0 {
		return nil
	}
	c := e.Object.DeepCopy()
	transform.Clean(c, transform.Options{})
	r.transforms.Apply(c, e.Group, e.Resource)
	return noJSON(nil, transform.Ship(c, e.Namespace).Node(), nil)
}

// noJSON appends the paths below n, whose path is at, of values that JSON cannot hold.
func noJSON(found []*field.Path, n *yaml.Node, at *field.Path) []*field.Path {
	switch n = krm.Deref(n); n.Kind {
	case yaml.MappingNode:
		for i := 0; i+1 < len(n.Content); i += 2 {
			if !isText(n.Content[i+1]) {
				found = noJSON(found, n.Content[i+1], child(at, n.Content[i].Value))
			}
		}
	case yaml.SequenceNode:
		for i, e := range n.Content {
			if !isText(e) {
				found = noJSON(found, e, at.Index(i))
			}
		}
	default:
		if _, err := krm.Value(n); err != nil {
			found = append(found, at)
		}
	}
	return found
}

// isText finds the most common values, so that they need no path.
func isText(n *yaml.Node) bool { return n.Kind == yaml.ScalarNode && n.Tag == yaml.NodeTagString }

// child is a field below at; a name with a dot, such as that of a label, is in brackets.
func child(at *field.Path, name string) *field.Path {
	if at != nil && strings.Contains(name, ".") {
		return at.Key(name)
	}
	return at.Child(name)
}
