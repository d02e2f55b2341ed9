package bundling

import (
	"cmp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// StrategyAnnotation names the update strategy of one object. It stays in the package.
const StrategyAnnotation = fn.ReservedPrefix + "update-strategy"

// OCM's update strategies.
const serverSideApply, update, createOnly, readOnly = "ServerSideApply", "Update", "CreateOnly", "ReadOnly"

var updateStrategies = []string{serverSideApply, update, createOnly, readOnly}

// kindName is a kind without its version.
type kindName struct{ group, kind string }

// readStrategies reads option updateStrategies: Kind.group=Strategy, several parted by ";".
func readStrategies(text string, at *field.Path) (map[kindName]string, field.ErrorList) {
	out, errs := map[kindName]string{}, field.ErrorList{}
	for part := range strings.SplitSeq(text, ";") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		of, strategy, found := strings.Cut(strings.TrimSpace(part), "=")
		kind, group, _ := strings.Cut(of, ".")
		_, twice := out[kindName{group, kind}]
		switch {
		case !found || kind == "" || !slices.Contains(updateStrategies, strategy):
			errs = append(errs, field.Invalid(at, part, "want Kind.group=Strategy, such as Job.batch=CreateOnly; the strategies are "+
				strings.Join(updateStrategies, ", ")))
		case twice:
			errs = append(errs, field.Duplicate(at, of))
		default:
			out[kindName{group, kind}] = strategy
		}
	}
	return out, errs
}

// kindStrategy is how objects of a kind are applied that say nothing themselves.
func (b *bundler) kindStrategy(group, kind string) string {
	return cmp.Or(b.strategies[kindName{group, kind}], b.opts.UpdateStrategy)
}

// strategyOf is how the object that e names is applied; sent is the object as it ships.
func (b *bundler) strategyOf(e entry, source, sent *krm.Object) (string, error) {
	own := source.Annotation(StrategyAnnotation)
	switch {
	case own != "" && !slices.Contains(updateStrategies, own):
		return "", field.NotSupported(field.NewPath("metadata", "annotations").Key(StrategyAnnotation), own, updateStrategies)
	case e.createOnly:
		return createOnly, nil
	}
	return cmp.Or(own, b.kindStrategy(sent.Group(), sent.Kind())), nil
}

// strategyNode is a strategy in a work. Server-side apply takes fields that others have set, as Update does.
func strategyNode(strategy string) *yaml.Node {
	n := fields("type", strategy)
	if strategy == serverSideApply {
		force := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "true"}
		krm.SetField(n, serverSideField, fields("force", force))
	}
	return n
}

const serverSideField = "serverSideApply"

// generalConfig is the config for all objects of one resource that have none of their own; nil where agents
// need none. Works share it.
func (b *bundler) generalConfig(group, kind, plural string) (*config, error) {
	strategy := b.kindStrategy(group, kind)
	about := resource{group: group, resource: plural, namespace: "*", name: "*"}
	key := generalKey{about, strategy}
	if c, done := b.generals[key]; done || strategy == update {
		return c, nil
	}
	c := &config{about: about, orders: orders{strategy: strategy}, explicit: true}
	if err := c.write(); err != nil {
		return nil, err
	}
	b.generals[key] = c
	return c, nil
}

type generalKey struct {
	about    resource
	strategy string
}

// generalsOf are the general configs of a work's objects, by resource.
func generalsOf(batch []shipped) (out []*config) {
	for _, s := range batch {
		if s.general != nil && !slices.Contains(out, s.general) {
			out = append(out, s.general)
		}
	}
	slices.SortFunc(out, func(a, b *config) int {
		return cmp.Or(cmp.Compare(a.about.group, b.about.group), cmp.Compare(a.about.resource, b.about.resource))
	})
	return out
}
