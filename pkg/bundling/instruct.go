package bundling

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// instructions are what a work tells agents about one object: in a config of its own, or in one for all objects of
// its resource in the work. Both are nil if the default of agents is right.
type instructions struct {
	settings   manifestconfig.Settings
	config     *manifestconfig.Config
	kindConfig *manifestconfig.Config
	deletion
}

// instruct says how agents treat sent, the object that e names as it ships. plural is that of its kind.
func (b *bundler) instruct(bd bindings.Binding, e bindings.Entry, source, sent *krm.Object, plural string) (in instructions, err error) {
	ofKind := cmp.Or(b.strategies[schema.GroupKind{Group: sent.Group(), Kind: sent.Kind()}], b.opts.UpdateStrategy)
	if in.settings.Strategy, err = strategyOf(e, source, ofKind); err != nil {
		return in, err
	}
	if in.deletion, err = b.deletionOf(bd, source, sent, in.settings.Strategy, plural); err != nil {
		return in, err
	}
	if b.opts.Rollout == conditions {
		in.settings.Rules = manifestconfig.RulesFor(sent)
	}
	if in.settings == (manifestconfig.Settings{Strategy: ofKind}) {
		in.kindConfig, err = b.configOfKind(manifestconfig.Resource{Group: sent.Group(), Resource: plural, Namespace: "*", Name: "*"}, ofKind)
		return in, err
	}
	in.config = &manifestconfig.Config{Resource: manifestconfig.ResourceOf(sent.ID(), plural), Settings: in.settings,
		Explicit: ofKind != manifestconfig.Update}
	return in, in.config.Write()
}

// instructRenamed says how agents treat the objects that templates renamed for a cluster.
func (b *bundler) instructRenamed(s shipment, items []shippedObject) {
	for i, item := range items {
		if !item.renamed || s.broken[item.id] {
			continue
		}
		in, err := b.instruct(s.Binding, item.Entry, item.source, item.named, b.pluralOf(item, items))
		if err != nil {
			b.fail(item.source, err)
		}
		items[i].instructions = in
	}
}

// pluralOf is the plural of a shipped object's kind: that of its entry. If a template changed the kind, it is that of
// another object of the kind, or the known plural.
func (b *bundler) pluralOf(item shippedObject, items []shippedObject) string {
	group, kind := item.named.Group(), item.named.Kind()
	if item.source.Is(group, kind) {
		return item.Resource
	}
	for _, other := range items {
		if other.source.Is(group, kind) {
			return other.Resource
		}
	}
	return b.sources.Kinds.Lookup(group, kind).Plural
}

// strategyOf is the update strategy of the object that e names, given that of its kind.
func strategyOf(e bindings.Entry, source *krm.Object, ofKind string) (string, error) {
	own := source.Annotation(manifestconfig.StrategyAnnotation)
	switch {
	case own != "" && !slices.Contains(manifestconfig.UpdateStrategies, own):
		at := field.NewPath("metadata", "annotations").Key(manifestconfig.StrategyAnnotation)
		return "", field.NotSupported(at, own, manifestconfig.UpdateStrategies)
	case e.CreateOnly:
		return manifestconfig.CreateOnly, nil
	}
	return cmp.Or(own, ofKind), nil
}

// configOfKind is the config of all objects of a resource that have none of their own; nil if agents
// need none. Works share it.
func (b *bundler) configOfKind(about manifestconfig.Resource, strategy string) (*manifestconfig.Config, error) {
	key := kindConfigKey{about, strategy}
	if c, done := b.kindConfigs[key]; done || strategy == manifestconfig.Update {
		return c, nil
	}
	c := &manifestconfig.Config{Resource: about, Settings: manifestconfig.Settings{Strategy: strategy}, Explicit: true}
	if err := c.Write(); err != nil {
		return nil, err
	}
	b.kindConfigs[key] = c
	return c, nil
}

type kindConfigKey struct {
	about    manifestconfig.Resource
	strategy string
}

// warnUnknownKinds warns of kinds in an option, such as updateStrategies, that are probably mistyped. A kind that no object has is
// correct if it is known, or if nothing is known of its group.
func (b *bundler) warnUnknownKinds(option, example string, named map[schema.GroupKind]string, shipments []shipment) {
	ships := map[schema.GroupKind]bool{}
	for _, s := range shipments {
		for _, p := range s.payloads {
			for _, o := range []*krm.Object{p.object, p.source} {
				ships[schema.GroupKind{Group: o.Group(), Kind: o.Kind()}] = true
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(named), compareKinds) {
		if ships[k] || b.kinds.Lookup(k.Group, k.Kind).Known {
			continue
		}
		like := b.kinds.Like(k.Kind)
		for other := range ships {
			if strings.EqualFold(other.Kind, k.Kind) && !slices.Contains(like, other.String()) {
				like = append(like, other.String())
			}
		}
		slices.Sort(like)
		hint := "want the kind and its group, as in " + example
		if len(like) > 0 {
			hint = "did you mean " + strings.Join(like, " or ") + "?"
		} else if !b.kinds.KnowsGroup(k.Group) {
			continue
		}
		b.report(sdk.Warning, nil, nil, "option %s: no object has kind %q, and no such kind is known; %s", option, k, hint)
	}
}

func compareKinds(a, b schema.GroupKind) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group))
}
