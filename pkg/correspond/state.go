package correspond

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// MaxAnnotationState is how large a state in an annotation may be, in bytes.
const MaxAnnotationState = 64 << 10

func groupKind(id krm.ID) schema.GroupKind { return schema.GroupKind{Group: id.Group, Kind: id.Kind} }

// isSecret reports whether values of such an object must not show.
func (e *edgeRun) isSecret(id krm.ID) bool {
	return id.Group == "" && id.Kind == "Secret" || slices.Contains(e.SecretTypes, groupKind(id))
}

// stateOf is the state that says root, a clean object, was applied: canonical JSON, with hashes for
// the values of what is secret.
func stateOf(root *yaml.Node, secret bool) ([]byte, error) {
	if secret {
		root = hidden(root)
	}
	return krm.CanonicalJSON(root)
}

// hidden is a copy of an object with hashes for all values but those that identify and label it.
func hidden(root *yaml.Node) *yaml.Node {
	c := plainCopy(root)
	for i := 0; i+1 < len(c.Content); i += 2 {
		switch c.Content[i].Value {
		case "apiVersion", "kind", "metadata":
		default:
			c.Content[i+1] = hashed(c.Content[i+1])
		}
	}
	return c
}

func hashed(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.ScalarNode {
		return krm.StringNode(hashOf(n))
	}
	for i := range n.Content {
		if n.Kind == yaml.SequenceNode || i%2 == 1 {
			n.Content[i] = hashed(n.Content[i])
		}
	}
	return n
}

// hashOf stands for a value without showing it.
func hashOf(n *yaml.Node) string {
	data, err := krm.CanonicalJSON(n)
	if err != nil { // no JSON holds it, nor does a state
		data = []byte(n.Value)
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// readState is a state as an object that is ours; nil when it is none, for whatever reason.
func readState(text []byte, withStatus bool) *yaml.Node {
	if len(text) == 0 || !json.Valid(text) {
		return nil
	}
	n, err := krm.NodeOf(json.RawMessage(text))
	if err != nil || !isMap(n) {
		return nil
	}
	clean(n, withStatus) // whoever wrote it, it must not take away what is not content
	return n
}
