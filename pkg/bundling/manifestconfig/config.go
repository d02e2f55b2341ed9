package manifestconfig

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Config is what a work tells agents about one of its objects, or about all of one resource. An agent may
// take the first config that fits an object and no other, so everything that is to be said about it is in one.
type Config struct {
	Node   *yaml.Node
	Text   string
	Length int // of its compact JSON

	Resource Resource
	Explicit bool // names the strategy even where it is OCM's default
	Settings
}

// Write makes node and text.
func (c *Config) Write() (err error) {
	c.Node = manifest.Map("resourceIdentifier", c.Resource.Identifier())
	if c.Explicit || c.Strategy != Update {
		krm.SetField(c.Node, "updateStrategy", strategyNode(c.Strategy))
	}
	if c.Rules != (rules{}) {
		krm.SetField(c.Node, "feedbackRules", c.Rules.feedback)
		krm.SetField(c.Node, "conditionRules", c.Rules.conditions)
	}
	if c.Length, err = manifest.JSONSize(c.Node); err != nil {
		return err
	}
	c.Text, err = manifest.ConfigText(c.Node)
	return err
}

// Settings are what agents are told about an object.
type Settings struct {
	Strategy string
	Rules    rules
}
