package comments

import "sigs.k8s.io/kustomize/kyaml/yaml"

// settler moves comments to where the YAML library prints them so that a reader finds them at the same
// field again. The library's parser gives some to a node behind which its printer writes none, and the
// next field gets them; then every hand-over as text would move them further. What stands there already
// stays, as in all that kpt has printed.
type settler struct {
	inLists  bool       // what is looked at stands in a list, at some depth
	directly bool       // it is a list that is itself an item
	owner    *yaml.Node // the key or item that it is the value of
	last     *yaml.Node // the last key of the object
}

// Settle moves the comments of a document, which is changed, to where they stay when it is written and read.
func Settle(doc *yaml.Node) {
	if Any(doc) {
		settleDocument(doc)
	}
}

// settleDocument settles one object, or those of a ResourceList.
func settleDocument(doc *yaml.Node) {
	root := doc.Content[0]
	if kind := valueOf(root, "kind"); kind != nil && kind.Value == "ResourceList" {
		settleList(root)
		return
	}
	settler{}.object(root)
	if trimEnd(&doc.FootComment); isBlock(root) && endsOpen(root) {
		settleEnd(root, doc)
	}
}

// settleEnd moves what stands below the last fields and items of a document above them, unless both they
// and the document have something there: then one keeps the other where it is.
func settleEnd(root, doc *yaml.Node) {
	var ends []*yaml.Node
	for n := root; isBlock(n); n = n.Content[len(n.Content)-1] {
		if end := lastOf(n); end.FootComment != "" {
			ends = append(ends, end)
		}
	}
	if len(ends) > 0 && doc.FootComment != "" {
		return
	}
	moveAbove(lastOf(root), &doc.FootComment)
	for _, end := range ends {
		moveAbove(end, &end.FootComment)
	}
}

// settleList settles the objects of a list as if each stood in a file of its own, where it will.
func settleList(root *yaml.Node) {
	if items := valueOf(root, "items"); items != nil {
		for _, item := range items.Content {
			settler{}.object(item)
		}
	}
	if config := valueOf(root, "functionConfig"); config != nil {
		settler{}.object(config)
	}
}

func (s settler) object(root *yaml.Node) {
	if isBlock(root) {
		s.owner, s.last = root.Content[0], lastOf(root)
		moveAbove(s.owner, &root.LineComment)
		moveAbove(s.owner, &root.FootComment)
		s.block(root)
	} else {
		settleFlow(root, root)
	}
}

// valueOf is the value of a field of a map, nil when there is none.
func valueOf(m *yaml.Node, name string) *yaml.Node {
	for i := 0; m.Kind == yaml.MappingNode && i+1 < len(m.Content); i += 2 {
		if key, v := m.Content[i], m.Content[i+1]; key.Kind == yaml.ScalarNode && key.Value == name {
			if v.Kind == yaml.AliasNode {
				v = v.Alias
			}
			return v
		}
	}
	return nil
}
