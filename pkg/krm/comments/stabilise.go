package comments

import "sigs.k8s.io/kustomize/kyaml/yaml"

// stabiliser moves comments to places where the YAML library prints them so that a reader finds them at the
// same field again. The library's parser gives some to a node behind which its printer writes none, and
// the next field gets them; then each writing and reading would move them further. Comments that are in
// such places already stay, as in all files that kpt has printed.
type stabiliser struct {
	inLists  bool       // the current node is in a list, at some depth
	directly bool       // the current node is a list that is itself an item
	owner    *yaml.Node // the key or item of the current node
	last     *yaml.Node // the last key of the object
}

// Stabilise moves the comments of a document, which is changed, to places where they stay when it is written and read.
func Stabilise(doc *yaml.Node) {
	if Any(doc) {
		stabiliseDocument(doc)
	}
}

// stabiliseDocument stabilises one object, or those of a ResourceList.
func stabiliseDocument(doc *yaml.Node) {
	root := doc.Content[0]
	if kind := valueOf(root, "kind"); kind != nil && kind.Value == "ResourceList" {
		stabiliseList(root)
		return
	}
	stabiliser{}.object(root)
	if trimEnd(&doc.FootComment); isBlock(root) && endsOpen(root) {
		stabiliseEnd(root, doc)
	}
}

// stabiliseEnd moves the comments below the last fields and items of a document above them, unless both they
// and the document have one there: then they stay.
func stabiliseEnd(root, doc *yaml.Node) {
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

// stabiliseList stabilises the objects of a list as if each was in a file of its own, as it will be.
func stabiliseList(root *yaml.Node) {
	if items := valueOf(root, "items"); items != nil {
		for _, item := range items.Content {
			stabiliser{}.object(item)
		}
	}
	if config := valueOf(root, "functionConfig"); config != nil {
		stabiliser{}.object(config)
	}
}

func (s stabiliser) object(root *yaml.Node) {
	if isBlock(root) {
		s.owner, s.last = root.Content[0], lastOf(root)
		moveAbove(s.owner, &root.LineComment)
		moveAbove(s.owner, &root.FootComment)
		s.block(root)
	} else {
		stabiliseFlow(root, root)
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
