package secret

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Hide replaces, in an object without aliases, every value that is not to be shown; false if there is none. Names of fields
// stay, comments do as well.
func Hide(n *yaml.Node) (did bool) { return hide("", n) }

func hide(name string, n *yaml.Node) (did bool) {
	if Is(n) {
		hideSecrets(n)
		return true
	}
	if n.Kind != yaml.MappingNode {
		for _, item := range n.Content {
			did = hide("", item) || did
		}
		return did
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if field := n.Content[i].Value; Annotation(name, field, n.Content[i+1]) {
			n.Content[i+1], did = krm.StringNode(Hidden), true
		} else {
			did = hide(field, n.Content[i+1]) || did
		}
	}
	return did
}

// hideSecrets hides what a Secret holds, or each of several.
func hideSecrets(n *yaml.Node) {
	if items := krm.Lookup(n, "items"); Several(n) && items.Kind == yaml.SequenceNode {
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

// hideFields leaves of what may be secret the names at most.
func hideFields(n *yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		name, value := n.Content[i].Value, n.Content[i+1]
		switch isMap := value.Kind == yaml.MappingNode; {
		case name == "metadata" && isMap:
			hideMetadata(value)
		case isMap && !Open(name):
			hideValues(value, func(string) bool { return false })
		case !Open(name) || value.Kind != yaml.ScalarNode: // or it is none of a Secret's
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
			hideValues(value, func(annotation string) bool { return Open("metadata", name, annotation) })
		default:
			n.Content[i+1] = krm.StringNode(Hidden)
		}
	}
}

// hideValues hides the values in n but those under names that are open.
func hideValues(n *yaml.Node, open func(name string) bool) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if !open(n.Content[i].Value) {
			n.Content[i+1] = krm.StringNode(Hidden)
		}
	}
}
