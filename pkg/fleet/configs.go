package fleet

import (
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge"
)

// nameConfigs makes the manifestConfigs of a work a map by the object that each is about, so that they are compared one by
// one.
func nameConfigs(work *krm.Object) {
	spec := work.Lookup("spec")
	if spec == nil || spec.Kind != yaml.MappingNode {
		return
	}
	named := krm.MapNode()
	if list := krm.Lookup(spec, "manifestConfigs"); list != nil {
		for i, config := range list.Content {
			named.Content = append(named.Content, krm.StringNode(configName(config, named, i)), config)
		}
	}
	krm.SetField(spec, "manifestConfigs", named)
}

// configName is the resource and name that a config is about, and takes them out of it.
func configName(config, named *yaml.Node, i int) string {
	name := fmt.Sprint(i)
	if at := krm.Lookup(config, "resourceIdentifier"); at != nil {
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

// onlyFollows reports whether a work is handled differently only in that configs come and go with the objects that they
// are about.
func (c *Comparison) onlyFollows(ch *Change, fields []waybill.PreviewField) bool {
	const config = "spec.manifestConfigs["
	for _, f := range fields {
		if !strings.HasPrefix(f.Field, "spec.") {
			continue
		}
		name, ok := strings.CutPrefix(f.Field, config)
		name, ends := strings.CutSuffix(name, "]")
		_, object, named := strings.Cut(name, " ")
		if !ok || !ends || !named || f.Change == string(merge.Changed) || !c.comesOrGoes(ch.Cluster(), object) {
			return false
		}
	}
	return true
}

// comesOrGoes reports whether an object of that namespace/name is added to a cluster, or removed.
func (c *Comparison) comesOrGoes(cluster, object string) bool {
	first, _ := slices.BinarySearchFunc(c.Changes, cluster, func(ch Change, name string) int { return strings.Compare(ch.Cluster(), name) })
	for i := first; i < len(c.Changes) && c.Changes[i].Cluster() == cluster; i++ {
		ch := &c.Changes[i]
		if (ch.Before == nil || ch.After == nil) && !ch.there().Itself && ch.ID.Namespace+"/"+ch.ID.Name == object {
			return true
		}
	}
	return false
}
