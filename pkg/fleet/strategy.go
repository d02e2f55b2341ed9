package fleet

import (
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
)

// anyObject is how a config names all objects of its resource.
const anyObject = " */*"

// strategies are the update strategies of a work by the config that has them, of configs about all objects of a resource
// that say nothing else.
func strategies(work *krm.Object) map[string]string {
	out := map[string]string{}
	configs := krm.Deref(work.Lookup("spec", "manifestConfigs"))
	if configs == nil {
		return out
	}
	for i := 0; i+1 < len(configs.Content); i += 2 {
		name, config := configs.Content[i].Value, krm.Deref(configs.Content[i+1])
		strategy := krm.Lookup(config, "updateStrategy")
		if strings.HasSuffix(name, anyObject) && strategy != nil && config.Kind == yaml.MappingNode && len(config.Content) == 2 {
			out[name] = word(krm.Deref(strategy), "type")
		}
	}
	return out
}

// strategyChange is an update strategy before and after.
type strategyChange struct{ from, to string }

// restrategized are configs by which an agent applies objects on the server instead of by an update, or the other way round,
// and nothing else. It is OCM's default to update.
func restrategized(before, after *krm.Object) map[string]strategyChange {
	was, is := strategies(before), strategies(after)
	all, out := maps.Clone(was), map[string]strategyChange{}
	maps.Copy(all, is)
	for name := range all {
		change := strategyChange{orUpdate(was, before, name), orUpdate(is, after, name)}
		same := change.from == change.to && len(was[name]) == len(is[name]) // what is the default may be said or not
		if !same && applies(change.from) && applies(change.to) {
			out[name] = change
		}
	}
	return out
}

// strategyField stands for the update strategy of all objects of a work.
const strategyField = "spec.manifestConfigs[*].updateStrategy.type"

// orUpdate is the strategy of a config; "" if that says other things as well.
func orUpdate(strategies map[string]string, work *krm.Object, name string) string {
	if s, ok := strategies[name]; ok || krm.Lookup(work.Lookup("spec", "manifestConfigs"), name) != nil {
		return s
	}
	return strategyUpdate
}

func applies(strategy string) bool { return strategy == strategyUpdate || strategy == strategyApply }

// setStrategies finds the works that apply objects in another way which they held before.
func (c *Comparison) setStrategies() {
	for i := range c.Changes {
		if ch := &c.Changes[i]; len(ch.pair.restrategized) > 0 {
			ch.strategies = c.strategiesOf(ch)
		}
	}
}

// strategiesOf are the changes of strategy but those of configs that come and go with all the objects they are about.
func (c *Comparison) strategiesOf(ch *Change) (out []waybill.PreviewField) {
	seen := map[strategyChange]bool{}
	for _, name := range slices.Sorted(maps.Keys(ch.pair.restrategized)) {
		change := ch.pair.restrategized[name]
		resource, group, _ := strings.Cut(strings.TrimSuffix(name, anyObject), ".")
		about := identifier{Group: group, Resource: resource}
		if seen[change] || change.from == change.to || c.comesOrGoes(ch.Cluster(), func(id krm.ID) bool { return about.means(id) }) {
			continue
		}
		seen[change] = true
		out = append(out, waybill.PreviewField{Field: strategyField, Change: string(diff.Changed), From: &change.from, To: &change.to})
	}
	return out
}

// restrategizes reports whether all that is another about a work is how the agent applies objects.
func (c *Change) restrategizes() bool {
	return len(c.strategies) > 0 && !slices.ContainsFunc(c.pair.fields, func(f diff.Change) bool {
		config, ok := configIn(f.Field)
		_, known := c.pair.restrategized[config]
		return !ok || !known
	})
}
