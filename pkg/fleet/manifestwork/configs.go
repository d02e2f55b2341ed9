package manifestwork

import (
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// KeyConfigs turns the manifestConfigs and the orphaningRules of a work into maps, keyed by the object that each names, so that
// they are compared one by one.
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

// keyRules does so for orphaningRules. It drops a propagationPolicy that is the default apart from the rules.
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
	ruleField   = "spec.deleteOption.selectivelyOrphans.orphaningRules["
)

// ConfigOf is the key of the config that a field belongs to.
func ConfigOf(field string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(field, configField)
	if !ok {
		rest, ok = strings.CutPrefix(field, ruleField)
	}
	name, _, ends := strings.Cut(rest, "]")
	return name, ok && ends
}
