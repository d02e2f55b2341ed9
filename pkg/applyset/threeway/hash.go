package threeway

import (
	"crypto/sha256"
	"encoding/hex"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Redacted is a copy of an object with hashes in place of all values except those that identify and label it.
func Redacted(root *yaml.Node) *yaml.Node {
	c := PlainCopy(root)
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
		return krm.StringNode(hash(n))
	}
	for i := range n.Content {
		if n.Kind == yaml.SequenceNode || i%2 == 1 {
			n.Content[i] = hashed(n.Content[i])
		}
	}
	return n
}

// hash identifies a value without revealing it.
func hash(n *yaml.Node) string {
	data, err := krm.CanonicalJSON(n)
	if err != nil { // the value has no JSON form, and is in no state
		data = []byte(n.Value)
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}
