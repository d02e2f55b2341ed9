package bundling

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/bundling/bindings"
	"github.com/waybill-dev/waybill/pkg/bundling/manifestconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// instructions are what a work says about one object: by a config of its own, or by one for all objects of
// its resource in the work. Both are nil where agents do the right thing by themselves.
type instructions struct {
	settings   manifestconfig.Settings
	config     *manifestconfig.Config
	kindConfig *manifestconfig.Config
}

// instruct says how agents are to treat sent, which e names and which has that plural.
func (b *bundler) instruct(e bindings.Entry, source, sent *krm.Object, plural string) (in instructions, err error) {
	if in.settings.Strategy, err = b.strategyOf(e, source, sent); err != nil {
		return in, err
	}
	if b.opts.Rollout == conditions {
		in.settings.Rules = manifestconfig.RulesFor(sent)
	}
	common := b.kindStrategy(sent.Group(), sent.Kind())
	if in.settings == (manifestconfig.Settings{Strategy: common}) {
		in.kindConfig, err = b.configOfKind(sent.Group(), sent.Kind(), plural)
		return in, err
	}
	in.config = &manifestconfig.Config{Resource: manifestconfig.ResourceOf(sent.ID(), plural), Settings: in.settings, Explicit: common != manifestconfig.Update}
	return in, in.config.Write()
}

// instructRenamed says how agents are to treat the objects that templates renamed for a cluster.
func (b *bundler) instructRenamed(s shipment, items []shippedObject) {
	for i, item := range items {
		if !item.renamed || s.broken[item.id] {
			continue
		}
		in, err := b.instruct(item.Entry, item.source, item.named, b.pluralOf(item, items))
		if err != nil {
			b.fail(item.source, err)
		}
		items[i].instructions = in
	}
}

// pluralOf gives the plural of a shipped object's kind: its entry's, unless a template changed
// the kind; then that of another object of the same kind, or what is known of the kind.
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

// kindStrategy is how objects of a kind are applied that say nothing themselves.
func (b *bundler) kindStrategy(group, kind string) string {
	return cmp.Or(b.strategies[schema.GroupKind{Group: group, Kind: kind}], b.opts.UpdateStrategy)
}

// strategyOf is how the object that e names is applied; sent is the object as it ships.
func (b *bundler) strategyOf(e bindings.Entry, source, sent *krm.Object) (string, error) {
	own := source.Annotation(manifestconfig.StrategyAnnotation)
	switch {
	case own != "" && !slices.Contains(manifestconfig.UpdateStrategies, own):
		return "", field.NotSupported(field.NewPath("metadata", "annotations").Key(manifestconfig.StrategyAnnotation), own, manifestconfig.UpdateStrategies)
	case e.CreateOnly:
		return manifestconfig.CreateOnly, nil
	}
	return cmp.Or(own, b.kindStrategy(sent.Group(), sent.Kind())), nil
}

// configOfKind is the config for all objects of one resource that have none of their own; nil where agents
// need none. Works share it.
func (b *bundler) configOfKind(group, kind, plural string) (*manifestconfig.Config, error) {
	strategy := b.kindStrategy(group, kind)
	about := manifestconfig.Resource{Group: group, Resource: plural, Namespace: "*", Name: "*"}
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

// warnUnknownKinds warns of kinds in option updateStrategies that are probably mistyped. One that no object has now is
// none of these as long as it is a known kind, or of a group of which nothing is known.
func (b *bundler) warnUnknownKinds(shipments []shipment) {
	ships := map[schema.GroupKind]bool{}
	for _, s := range shipments {
		for _, p := range s.payloads {
			for _, o := range []*krm.Object{p.object, p.source} {
				ships[schema.GroupKind{Group: o.Group(), Kind: o.Kind()}] = true
			}
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(b.strategies), compareKinds) {
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
		hint := "want the kind and its group, as in Job.batch"
		if len(like) > 0 {
			hint = "did you mean " + strings.Join(like, " or ") + "?"
		} else if !b.kinds.KnowsGroup(k.Group) {
			continue
		}
		b.report(sdk.Warning, nil, nil, "option updateStrategies: no object has kind %q, and no such kind is known; %s", k, hint)
	}
}

func compareKinds(a, b schema.GroupKind) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Group, b.Group))
}
