package manifest

import (
	"bytes"
	"errors"
	"fmt"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/expansion"
)

// Layout is the text of an object in a work, with gaps for its templates. It is written once; a cluster receives that text
// with the cluster's values in the gaps.
type Layout struct {
	parts   []string // one more than there are gaps
	columns []int    // of the key or dash before each gap
}

// The text above the manifests and above the configs of a work, which are items of lists.
const (
	ManifestsHead = "spec:\n  workload:\n    manifests:\n"
	ConfigsHead   = "  manifestConfigs:\n"
)

// NewLayout is the layout of root with a gap at each leaf.
func NewLayout(root *yaml.Node, t *expansion.Template, leaves []Leaf) (Layout, error) {
	whole, err := ItemText(root)
	if err != nil || len(leaves) == 0 {
		return Layout{parts: []string{whole}}, err
	}
	mark := markFor(whole)
	marks := make([]string, len(leaves))
	for i := range marks {
		marks[i] = mark
	}
	marked := t.Build(marks).Node()
	for _, l := range leaves {
		at(marked, l.path).Style = 0
	}
	text, err := ItemText(marked)
	if err != nil {
		return Layout{}, err
	}
	return cutAt(text, mark, len(leaves))
}

// markFor is a word that does not occur in text and needs no quotes.
func markFor(text string) string {
	for i := 0; ; i++ {
		if mark := fmt.Sprintf("Gap%dHere", i); !strings.Contains(text, mark) {
			return mark
		}
	}
}

// cutAt cuts text into the parts between the marks, each of which is at the end of its line.
func cutAt(text, mark string, gaps int) (Layout, error) {
	l := Layout{parts: strings.Split(text, mark+"\n")}
	if len(l.parts) != gaps+1 {
		return l, fmt.Errorf("has %d strings that templates fill in, but %d places for them", gaps, len(l.parts)-1)
	}
	for _, part := range l.parts[:gaps] {
		l.columns = append(l.columns, lastColumn(part))
	}
	return l, nil
}

// lastColumn is the column of the key or dash at the end of text.
func lastColumn(text string) int {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	column := len(line) - len(strings.TrimLeft(line, " "))
	for strings.HasPrefix(line[column:], "- ") && len(line) > column+len("- ") {
		column += len("- ")
	}
	return column
}

// ItemText is n as an item of a work's manifests.
func ItemText(n *yaml.Node) (string, error) {
	return TextBelow(Map("spec", Map("workload", Map("manifests", List(n)))), ManifestsHead)
}

// ConfigText is n as an item of a work's configs.
func ConfigText(n *yaml.Node) (string, error) {
	const spec = "spec:\n"
	return TextBelow(Map("spec", Map("manifestConfigs", List(n))), spec+ConfigsHead)
}

// TextBelow is the text of n without its head.
func TextBelow(n *yaml.Node, head string) (string, error) {
	data, err := krm.WriteRaw(krm.FromNode(n))
	if err != nil {
		return "", err
	}
	item, ok := bytes.CutPrefix(data, []byte(head))
	if !ok {
		return "", errors.New("is written in an unexpected way") // never happens: this package knows the head
	}
	return string(item), nil
}

// AppendTo appends the object with values in its gaps, in the order of leaves.
func (l Layout) AppendTo(dst []byte, leaves []Leaf, values []string) (_ []byte, err error) {
	for i, column := range l.columns {
		dst = append(dst, l.parts[i]...)
		value := values[leaves[i].Value]
		if dst, err = krm.AppendString(dst, value, textStyle(value), column); err != nil {
			return dst, err
		}
	}
	return append(dst, l.parts[len(l.columns)]...), nil
}

// Size estimates how much AppendTo appends.
func (l Layout) Size(values []string) (total int) {
	for _, part := range l.parts {
		total += len(part)
	}
	const quotesAndLineEnd = 3
	for _, value := range values {
		total += len(value) + quotesAndLineEnd
	}
	return total
}
