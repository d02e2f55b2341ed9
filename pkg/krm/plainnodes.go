package krm

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// plainDocument is what the parser makes of text, in a tenth of the time; nil if text is not certainly as plain as what functions write:
// mappings and lists in blocks, a key or an item in each line, and values that are words, or quoted without escapes. Such text has no
// comment, anchor, alias or tag.
func plainDocument(text []byte) *yaml.Node {
	p := plainParser{line: 1}
	for len(text) > 0 {
		end := bytes.IndexByte(text, '\n')
		if end < 0 || !p.read(text[:end]) {
			return nil
		}
		text = text[end+1:]
		p.line++
	}
	if len(p.open) == 0 || p.waits {
		return nil
	}
	return &yaml.Node{Kind: yaml.DocumentNode, Line: 1, Column: 1, Content: []*yaml.Node{p.open[0]}}
}

// plainParser is the state of plainDocument.
type plainParser struct {
	line  int
	open  []*yaml.Node // the collections that the line may belong to, outermost first
	waits bool         // the last key has no value yet
}

// mostOpen is less than the limit of nested collections.
const mostOpen = 50

// read reads a line; false if it is not plain.
func (p *plainParser) read(line []byte) bool {
	rest := bytes.TrimLeft(line, " ")
	column := len(line) - len(rest) + 1
	item, isItem := bytes.CutPrefix(rest, []byte("- "))
	key := plainKey(rest)
	switch {
	case isItem && p.enter(yaml.SequenceNode, column):
		if key = plainKey(item); key == nil {
			return p.scalar(item, column+2)
		}
		return len(p.open) < mostOpen && p.push(yaml.MappingNode, column+2) && p.field(key, item, column+2)
	case key != nil && p.enter(yaml.MappingNode, column):
		return p.field(key, rest, column)
	}
	return false
}

// enter makes the collection of that kind at that column the current one.
func (p *plainParser) enter(kind yaml.Kind, column int) bool {
	last := len(p.open) - 1
	if last < 0 {
		return kind == yaml.MappingNode && column == 1 && p.push(kind, column)
	}
	if p.waits {
		p.waits = false
		above := p.open[last].Column
		return last < mostOpen && (column > above || column == above && kind == yaml.SequenceNode) && p.push(kind, column)
	}
	for last > 0 && endsBefore(p.open[last], kind, column) {
		last--
	}
	p.open = p.open[:last+1]
	return p.open[last].Column == column && p.open[last].Kind == kind
}

// endsBefore reports whether n ends before a line that belongs to a collection of that kind at that column.
func endsBefore(n *yaml.Node, kind yaml.Kind, column int) bool {
	return n.Column > column || n.Column == column && n.Kind == yaml.SequenceNode && kind == yaml.MappingNode
}

// push begins a collection in the current one.
func (p *plainParser) push(kind yaml.Kind, column int) bool {
	n := &yaml.Node{Kind: kind, Tag: yaml.NodeTagMap, Line: p.line, Column: column}
	if kind == yaml.SequenceNode {
		n.Tag = yaml.NodeTagSeq
	}
	if len(p.open) > 0 {
		p.add(n)
	}
	p.open = append(p.open, n)
	return true
}

// add adds a key, a value or an item to the current collection.
func (p *plainParser) add(n *yaml.Node) {
	in := p.open[len(p.open)-1]
	in.Content = append(in.Content, n)
}

// field reads a key, with which text begins, and its value.
func (p *plainParser) field(key, text []byte, column int) bool {
	p.add(&yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Value: string(key), Line: p.line, Column: column})
	value := text[len(key)+1:]
	if p.waits = len(value) == 0; p.waits {
		return true
	}
	return p.scalar(value[1:], column+len(key)+2)
}

// scalar adds a value.
func (p *plainParser) scalar(text []byte, column int) bool {
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagString, Line: p.line, Column: column}
	last := len(text) - 1
	switch {
	case last > 0 && text[0] == '"' && text[last] == '"' && isBetweenQuotes(text[1:last]):
		n.Style, text = yaml.DoubleQuotedStyle, text[1:last]
	case last > 0 && text[0] == '\'' && text[last] == '\'' && isBetweenQuotes(text[1:last]):
		n.Style, text = yaml.SingleQuotedStyle, text[1:last]
	default:
		n.Tag = plainTag(text)
	}
	n.Value = string(text)
	p.add(n)
	return n.Tag != ""
}

// plainKey is the key that text begins with; nil if that is not certainly a text.
func plainKey(text []byte) []byte {
	n := 0
	for n < len(text) && isWordByte[text[n]] {
		n++
	}
	const most = 128 // parsers take 1024
	if n == 0 || n > most || n == len(text) || text[n] != ':' || n+1 < len(text) && text[n+1] != ' ' || !isCertainWord(text[:n]) {
		return nil
	}
	return text[:n]
}

// plainTag is the tag of a value without quotes; "" if only the parser can say what it is.
func plainTag(text []byte) string {
	digits := len(text) > 0 && len(text) < 19 && (text[0] != '0' || len(text) == 1)
	for i, c := range text {
		if !isWordByte[c] && (c != ':' || i+1 == len(text) || !isWordByte[text[i+1]]) {
			return ""
		}
		digits = digits && '0' <= c && c <= '9'
	}
	switch {
	case digits:
		return yaml.NodeTagInt
	case string(text) == "true" || string(text) == "false":
		return yaml.NodeTagBool
	case isCertainWord(text):
		return yaml.NodeTagString
	}
	return ""
}

// isCertainWord reports whether a word is a text.
func isCertainWord(text []byte) bool {
	return len(text) > 0 && 'a' <= text[0]|0x20 && text[0]|0x20 <= 'z' && isCertainlyText(string(text))
}

// isBetweenQuotes reports whether text means itself between quotes of any kind.
func isBetweenQuotes(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' || c == '\\' || c == '"' || c == '\'' {
			return false
		}
	}
	return true
}

// isWordByte says which bytes of a word have no meaning in YAML.
var isWordByte = func() (is [256]bool) {
	for c := range 256 {
		is[c] = '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' || c == '_' || c == '/' || c == '.' || c == '-'
	}
	return is
}()
