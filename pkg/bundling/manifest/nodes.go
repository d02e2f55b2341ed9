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

func List(items ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: items}
}

// Items are the items of a list; none of what is no list.
func Items(list *yaml.Node) (out []*yaml.Node) {
	if list = krm.Deref(list); list == nil || list.Kind != yaml.SequenceNode {
		return nil
	}
	for _, item := range list.Content {
		out = append(out, krm.Deref(item))
	}
	return out
}

// String is a string that every reader takes for one.
func String(s string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: textStyle(s)}
}

func InWork(work *krm.Object) []*yaml.Node {
	return Items(work.Lookup("spec", "workload", "manifests"))
}

const DeleteOptionField = "deleteOption"
