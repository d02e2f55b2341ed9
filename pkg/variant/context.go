package variant

import (
	"fmt"
	"maps"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

const (
	contextFile = "package-context.yaml"
	contextName = "kptfile.kpt.dev"
)

func isContext(o *krm.Object) bool { return o.Is("", "ConfigMap") && o.Name() == contextName }

// addContext drops every package context there is and adds that of name at the root.
func addContext(tree pkgtree.Tree, name, packagePath string) (pkgtree.Tree, error) {
	files, err := readFiles(tree, isResource)
	if err != nil {
		return tree, err
	}
	tree, err = replace(tree, files, func(o *krm.Object) *krm.Object {
		if isContext(o) {
			return nil
		}
		return o
	})
	if err != nil {
		return tree, err
	}
	rest, _ := tree.Get(contextFile) // other objects of a file of that name
	others, err := krm.Read(contextFile, rest, krm.Limits{})
	if err != nil {
		return tree, err
	}
	data, err := encode(contextFile, append([]*krm.Object{newContext(name, packagePath)}, others...))
	if err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{contextFile: data})
}

func newContext(name, packagePath string) *krm.Object {
	text := krm.StringNode
	local := text("true")
	local.Style = yaml.DoubleQuotedStyle
	data := krm.MapNode(text("name"), text(name))
	if packagePath != "" {
		krm.SetField(data, "package-path", text(packagePath))
	}
	return krm.FromNode(krm.MapNode(
		text("apiVersion"), text("v1"),
		text("kind"), text("ConfigMap"),
		text("metadata"), krm.MapNode(
			text("name"), text(contextName),
			text("annotations"), krm.MapNode(text(krm.LocalConfigAnnotation), local),
		),
		text("data"), data,
	))
}

// mutateContext sets and removes keys of the package context as want says. resources names the
// package in errors, in Porch's words.
func mutateContext(tree pkgtree.Tree, want *porchconfig.PackageContext, resources string) (pkgtree.Tree, error) {
	if want == nil || len(want.Data) == 0 && len(want.RemoveKeys) == 0 {
		return tree, nil
	}
	data, ok := tree.Get(contextFile)
	if !ok {
		return tree, fmt.Errorf("%q not found in %s", contextFile, resources)
	}
	objects, err := krm.Read(contextFile, data, krm.Limits{})
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
	return tree.Apply(map[string][]byte{contextFile: out})
}

func checkContext(objects []*krm.Object, resources string) error {
	switch {
	case len(objects) != 1:
		return fmt.Errorf("%q does not contain exactly one object but %d in %s", contextFile, len(objects), resources)
	case !objects[0].Is("", "ConfigMap"):
		return fmt.Errorf("%q does not contain kind %q in %s", contextFile, "ConfigMap", resources)
	case objects[0].Name() != contextName:
		return fmt.Errorf("%q does not contain resource named %q in %s", contextFile, contextName, resources)
	}
	if d := objects[0].Lookup("data"); d == nil || d.Kind != yaml.MappingNode {
		return fmt.Errorf("%q in %s: PackageContext no data field found", contextFile, resources)
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
