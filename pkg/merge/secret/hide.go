package secret

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Hide replaces every value that must be hidden in an object without aliases by Hidden, and reports whether there was one. The
// names of fields and the comments stay.
func Hide(n *yaml.Node) (hidden bool) { return hide("", n) }

func hide(name string, n *yaml.Node) (hidden bool) {
	if Is(n) {
		hideSecrets(n)
		return true
	}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			hidden = hide("", item) || hidden
		}
		return hidden
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if field := n.Content[i].Value; HidesAnnotation(name, field, n.Content[i+1]) {
			n.Content[i+1], hidden = krm.StringNode(Hidden), true
		} else {
			hidden = hide(field, n.Content[i+1]) || hidden
		}
	}
	return hidden
}

// hideSecrets hides the values of a Secret, or of each Secret of a list.
func hideSecrets(n *yaml.Node) {
	if items := krm.Lookup(n, "items"); isList(n) && items.Kind == yaml.SequenceNode {
		for i, item := range items.Content {
			if item.Kind != yaml.MappingNode {
				items.Content[i] = krm.StringNode(Hidden)
				continue
			}
			hideFields(item)
		}
		return
	}
	hideFields(n)
}

// hideFields hides the values of one Secret.
func hideFields(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		switch isMap := value.Kind == yaml.MappingNode; {
		case name == "metadata" && isMap:
			hideMetadata(value)
		case isMap && !Public(name):
			hideValues(value, func(string) bool { return false })
		case !Public(name) || value.Kind != yaml.ScalarNode: // such as a list as type
			n.Content[i+1] = krm.StringNode(Hidden)
		}
	}
}

func hideMetadata(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		switch {
		case name != "annotations":
		case value.Kind == yaml.MappingNode:
			hideValues(value, func(annotation string) bool { return Public("metadata", name, annotation) })
		default:
			n.Content[i+1] = krm.StringNode(Hidden)
		}
	}
}

// hideValues hides the values in n except those with public names.
func hideValues(n *yaml.Node, public func(name string) bool) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !public(n.Content[i].Value) {
			n.Content[i+1] = krm.StringNode(Hidden)
		}
	}
}
