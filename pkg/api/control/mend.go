package control

import (
	"reflect"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// mended is what of n fits t, every element of a list in its place, with a zero value where
// checkShape finds fault. So the rest can be decoded and validated although part of it is wrong.
func mended(n *yaml.Node, t reflect.Type) *yaml.Node {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	n = krm.Deref(n)
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler) && len(checkShape(n, nil, t)) > 0:
		return &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	case reflect.PointerTo(t).Implements(unmarshaler):
		return n
	case t.Kind() == reflect.Struct:
		return mendedStruct(n, t)
	case t.Kind() == reflect.Slice:
		return mendedList(n, t)
	case t.Kind() == reflect.Map:
		return mendedMap(n, t)
	case len(checkScalar(n, nil, t)) > 0:
		return zeroScalars[t.Kind()]
	}
	return n
}

// zeroScalars are what stands for a scalar of the wrong type.
var zeroScalars = map[reflect.Kind]*yaml.Node{
	reflect.String: {Kind: yaml.ScalarNode, Tag: yaml.NodeTagString},
	reflect.Bool:   {Kind: yaml.ScalarNode, Tag: yaml.NodeTagBool, Value: "false"},
	reflect.Int64:  {Kind: yaml.ScalarNode, Tag: yaml.NodeTagInt, Value: "0"},
}

func mendedStruct(n *yaml.Node, t reflect.Type) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	if n.Kind != yaml.MappingNode {
		return out
	}
	known := fields(t)
	for i := 0; i+1 < len(n.Content); i += 2 {
		value := krm.Deref(n.Content[i+1])
		if ft, ok := known[n.Content[i].Value]; ok && !krm.IsNull(value) {
			out.Content = append(out.Content, n.Content[i], mended(value, ft))
		}
	}
	return out
}

func mendedList(n *yaml.Node, t reflect.Type) *yaml.Node {
	out := &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq}
	if n.Kind == yaml.SequenceNode {
		for _, e := range n.Content {
			out.Content = append(out.Content, mended(e, t.Elem()))
		}
	}
	return out
}

func mendedMap(n *yaml.Node, t reflect.Type) *yaml.Node {
	out := &yaml.Node{Kind: yaml.MappingNode, Tag: yaml.NodeTagMap}
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		out.Content = append(out.Content, n.Content[i], mended(n.Content[i+1], t.Elem()))
	}
	return out
}
