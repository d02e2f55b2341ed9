package krm

import (
	"bytes"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// plainDocument is what the parser makes of text, in a tenth of the time; nil if text is not plain, or has comments, blocks, null, or
// values that only the parser knows.
func plainDocument(text []byte) *yaml.Node {
	doc := &yaml.Node{Kind: yaml.DocumentNode, Column: 1}
	b := nodeBuilder{Scanner: plain.New(text), open: []*yaml.Node{doc}}
	for b.Next() {
		if b.line++; !b.read() {
			return nil
		}
	}
	if !b.Plain() || b.waits || len(doc.Content) == 0 {
		return nil
	}
	doc.Line = doc.Content[0].Line
	return doc
}

// nodeBuilder is the state of plainDocument.
type nodeBuilder struct {
	*plain.Scanner
	line  int
	open  []*yaml.Node // the document, and the collections that the line may belong to
	waits bool         // the last key has no value yet
}

// read adds what a line says; false if only the parser knows that.
func (b *nodeBuilder) read() bool {
	entries := b.Dashes
	if b.Key != nil {
		entries++
	}
	switch {
	case b.Kind == plain.Blank:
		return true
	case b.Kind < plain.Below, b.Kind == plain.Block, b.Comment != nil, b.waits && b.Opens < entries: // a key above is null
		return false
	}
	outer := b.Depth() - b.Opens
	b.open = b.open[:1+outer]
	for i := outer; i < b.Depth(); i++ {
		b.push(b.Level(i))
	}
	if b.Key != nil {
		column, _ := b.Level(b.Depth() - 1)
		n := b.add(yaml.ScalarNode, yaml.NodeTagString, column)
		if n.Value = string(b.Key); !isCertainlyText(n.Value) {
			return false
		}
	}
	b.waits = b.Kind == plain.Below
	return b.waits || b.addValue()
}

// push begins a collection in the innermost one.
func (b *nodeBuilder) push(column int, list bool) {
	kind, tag := yaml.MappingNode, yaml.NodeTagMap
	if list {
		kind, tag = yaml.SequenceNode, yaml.NodeTagSeq
	}
	b.open = append(b.open, b.add(kind, tag, column))
}

// add adds a key, a value or an item to the innermost collection.
func (b *nodeBuilder) add(kind yaml.Kind, tag string, column int) *yaml.Node {
	n := &yaml.Node{Kind: kind, Tag: tag, Line: b.line, Column: column + 1}
	in := b.open[len(b.open)-1]
	in.Content = append(in.Content, n)
	return n
}

// addValue adds the value of the line.
func (b *nodeBuilder) addValue() bool {
	text, column := b.Value, b.ValueStart-b.Start
	switch b.Kind {
	case plain.Empty:
		tag, kind := yaml.NodeTagMap, yaml.MappingNode
		if text[0] == '[' {
			tag, kind = yaml.NodeTagSeq, yaml.SequenceNode
		}
		b.add(kind, tag, column).Style = yaml.FlowStyle
		return true
	case plain.Word:
		n := b.add(yaml.ScalarNode, "", column)
		n.Value = string(text)
		n.Tag = plainTag(n.Value)
		return n.Tag != ""
	}
	n := b.add(yaml.ScalarNode, yaml.NodeTagString, column)
	n.Value, n.Style = string(text[1:len(text)-1]), yaml.SingleQuotedStyle
	if b.Kind == plain.Double {
		n.Style = yaml.DoubleQuotedStyle
	}
	return bytes.IndexByte(text, '\\') < 0 && strings.IndexByte(n.Value, '\'') < 0 // which may be written twice
}

// plainTag is the tag of a word; "" if only the parser knows it.
func plainTag(word string) string {
	if word[0] > '9' || word[0] == '/' { // a letter, mostly
		switch {
		case word == "true" || word == "false":
			return yaml.NodeTagBool
		case isCertainlyText(word):
			return yaml.NodeTagString
		}
		return ""
	}
	if len(word) < 19 && (word[0] != '0' || len(word) == 1) && len(strings.Trim(word, "0123456789")) == 0 {
		return yaml.NodeTagInt
	}
	return ""
}
