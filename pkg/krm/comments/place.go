package comments

import "sigs.k8s.io/kustomize/kyaml/yaml"

// Place moves the comments of a document to places with which it can be written, as near to the old ones
// as possible. If there are none, it returns the first error of write.
func Place(doc *yaml.Node, write func() error) error {
	var first error
	for _, move := range []func(*yaml.Node){NormaliseEdited, hoistAll, hoistToTop} {
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

// hoistAll moves all comments below n but those above a field or an item, which the library always prints
// in their places.
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
