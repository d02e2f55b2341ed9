package index

import (
	"crypto/sha256"
	"sync"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
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

// shown is the text without what may be secret, in block style. What cannot be looked into is not shown.
func shown(c *fleet.Content) string {
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
		unfold(o.Node())
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
