package mapping

import (
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Association is a group of objects as hooks see it: by "<Kind>.<apiVersion>", then by name. Every type
// that may have objects is there.
type Association map[string]map[string]*krm.Object

// nameScope is how a hook sees objects: that of a parent, in a version of hooks.
type nameScope struct {
	version   string
	namespace string // the parent's; "" for none
}

func newAssociation(types []resource) Association {
	a := make(Association, len(types))
	for i := range types {
		a[types[i].key()] = map[string]*krm.Object{}
	}
	return a
}

// add puts in an object that lives in a namespace, "" for none, if it is to be seen.
func (a Association) add(as *resource, o *krm.Object, namespace string, from nameScope) {
	name := o.Name()
	switch {
	case from.version == waybill.HookV2 || from.namespace == "":
		if namespace != "" {
			name = namespace + "/" + name
		}
	case namespace != from.namespace: // another one, or none
		return
	}
	group := a[as.key()]
	if group[name] == nil {
		group[name] = o.WithoutOrchestration()
	}
}

// data is the association as plain data.
func (a Association) data() (map[string]any, error) {
	out := make(map[string]any, len(a))
	for kind, objects := range a {
		group := make(map[string]any, len(objects))
		for name, o := range objects {
			v, err := plainOf(o.Node())
			if err != nil {
				return nil, err
			}
			group[name] = v
		}
		out[kind] = group
	}
	return out, nil
}

// node is the association as a node, which shares those of its objects.
func (a Association) node() *yaml.Node {
	out := krm.MapNode()
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		group := krm.MapNode()
		for _, name := range slices.Sorted(maps.Keys(a[kind])) {
			group.Content = append(group.Content, krm.StringNode(name), a[kind][name].Node())
		}
		out.Content = append(out.Content, krm.StringNode(kind), group)
	}
	return out
}

// objects are all of them, in order.
func (a Association) objects() (all []*krm.Object) {
	for _, kind := range slices.Sorted(maps.Keys(a)) {
		for _, name := range slices.Sorted(maps.Keys(a[kind])) {
			all = append(all, a[kind][name])
		}
	}
	return all
}
