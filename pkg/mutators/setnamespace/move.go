package setnamespace

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// references are the fields, by kind, that name the namespace of another object. A missing one is not
// made.
var references = map[krm.ID]string{
	{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}: "spec/conversion/webhook/clientConfig/service/namespace",
	{Group: "apiregistration.k8s.io", Kind: "APIService"}:             "spec/service/namespace",
}

// move sets every namespace in n, a copy of o.
func (m *mover) move(o *krm.Object, n *yaml.RNode) error {
	if err := m.moveObject(o, n); err != nil {
		return err
	}
	root := n.YNode()
	if path := references[krm.ID{Group: o.Group(), Kind: o.Kind()}]; path != "" {
		edit.Visit(root, path, m.moveText)
	}
	if o.Kind() == "RoleBinding" || o.Kind() == "ClusterRoleBinding" {
		visitAccounts(root, m.moveText)
	}
	edit.RewriteDependsOn(root, func(id krm.ID) krm.ID {
		if to, ok := m.moved[id]; ok {
			return to
		}
		return id
	})
	return nil
}

// moveObject sets the namespace of o, or the name of a Namespace.
func (m *mover) moveObject(o *krm.Object, n *yaml.RNode) error {
	switch {
	case m.renames(o):
		return setText(n, "name", m.opts.Namespace)
	case m.relocates(o):
		return setText(n, "namespace", m.opts.Namespace)
	}
	return nil
}

// setText sets a field of metadata, at its end where it is missing.
func setText(n *yaml.RNode, name, text string) error {
	metadata := krm.Lookup(n.YNode(), "metadata")
	if metadata == nil || metadata.Kind != yaml.MappingNode {
		return edit.Fault("metadata", "want a map")
	}
	switch value := krm.Lookup(metadata, name); {
	case value == nil:
		krm.SetField(metadata, name, krm.StringNode(text))
	case value.Kind != yaml.ScalarNode:
		return edit.Fault("metadata."+name, "want text")
	default:
		edit.SetText(value, text, edit.DropQuotes)
	}
	return nil
}

// moveText sets the namespace in a reference.
func (m *mover) moveText(n *yaml.Node) {
	if edit.IsText(n) && m.moves(n.Value, "") {
		edit.SetText(n, m.opts.Namespace, edit.DropQuotes)
	}
}

// visitAccounts calls f with the namespace of every service account of a binding. Users and groups are in no namespace, even
// when they name one.
func visitAccounts(binding *yaml.Node, f func(*yaml.Node)) {
	edit.Visit(binding, "subjects", func(subject *yaml.Node) {
		if krm.Text(subject, "kind") == "ServiceAccount" {
			edit.Visit(subject, "namespace", f)
		}
	})
}
