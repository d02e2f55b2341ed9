package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// config is what a work tells agents about one of its objects. An agent takes the first config that
// fits an object and no other, so everything that is to be said about it is in one.
type config struct {
	node   *yaml.Node
	text   string
	length int // of its compact JSON

	about resource
	orders
}

// resource is what an agent goes by to find the config of an object.
type resource struct{ group, resource, namespace, name string }

// orders are what a config tells agents, whatever it is about. With none there is no config.
type orders struct {
	createOnly bool
	rules      rules
}

// newConfig is the config of o, whose kind has that plural; nil when there is nothing to say.
func (b *bundler) newConfig(createOnly bool, o *krm.Object, plural string) (*config, error) {
	c := &config{about: resourceOf(o, plural), orders: orders{createOnly: createOnly}}
	if b.opts.Rollout == conditions {
		c.rules = rolloutRules(o)
	}
	if c.orders == (orders{}) {
		return nil, nil
	}
	if err := c.write(); err != nil {
		return nil, err
	}
	return c, nil
}

// write makes node and text.
func (c *config) write() (err error) {
	c.node = fields("resourceIdentifier", c.about.identifier())
	if c.createOnly {
		krm.SetField(c.node, "updateStrategy", fields("type", "CreateOnly"))
	}
	if c.rules != (rules{}) {
		krm.SetField(c.node, "feedbackRules", c.rules.feedback)
		krm.SetField(c.node, "conditionRules", c.rules.conditions)
	}
	if c.length, err = jsonSize(c.node); err != nil {
		return err
	}
	c.text, err = configText(c.node)
	return err
}

func resourceOf(o *krm.Object, plural string) resource {
	return resource{o.Group(), plural, o.Namespace(), o.Name()}
}

// identifier has all four parts, empty ones too, as KubeStellar writes them.
func (r resource) identifier() *yaml.Node {
	return fields("group", r.group, "resource", r.resource, "namespace", r.namespace, "name", r.name)
}

// configureRenamed gives the objects that templates renamed for a cluster their configs.
func (b *bundler) configureRenamed(s shipment, load []shipped) {
	for i, item := range load {
		if !item.renamed || s.broken[item.id] {
			continue
		}
		c, err := b.newConfig(item.createOnly, item.named, b.pluralOf(item, load))
		if err != nil {
			b.fail(item.source, err)
		}
		load[i].config = c
	}
}

// pluralOf gives the plural of a shipped object's kind: its entry's, unless a template changed
// the kind; then that of another object of the same kind, or what is known of the kind.
func (b *bundler) pluralOf(item shipped, load []shipped) string {
	group, kind := item.named.Group(), item.named.Kind()
	if item.source.Is(group, kind) {
		return item.resource
	}
	for _, other := range load {
		if other.source.Is(group, kind) {
			return other.resource
		}
	}
	return b.sources.kinds.Lookup(group, kind).Plural
}
