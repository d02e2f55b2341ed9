package encode

import "sigs.k8s.io/kustomize/kyaml/yaml"

// flow writes a map or list in braces or brackets, on one line of any length as the library does,
// when it holds only words, numbers and quoted texts.
func (w *writer) flow(n *yaml.Node) bool {
	isMap, begin, end := n.Kind == yaml.MappingNode, byte('['), byte(']')
	if isMap {
		begin, end = '{', '}'
	}
	w.out = append(w.out, begin)
	for i, c := range n.Content {
		isKey := isMap && i%2 == 0
		switch {
		case i > 0 && (!isMap || isKey):
			w.out = append(w.out, ", "...)
		case i > 0:
			w.out = append(w.out, ": "...)
		}
		if !hasNoComments(c) || !w.inFlow(c, isKey) {
			return false
		}
	}
	w.out = append(w.out, end)
	return true
}

// bracketed is flow, to the end of the line.
func (w *writer) bracketed(n *yaml.Node) bool {
	ok := w.flow(n)
	w.out = append(w.out, '\n')
	return ok
}

// inFlow writes a value inside of braces or brackets.
func (w *writer) inFlow(n *yaml.Node, isKey bool) bool {
	switch {
	case n.Anchor != "" || n.Style&yaml.TaggedStyle != 0:
		return false
	case n.Kind == yaml.ScalarNode:
		return (n.Style != 0 || isPlainWord(n.Value)) && (!isKey || len(n.Value) <= longestKey) && w.scalar(n)
	case isKey:
		return false
	}
	return isBracketed(n) && w.flow(n)
}

// isBracketed reports whether n is a map or list in braces or brackets, without anchor and tag.
func isBracketed(n *yaml.Node) bool {
	tagged := n.Kind == yaml.MappingNode && n.Tag == yaml.NodeTagMap || n.Kind == yaml.SequenceNode && n.Tag == yaml.NodeTagSeq
	return tagged && n.Style == yaml.FlowStyle && n.Anchor == ""
}

// isPlainWord reports whether s is written without quotes in any place.
func isPlainWord(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9':
		case i > 0 && (c == '.' || c == '-' || c == '_' || c == '/'):
		default:
			return false
		}
	}
	return s != ""
}
