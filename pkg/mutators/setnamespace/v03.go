package setnamespace

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// V03 is set-namespace as the catalogue's v0.3 works: it replaces one namespace by another where it is named, and adds none.
// The namespace is that of namespaceMatcher, else that of the only Namespace, else the only one that objects are in.
var V03 = &fn.Function{Name: functionName, Kind: configKind, Doc: Function.Doc, Run: runV03}

func runV03(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	m, err := newMover(in)
	if err != nil {
		return nil, err
	}
	if m.opts.NamespaceMatcher, err = m.replacedNamespace(in); err != nil {
		return nil, err
	}
	m.onlySet = true
	return m.run(ctx, in)
}

// replacedNamespace is the namespace that v0.3 replaces.
func (m *mover) replacedNamespace(in *fn.Input) (string, error) {
	objects, count, named := map[string]bool{}, 0, map[string]bool{}
	for _, o := range in.Items {
		if keepsNamespace(o) {
			continue
		}
		if isNamespace(o) {
			objects[o.Name()] = true
			count++
		}
		m.visitNamespaces(o, func(namespace string) { named[namespace] = true })
	}
	names, at := slices.Sorted(maps.Keys(objects)), edit.OptionAt(in.Config, "namespace")
	switch {
	case m.opts.NamespaceMatcher != "" && count > 0:
		return "", field.Forbidden(edit.OptionAt(in.Config, "namespaceMatcher"), "v0.3 does not accept it for a package with a Namespace")
	case m.opts.NamespaceMatcher != "":
		return m.opts.NamespaceMatcher, nil
	case count > 1:
		return "", field.Forbidden(at, "v0.3 accepts one Namespace, and the package has several: "+strings.Join(names, ", "))
	case count == 1:
		return names[0], nil
	case len(named) == 1:
		return slices.Collect(maps.Keys(named))[0], nil
	case len(named) == 0:
		return "", field.Forbidden(at, "no object has a namespace, and v0.3 adds none; use v0.4")
	}
	return "", severalNamespaces(slices.Sorted(maps.Keys(named)))
}

// visitNamespaces calls f with every namespace that o names, in the fields that v0.3 replaces.
func (m *mover) visitNamespaces(o *krm.Object, f func(string)) {
	text := func(n *yaml.Node) {
		if edit.IsText(n) {
			f(n.Value)
		}
	}
	switch path := references[krm.ID{Group: o.Group(), Kind: o.Kind()}]; {
	case path != "":
		edit.Visit(o.Node(), path, text)
	case o.Kind() == "ClusterRoleBinding":
		visitAccounts(o.Node(), text)
	case m.namespaced(o):
		text(o.Lookup("metadata", "namespace"))
	}
}
