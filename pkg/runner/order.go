package runner

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// syncOrder puts the fields of to that from has first, in from's order, at every depth. Items of lists
// are paired by position. Values of another kind stay as they are.
func syncOrder(from, to *yaml.Node) {
	switch {
	case isEmpty(from) || isEmpty(to) || from.Kind != to.Kind:
	case krm.IsMap(from):
		syncFields(from, to)
	case from.Kind == yaml.SequenceNode:
		for i := range min(len(from.Content), len(to.Content)) {
			syncOrder(from.Content[i], to.Content[i])
		}
	}
}

func isEmpty(n *yaml.Node) bool {
	return isNull(n) || n.Kind != yaml.ScalarNode && n.Kind != yaml.AliasNode && len(n.Content) == 0
}

func syncFields(from, to *yaml.Node) {
	known := make([]*yaml.Node, 0, len(to.Content))
	placed := make([]bool, len(to.Content))
	index := newFields(to)
	for i := 0; i+1 < len(from.Content); i += 2 {
		if at := index.find(from.Content[i].Value); at >= 0 {
			placed[at] = true
			known = append(known, to.Content[at], to.Content[at+1])
			syncOrder(from.Content[i+1], to.Content[at+1])
		}
	}
	for at := 0; at+1 < len(to.Content); at += 2 {
		if !placed[at] {
			known = append(known, to.Content[at], to.Content[at+1])
		}
	}
	to.Content = known
}

// raiseHeadComments moves the comment above the first field of a list's item above the item: another
// field may have been first before.
func raiseHeadComments(n *yaml.Node) {
	switch n.Kind {
	case yaml.MappingNode:
		for _, c := range n.Content {
			raiseHeadComments(c)
		}
	case yaml.SequenceNode:
		for _, item := range n.Content {
			if len(item.Content) == 0 || item.Content[0].Kind != yaml.ScalarNode {
				continue
			}
			switch first := item.Content[0]; {
			case item.HeadComment == "":
				item.HeadComment = first.HeadComment // it also stays there, as in kpt
			case first.HeadComment != "":
				item.HeadComment += "\n" + first.HeadComment
				first.HeadComment = ""
			}
		}
	}
}
