package manifest

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// Map is a mapping of alternating names and values; a value is a string or a node.
func Map(namesAndValues ...any) *yaml.Node {
	m := krm.MapNode()
	for i := 0; i < len(namesAndValues); i += 2 {
		value, isNode := namesAndValues[i+1].(*yaml.Node)
		if !isNode {
			value = String(namesAndValues[i+1].(string))
		}
		m.Content = append(m.Content, krm.StringNode(namesAndValues[i].(string)), value)
	}
	return m
}

// List is a list of nodes.
func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}

// Items are the items of a list; none if n is not a list.
func Items(list *yaml.Node) (out []*yaml.Node) {
	if list = krm.Deref(list); !krm.IsList(list) {
		return nil
	}
	for _, item := range list.Content {
		out = append(out, krm.Deref(item))
	}
	return out
}

// String is a string in a style that every reader takes as text.
func String(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: textStyle(s)}
}

// InWork are the manifests of a work.
func InWork(work *krm.Object) []*yaml.Node {
	return Items(work.Lookup("spec", "workload", "manifests"))
}

// DeleteOptionField is the field of a work's spec that says what agents leave on the cluster.
const DeleteOptionField = "deleteOption"
