package upstream

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// The file of the package context, and the name of its ConfigMap.
const (
	ContextFile = "package-context.yaml"
	ContextName = "kptfile.kpt.dev"
)

// isPackageContext reports whether o is a package context.
func isPackageContext(o *krm.Object) bool { return o.Is("", "ConfigMap") && o.Name() == ContextName }

// AddContext removes every package context and adds the one of the package called name at the root.
// packagePath is "" when it is not known.
func AddContext(tree pkgtree.Tree, name, packagePath string) (pkgtree.Tree, error) {
	changes := map[string][]byte{}
	for file, blob := range tree.All() {
		if !mayHoldContext(file, blob) {
			continue
		}
		data, err := withoutContext(file, blob)
		if err != nil {
			return tree, err
		}
		changes[file] = data
	}
	rest, ok := changes[ContextFile] // other objects of a file of that name
	if !ok {
		rest, _ = tree.Get(ContextFile)
	}
	others, err := krm.Read(ContextFile, rest, krm.Limits{})
	if err == nil {
		changes[ContextFile], err = krm.Write(append([]*krm.Object{newContext(name, packagePath)}, others...))
	}
	if err != nil {
		return tree, err
	}
	return tree.Apply(changes)
}

func mayHoldContext(file string, blob *pkgtree.Blob) bool {
	switch path.Ext(file) {
	case ".yaml", ".yml", ".json":
		return bytes.Contains(blob.Data(), []byte(ContextName))
	}
	return false
}

// withoutContext is a file without its contexts: the same bytes if it has none, nil if it holds
// nothing else.
func withoutContext(file string, blob *pkgtree.Blob) ([]byte, error) {
	objects, err := krm.Read(file, blob.Data(), krm.Limits{})
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(objects), isPackageContext)
	switch {
	case len(rest) == len(objects):
		return blob.Data(), nil
	case len(rest) == 0:
		return nil, nil
	case path.Ext(file) == ".json":
		return nil, fmt.Errorf("%s: holds a package context beside other objects; remove it from the file", file)
	}
	return krm.Write(rest)
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
			text("name"), text(ContextName),
			text("annotations"), krm.MapNode(text(krm.LocalConfigAnnotation), local),
		),
		text("data"), data,
	))
}
