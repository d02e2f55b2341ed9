package fleet

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// nameConfigs makes the manifestConfigs and the orphaningRules of a work maps by the object that each is about, so that they
// are compared one by one.
func nameConfigs(work *krm.Object) {
	spec := krm.Deref(work.Lookup("spec"))
	if spec == nil || spec.Kind != yaml.MappingNode {
		return
	}
	nameRules(spec)
	named := krm.MapNode()
	if list := krm.Lookup(spec, "manifestConfigs"); list != nil {
		for i, config := range list.Content {
			named.Content = append(named.Content, krm.StringNode(configName(config, named, i)), config)
		}
	}
	krm.SetField(spec, "manifestConfigs", named)
}

// nameRules does so for the rules. A policy that is the default, but for what rules say, is left out.
func nameRules(spec *yaml.Node) {
	option := krm.Deref(krm.Lookup(spec, "deleteOption"))
	if option == nil || option.Kind != yaml.MappingNode {
		option = krm.MapNode()
	}
	policy, named := word(option, "propagationPolicy"), krm.MapNode()
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

// configName is the resource and name that a config is about, and takes them out of it.
func configName(config, named *yaml.Node, i int) string {
	name := fmt.Sprint(i)
	if at := krm.Deref(krm.Lookup(config, "resourceIdentifier")); at != nil && at.Kind == yaml.MappingNode {
		resource := strings.TrimSuffix(word(at, "resource")+"."+word(at, "group"), ".")
		name = resource + " " + word(at, "namespace") + "/" + word(at, "name")
		krm.RemoveField(config, "resourceIdentifier")
	}
	if krm.Lookup(named, name) != nil {
		name += fmt.Sprintf(" (%d)", i)
	}
	return name
}

func word(n *yaml.Node, field string) string {
	if v := krm.Lookup(n, field); v != nil {
		return v.Value
	}
	return ""
}

// Fields of a work that are maps by object, as they are compared.
const (
	configField = "spec.manifestConfigs["
	ruleField   = "spec.deleteOption.selectivelyOrphans.orphaningRules["
)

// configIn is the name of the config that a field is of, or in.
func configIn(field string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(field, configField)
	if !ok {
		rest, ok = strings.CutPrefix(field, ruleField)
	}
	name, _, ends := strings.Cut(rest, "]")
	return name, ok && ends
}

// follows reports whether a work is handled differently only in that configs and rules come and go with the objects that
// they are about, and in how all objects are applied.
func (c *Comparison) follows(ch *Change) bool {
	for _, f := range ch.pair.fields {
		if !strings.HasPrefix(f.Field, "spec.") {
			continue
		}
		name, ok := configIn(f.Field)
		_, object, named := strings.Cut(name, " ")
		_, applied := ch.pair.restrategized[name]
		about := func(id krm.ID) bool { return id.Namespace+"/"+id.Name == object }
		if !ok || !named || !applied && !c.comesOrGoes(ch.Cluster(), about) {
			return false
		}
	}
	return true
}

// comesOrGoes reports whether a work of a cluster begins to hold such an object, or lets go of one.
func (c *Comparison) comesOrGoes(cluster string, such func(krm.ID) bool) bool {
	first, _ := slices.BinarySearchFunc(c.Changes, cluster, func(ch Change, name string) int { return strings.Compare(ch.Cluster(), name) })
	for i := first; i < len(c.Changes) && c.Changes[i].Cluster() == cluster; i++ {
		ch := &c.Changes[i]
		if (ch.Before == nil || ch.After == nil || ch.movesWork()) && !ch.there().Itself && such(ch.ID) {
			return true
		}
	}
	return false
}
