package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// config is what a work tells agents about one of its objects, or about all of one resource. An agent may
// take the first config that fits an object and no other, so everything that is to be said about it is in one.
type config struct {
	node   *yaml.Node
	text   string
	length int // of its compact JSON

	about    resource
	explicit bool // names the strategy even where it is OCM's default
	orders
}

// write makes node and text.
func (c *config) write() (err error) {
	c.node = manifest.Map("resourceIdentifier", c.about.identifier())
	if c.explicit || c.strategy != update {
		krm.SetField(c.node, "updateStrategy", strategyNode(c.strategy))
	}
	if c.rules != (rules{}) {
		krm.SetField(c.node, "feedbackRules", c.rules.feedback)
		krm.SetField(c.node, "conditionRules", c.rules.conditions)
	}
	if c.length, err = manifest.JSONSize(c.node); err != nil {
		return err
	}
	c.text, err = manifest.ConfigText(c.node)
	return err
}

// orders are what agents are told about an object.
type orders struct {
	strategy string
	rules    rules
}
