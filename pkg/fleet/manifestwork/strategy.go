package manifestwork

import (
	"maps"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
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
			out[name] = krm.Text(krm.Deref(strategy), "type")
		}
	}
	return out
}

// StrategyChange is an update strategy before and after.
type StrategyChange struct{ From, To string }

// StrategyChanges are the configs that only switch the agent from updates to server-side apply, or back. OCM updates by
// default.
func StrategyChanges(before, after *krm.Object) map[string]StrategyChange {
	was, is := strategies(before), strategies(after)
	all, out := maps.Clone(was), map[string]StrategyChange{}
	maps.Copy(all, is)
	for name := range all {
		change := StrategyChange{orUpdate(was, before, name), orUpdate(is, after, name)}
		same := change.From == change.To && len(was[name]) == len(is[name]) // what is the default may be said or not
		if !same && applies(change.From) && applies(change.To) {
			out[name] = change
		}
	}
	return out
}

// orUpdate is the strategy of a config; "" if that says other things as well.
func orUpdate(strategies map[string]string, work *krm.Object, name string) string {
	if s, ok := strategies[name]; ok || krm.Lookup(work.Lookup("spec", "manifestConfigs"), name) != nil {
		return s
	}
	return strategyUpdate
}

func applies(strategy string) bool { return strategy == strategyUpdate || strategy == strategyApply }

// KindOf is the resource that a config about all its objects names.
func KindOf(config string) Identifier {
	resource, group, _ := strings.Cut(strings.TrimSuffix(config, anyObject), ".")
	return Identifier{Group: group, Resource: resource}
}
