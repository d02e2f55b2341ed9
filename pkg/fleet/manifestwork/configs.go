package manifestwork

import (
	"fmt"
	"maps"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// KeyConfigs turns the manifestConfigs and orphaningRules of a work into maps, keyed by the object that each entry names,
// so that a comparison pairs them.
func KeyConfigs(work *krm.Object) {
	spec := krm.Deref(work.Lookup("spec"))
	if spec == nil || spec.Kind != yaml.MappingNode {
		return
	}
	keyRules(spec)
	named := krm.MapNode()
	if list := krm.Lookup(spec, "manifestConfigs"); list != nil {
		for i, config := range list.Content {
			named.Content = append(named.Content, krm.StringNode(configName(config, named, i)), config)
		}
	}
	krm.SetField(spec, "manifestConfigs", named)
}

// keyRules does the same for orphaningRules. It drops a propagationPolicy that is the default without the rules.
func keyRules(spec *yaml.Node) {
	option := krm.Deref(krm.Lookup(spec, "deleteOption"))
	if option == nil || option.Kind != yaml.MappingNode {
		option = krm.MapNode()
	}
	policy, named := krm.Text(option, "propagationPolicy"), krm.MapNode()
	if policy == orphanSome {
		if list := krm.Lookup(krm.Lookup(option, "selectivelyOrphans"), "orphaningRules"); list != nil {
			for i, rule := range list.Content {
				about := krm.MapNode(krm.StringNode("resourceIdentifier"), rule)
				named.Content = append(named.Content, krm.StringNode(configName(about, named, i)), krm.StringNode("orphaned"))
			}
		}
	}
	if policy == orphanSome || policy == "Foreground" {
		krm.RemoveField(option, "propagationPolicy")
	}
	krm.SetField(option, "selectivelyOrphans", krm.MapNode(krm.StringNode("orphaningRules"), named))
	krm.SetField(spec, "deleteOption", option)
}

// configName is the resource and name that a config is about. It removes them from the config.
func configName(config, named *yaml.Node, i int) string {
	name := fmt.Sprint(i)
	if at := krm.Deref(krm.Lookup(config, "resourceIdentifier")); at != nil && at.Kind == yaml.MappingNode {
		resource := strings.TrimSuffix(krm.Text(at, "resource")+"."+krm.Text(at, "group"), ".")
		name = resource + " " + krm.Text(at, "namespace") + "/" + krm.Text(at, "name")
		krm.RemoveField(config, "resourceIdentifier")
	}
	if krm.Lookup(named, name) != nil {
		name += fmt.Sprintf(" (%d)", i)
	}
	return name
}

// Fields of a work that are maps by object, as they are compared.
const (
	configField = "spec.manifestConfigs["
	// RuleField is how a field begins that is an orphaning rule.
	RuleField = "spec.deleteOption.selectivelyOrphans.orphaningRules["
)

// ConfigOf is the key of the config that a field belongs to.
func ConfigOf(field string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(field, configField)
	if !ok {
		rest, ok = strings.CutPrefix(field, RuleField)
	}
	name, _, ends := strings.Cut(rest, "]")
	return name, ok && ends
}

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
