package bundling

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// config is what a work tells agents about one of its objects. An agent takes the first config that
// fits an object and no other, so everything that is to be said about it is in one.
type config struct {
	node *yaml.Node
	text string
}

// newConfig is the config of o, whose kind has that plural; nil when there is nothing to say.
func (b *bundler) newConfig(createOnly bool, o *krm.Object, resource string) (*config, error) {
	rules := b.opts.Rollout == conditions
	if !createOnly && !rules {
		return nil, nil
	}
	n := fields("resourceIdentifier", identifier(o, resource))
	if createOnly {
		krm.SetField(n, "updateStrategy", fields("type", "CreateOnly"))
	}
	if rules {
		r := rolloutRules(o)
		krm.SetField(n, "feedbackRules", r.feedback)
		krm.SetField(n, "conditionRules", r.conditions)
	}
	text, err := configText(n)
	return &config{node: n, text: text}, err
}

// identifier has all four parts, empty ones too, as KubeStellar writes them.
func identifier(o *krm.Object, resource string) *yaml.Node {
	return fields("group", o.Group(), "resource", resource, "namespace", o.Namespace(), "name", o.Name())
}

// configureRenamed gives the objects that templates renamed for a cluster their configs.
func (b *bundler) configureRenamed(s shipment, load []shipped) {
	for i, item := range load {
		if !item.renamed || s.broken[item.id] {
			continue
		}
		c, err := b.newConfig(item.createOnly, item.named, b.resourceOf(item, load))
		if err != nil {
			b.fail(item.source, err)
		}
		load[i].config = c
	}
}

// resourceOf gives the plural of a shipped object's kind: its entry's, unless a template changed
// the kind; then that of another object of the same kind, or what is known of the kind.
func (b *bundler) resourceOf(item shipped, load []shipped) string {
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
