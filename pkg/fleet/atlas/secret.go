package atlas

import (
	"bytes"
	"crypto/sha256"
	"slices"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// texts remembers what contents say, which are the same in many clusters. It is safe for concurrent use.
type texts struct {
	known sync.Map // Content.Hash → *says
}

// says is what a content is, and says, fit to be shown.
type says struct {
	id   krm.ID
	text string
}

func (t *texts) of(c *fleet.Content) (*says, error) {
	if s, ok := t.known.Load(c.Hash); ok {
		return s.(*says), nil
	}
	id, err := c.ID()
	if err != nil {
		return nil, err
	}
	s, _ := t.known.LoadOrStore([sha256.Size]byte(c.Hash), &says{id, shown(c)})
	return s.(*says), nil
}

const (
	hidden = "(hidden)"
	// lastApplied is an annotation that holds all of an object once more.
	lastApplied = "kubectl.kubernetes.io/last-applied-configuration"
)

// open are the fields of a Secret that hold no secret.
var open = []string{"apiVersion", "kind", "metadata", "type", "immutable"}

// shown is the text without what may be secret. What cannot be looked into is not shown.
func shown(c *fleet.Content) string {
	text := c.YAML()
	if !maySaySecret(text) {
		return string(text)
	}
	o, err := c.Object()
	if err != nil {
		return hidden + "\n"
	}
	o = o.DeepCopy()
	o.ExpandAliases()
	if !hide(o.Node()) {
		return string(text)
	}
	uncomment(o.Node())
	if text, err = krm.WriteRaw(krm.FromNode(o.Node())); err != nil {
		return hidden + "\n"
	}
	return string(text)
}

// maySaySecret reports whether a text may hold a Secret, whose kind may be written with escapes.
func maySaySecret(text []byte) bool {
	return bytes.Contains(text, []byte("Secret")) || bytes.IndexByte(text, '\\') >= 0 || bytes.Contains(text, []byte(lastApplied))
}

// hide replaces the values of all Secrets in n, and of annotations that repeat an object; false if there is none.
func hide(n *yaml.Node) (did bool) {
	if n.Kind == yaml.MappingNode {
		if isSecret(n) {
			hideValues(n)
			did = true
		}
		if v := krm.Lookup(n, lastApplied); v != nil {
			krm.SetField(n, lastApplied, krm.StringNode(hidden))
			did = true
		}
	}
	for _, child := range n.Content {
		did = hide(child) || did
	}
	return did
}

// isSecret reports whether n is a Secret, and no mere reference to one.
func isSecret(n *yaml.Node) bool {
	kind := krm.Lookup(n, "kind")
	if kind == nil || kind.Value != "Secret" {
		return false
	}
	return slices.ContainsFunc([]string{"data", "stringData", "metadata"}, func(field string) bool { return krm.Lookup(n, field) != nil })
}

// hideValues leaves of what may be secret the names at most.
func hideValues(secret *yaml.Node) {
	for i := 0; i+1 < len(secret.Content); i += 2 {
		if slices.Contains(open, secret.Content[i].Value) {
			continue
		}
		value := krm.Deref(secret.Content[i+1])
		if value.Kind != yaml.MappingNode {
			secret.Content[i+1] = krm.StringNode(hidden)
			continue
		}
		for j := 0; j+1 < len(value.Content); j += 2 {
			value.Content[j+1] = krm.StringNode(hidden)
		}
	}
}

func uncomment(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		uncomment(child)
	}
}
