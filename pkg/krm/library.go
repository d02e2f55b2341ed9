package krm

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// byLibrary has the YAML library write a document, and holds what it wrote to say what the document
// says: the same data, and every comment. It prints some comments where they make the text say
// something else, or nothing at all, and some texts in blocks that no reader takes.
func byLibrary(doc *yaml.Node, wide bool) (text []byte, err error) {
	n := CopyNode(SelfContained(doc))
	err = place(n, func() error {
		if text, err = encodeNode(n, wide); err != nil {
			return err
		}
		return readsAs(text, n)
	})
	return text, err
}

// place puts the comments of a document where it can be written, as near to where they are as may be.
// With an error, the first that write had, there is no such place.
func place(doc *yaml.Node, write func() error) error {
	var first error
	for _, move := range []func(*yaml.Node){settleCopy, hoistAll, hoistToTop} {
		move(doc)
		err := write()
		if err == nil {
			return nil
		}
		if first == nil {
			first = err
		}
	}
	return first
}

// settleCopy makes of an edited document, which may be changed, what Read would have made of it.
func settleCopy(doc *yaml.Node) {
	steady(doc, false)
	if hasComments(doc) {
		settleDocument(doc)
	}
}

// hoistAll moves all comments below n but those that the library always prints where they are: above a
// field or an item.
func hoistAll(n *yaml.Node) {
	if n.Kind == yaml.DocumentNode {
		hoistAll(n.Content[0])
		return
	}
	if !isBlock(n) {
		hoistBelow(n, n)
		return
	}
	for i, at := range n.Content {
		v := at
		if n.Kind == yaml.MappingNode {
			if i%2 == 1 {
				continue
			}
			v = n.Content[i+1]
		}
		moveAbove(at, &at.LineComment)
		if hoistAll(v); v != at {
			moveAbove(at, &v.HeadComment)
			moveAbove(at, &v.LineComment)
			moveAbove(at, &v.FootComment)
		}
		moveAbove(at, &at.FootComment)
	}
}

// hoistToTop moves all comments of a document above its first field.
func hoistToTop(doc *yaml.Node) {
	at := doc.Content[0]
	if isBlock(at) {
		at = at.Content[0]
	}
	hoist(doc, at)
}
