package krm

import (
	"bytes"
	"errors"
	"fmt"
	"iter"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/comments"
	"github.com/waybill-dev/waybill/pkg/krm/encode"
)

// AppendItems appends objects as a list with its dashes in the first column, with every annotation but
// without the comments around them in their files. It returns the start of each item and the end of the
// last. False means that only the library can write this list.
func AppendItems(dst []byte, objects []*Object) (out []byte, at []int, ok bool) {
	at = append(make([]int, 0, len(objects)+1), len(dst))
	for some := range atOnce(objects) {
		items, ok := writeItems(some)
		if !ok {
			return dst, nil, false
		}
		for _, text := range items {
			dst = append(dst, text...)
			at = append(at, len(dst))
		}
	}
	return dst, at, true
}

// itemsAtOnce is how many items the library writes at once: they share the cost of a start, and are in memory twice.
const (
	itemsAtOnce  = 8
	valuesAtOnce = 100_000
)

// atOnce cuts objects into those that are written together.
func atOnce(objects []*Object) iter.Seq[[]*Object] {
	return func(yield func([]*Object) bool) {
		for from, to := 0, 0; from < len(objects); from = to {
			for values := 0; to < len(objects) && to < from+itemsAtOnce && values < valuesAtOnce; to++ {
				values += CountValues(objects[to].Head())
			}
			if !yield(objects[from:to]) {
				return
			}
		}
	}
}

// writeItems is the text of each item.
func writeItems(objects []*Object) ([][]byte, bool) {
	items := make([][]byte, len(objects))
	var out []byte
	var others []*yaml.Node
	for i, o := range objects {
		start, root := len(out), o.Node()
		if IsMap(root) && len(root.Content) > 0 {
			var plain bool
			if out, plain = encode.AppendItem(out, root); plain {
				items[i] = out[start:]
				continue
			}
			out = out[:start]
		}
		others = append(others, CopyNode(SelfContained(root)))
	}
	texts, ok := itemsByLibrary(others)
	if !ok {
		return nil, false
	}
	for i := range items {
		if items[i] == nil {
			items[i], texts = texts[0], texts[1:]
		}
	}
	return items, true
}

// itemsByLibrary has the library write items, which are copies.
func itemsByLibrary(items []*yaml.Node) ([][]byte, bool) {
	if len(items) == 0 {
		return nil, true
	}
	docs := make([]*yaml.Node, len(items))
	for i, n := range items {
		docs[i] = &yaml.Node{Kind: yaml.DocumentNode, Content: []*yaml.Node{n}}
		comments.NormaliseEdited(docs[i])
	}
	if out, err := itemsOf(docs); err == nil {
		return out, true
	}
	for i := range docs { // one of them needs other places
		alone := func() error { _, err := itemsOf(docs[i : i+1]); return err }
		if comments.Place(docs[i], alone) != nil {
			return nil, false
		}
	}
	out, err := itemsOf(docs)
	return out, err == nil
}

// itemsOf has the library write the objects in documents, with a mark after each: the text
// between two marks belongs to one item.
func itemsOf(docs []*yaml.Node) ([][]byte, error) {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, doc := range docs {
		list.Content = append(list.Content, doc.Content[0], StringNode("end"))
	}
	whole := MapNode(StringNode("items"), list)
	data, err := encode.Node(whole, false)
	if err == nil {
		err = encode.Verify(data, whole)
	}
	if err != nil {
		return nil, err
	}
	text, headed := bytes.CutPrefix(data, []byte("items:\n"))
	text, ended := bytes.CutSuffix(text, []byte("\n- end\n"))
	out := bytes.Split(text, []byte("\n- end\n"))
	for i := range out {
		out[i] = append(out[i][:len(out[i]):len(out[i])], '\n')
	}
	if !headed || !ended || len(out) != len(docs) {
		return nil, errors.New("its items cannot be separated")
	}
	return out, nil
}

// AppendString appends a string of that style as Write writes it after a key or dash at column (always an
// even number), to the end of its last line.
func AppendString(dst []byte, s string, style yaml.Style, column int) ([]byte, error) {
	if out, ok := encode.AppendString(dst, s, style, column); ok {
		return out, nil
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: s, Style: style}
	return appendByLibrary(dst, n, column)
}

// appendByLibrary has the library write n, inside of as many maps as column needs.
func appendByLibrary(dst []byte, n *yaml.Node, column int) ([]byte, error) {
	var above []byte
	m := MapNode(StringNode("k"), n)
	for c := 0; c < column; c += 2 {
		m = MapNode(StringNode("k"), m)
		above = fmt.Appendf(above, "%*sk:\n", c, "")
	}
	above = fmt.Appendf(above, "%*sk: ", column, "")
	data, err := WriteRaw(FromNode(m))
	text, ok := bytes.CutPrefix(data, above)
	if err == nil && !ok {
		err = fmt.Errorf("no string can stand at column %d", column)
	}
	return append(dst, text...), err
}
