package index

import (
	"bytes"
	"crypto/sha256"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// texts caches the texts of contents, which are the same in many clusters. It is safe for concurrent use.
type texts struct {
	known sync.Map // Content.Hash → *says
}

// shownText is the identity of a content, and its text for people.
type shownText struct {
	id   krm.ID
	text string
}

func (t *texts) of(c *fleet.Content) (*shownText, error) {
	if s, ok := t.known.Load(c.Hash); ok {
		return s.(*shownText), nil
	}
	id, err := c.ID()
	if err != nil {
		return nil, err
	}
	s, _ := t.known.LoadOrStore([sha256.Size]byte(c.Hash), &shownText{id, shownYAML(c)})
	return s.(*shownText), nil
}

// shownYAML is the text without secrets, in block style. It hides a text that cannot be parsed.
func shownYAML(c *fleet.Content) string {
	text := c.YAML()
	flow := inFlow(text)
	if !flow && !secret.MayContain(text) {
		return string(text)
	}
	o, err := c.Object()
	if err != nil {
		return secret.Hidden + "\n"
	}
	o = o.DeepCopy()
	o.ExpandAliases()
	if secret.Hide(o.Node()) {
		uncomment(o.Node())
	} else if !flow {
		return string(text)
	}
	if flow {
		toBlockStyle(o.Node())
	}
	if text, err = krm.WriteRaw(krm.FromNode(o.Node())); err != nil {
		return secret.Hidden + "\n"
	}
	return string(text)
}

func uncomment(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, child := range n.Content {
		uncomment(child)
	}
}

// inFlow reports whether a text is JSON, or written like it.
func inFlow(text []byte) bool {
	for line := range bytes.Lines(text) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("---")) {
			continue
		}
		return line[0] == '{'
	}
	return false
}

// toBlockStyle puts every value on a line of its own, in quotes if it would be read as another type.
func toBlockStyle(n *yaml.Node) {
	if len(n.Content) > 0 {
		n.Style &^= yaml.FlowStyle
	}
	if n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString && n.Style&yaml.TaggedStyle == 0 {
		n.Style = krm.StringNode(n.Value).Style
		if bytes.ContainsRune([]byte(n.Value), '\n') {
			n.Style = yaml.LiteralStyle
		}
	}
	for _, child := range n.Content {
		toBlockStyle(child)
	}
}
