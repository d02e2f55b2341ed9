package runner

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// edit changes o as functions do, step by step: two bytes of program choose a node and what happens
// to it.
func edit(o *krm.Object, program []byte) {
	for ; len(program) >= 2; program = program[2:] {
		nodes := containers(o.Node(), nil)
		if len(nodes) == 0 {
			return
		}
		editNode(nodes[int(program[0])%len(nodes)], int(program[1]))
	}
}

// containers lists the maps and lists of n that are not empty.
func containers(n *yaml.Node, all []*yaml.Node) []*yaml.Node {
	if len(n.Content) > 0 {
		all = append(all, n)
	}
	for _, c := range n.Content {
		all = containers(c, all)
	}
	return all
}

// editNode does one thing to the children of n. Objects stay valid: keys are unique.
func editNode(n *yaml.Node, step int) {
	width := 1
	if n.Kind == yaml.MappingNode {
		width = 2
	}
	at := step / 16 % (len(n.Content) / width) * width
	last := &n.Content[at+width-1]
	switch step % 16 {
	case 0: // remove
		n.Content = append(n.Content[:at:at], n.Content[at+width:]...)
	case 1, 2, 3: // move to the end
		moved := n.Content[at : at+width : at+width]
		n.Content = append(append(n.Content[:at:at], n.Content[at+width:]...), moved...)
	case 4: // new in front
		fresh := []*yaml.Node{krm.StringNode("new")}
		if width == 2 {
			krm.RemoveField(n, "new")
			fresh = append(fresh, krm.StringNode("field"))
		}
		n.Content = append(fresh, n.Content...)
	case 5: // repeat an item
		if width == 1 {
			n.Content = append(n.Content, krm.CopyNode(n.Content[at]))
		}
	case 6:
		*last = krm.StringNode("other")
	case 7:
		*last = &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	case 8:
		*last = krm.MapNode(krm.StringNode("other"), krm.StringNode("shape"))
	case 9:
		(*last).LineComment = "# edited"
	case 10:
		n.Content[at].HeadComment = "# edited"
	default: // lose comments
		strip(n)
	}
}

func strip(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		strip(c)
	}
}
