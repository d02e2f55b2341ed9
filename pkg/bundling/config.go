package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

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

// resource is what an agent goes by to find the config of an object.
type resource struct{ group, resource, namespace, name string }

// orders are what agents are told about an object.
type orders struct {
	strategy string
	rules    rules
}

// instructions are what a work says about one object: by a config of its own, or by one for all objects of
// its resource in the work. Both are nil where agents do the right thing by themselves.
type instructions struct {
	orders  orders
	config  *config
	general *config
}

// instruct says how agents are to treat sent, which e names and which has that plural.
func (b *bundler) instruct(e entry, source, sent *krm.Object, plural string) (in instructions, err error) {
	if in.orders.strategy, err = b.strategyOf(e, source, sent); err != nil {
		return in, err
	}
	if b.opts.Rollout == conditions {
		in.orders.rules = rolloutRules(sent)
	}
	common := b.kindStrategy(sent.Group(), sent.Kind())
	if in.orders == (orders{strategy: common}) {
		in.general, err = b.generalConfig(sent.Group(), sent.Kind(), plural)
		return in, err
	}
	in.config = &config{about: resourceOf(sent, plural), orders: in.orders, explicit: common != update}
	return in, in.config.write()
}

// write makes node and text.
func (c *config) write() (err error) {
	c.node = fields("resourceIdentifier", c.about.identifier())
	if c.explicit || c.strategy != update {
		krm.SetField(c.node, "updateStrategy", strategyNode(c.strategy))
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

// instructRenamed says how agents are to treat the objects that templates renamed for a cluster.
func (b *bundler) instructRenamed(s shipment, items []shipped) {
	for i, item := range items {
		if !item.renamed || s.broken[item.id] {
			continue
		}
		in, err := b.instruct(item.entry, item.source, item.named, b.pluralOf(item, items))
		if err != nil {
			b.fail(item.source, err)
		}
		items[i].instructions = in
	}
}

// pluralOf gives the plural of a shipped object's kind: its entry's, unless a template changed
// the kind; then that of another object of the same kind, or what is known of the kind.
func (b *bundler) pluralOf(item shipped, items []shipped) string {
	group, kind := item.named.Group(), item.named.Kind()
	if item.source.Is(group, kind) {
		return item.resource
	}
	for _, other := range items {
		if other.source.Is(group, kind) {
			return other.resource
		}
	}
	return b.sources.kinds.Lookup(group, kind).Plural
}
