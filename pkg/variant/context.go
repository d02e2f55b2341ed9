package variant

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// mutateContext sets and removes keys of the package context as want says. resources names the
// package in errors, as Porch does.
func mutateContext(tree pkgtree.Tree, want *porchconfig.PackageContext, resources string) (pkgtree.Tree, error) {
	if want == nil || len(want.Data) == 0 && len(want.RemoveKeys) == 0 {
		return tree, nil
	}
	data, ok := tree.Get(upstream.ContextFile)
	if !ok {
		return tree, fmt.Errorf("%q not found in %s", upstream.ContextFile, resources)
	}
	objects, err := krm.Read(upstream.ContextFile, data, krm.Limits{})
	if err != nil {
		return tree, err
	}
	if err := checkContext(objects, resources); err != nil {
		return tree, err
	}
	o := objects[0]
	if !contextDiffers(o, want) {
		return tree, nil
	}
	o.ExpandAliases()
	setContext(o.Lookup("data"), want)
	out, err := krm.Write(objects)
	if err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{upstream.ContextFile: out})
}

func checkContext(objects []*krm.Object, resources string) error {
	switch {
	case len(objects) != 1:
		return fmt.Errorf("%q does not contain exactly one object but %d in %s", upstream.ContextFile, len(objects), resources)
	case !objects[0].Is("", "ConfigMap"):
		return fmt.Errorf("%q does not contain kind %q in %s", upstream.ContextFile, "ConfigMap", resources)
	case objects[0].Name() != upstream.ContextName:
		return fmt.Errorf("%q does not contain resource named %q in %s", upstream.ContextFile, upstream.ContextName, resources)
	}
	if d := objects[0].Lookup("data"); d == nil || d.Kind != yaml.MappingNode {
		return fmt.Errorf("%q in %s: PackageContext no data field found", upstream.ContextFile, resources)
	}
	return nil
}

func contextDiffers(o *krm.Object, want *porchconfig.PackageContext) bool {
	for key, value := range want.Data {
		have := o.Lookup("data", key)
		if !slices.Contains(want.RemoveKeys, key) && (have == nil || have.Value != value) {
			return true
		}
	}
	return slices.ContainsFunc(want.RemoveKeys, func(key string) bool { return o.Lookup("data", key) != nil })
}

// setContext edits the data map: keys that exist keep their place and comments, new ones follow
// in sorted order, and removal wins.
func setContext(data *yaml.Node, want *porchconfig.PackageContext) {
	for _, key := range slices.Sorted(maps.Keys(want.Data)) {
		value := krm.StringNode(want.Data[key])
		if have := krm.Lookup(data, key); have != nil && have.Kind == yaml.ScalarNode {
			if have.Value != value.Value {
				have.Value, have.Tag = value.Value, value.Tag
				if have.Style == 0 {
					have.Style = value.Style
				}
			}
			continue
		}
		if len(data.Content) == 0 {
			data.Style &^= yaml.FlowStyle // "{}" becomes a block
		}
		krm.SetField(data, key, value)
	}
	for _, key := range want.RemoveKeys {
		krm.RemoveField(data, key)
	}
}
