package replacements

import (
	"errors"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

var (
	errNoText = errors.New("a map or a list cannot be split at a delimiter")
	errNoPart = errors.New("the field has no part of that index")
)

// part is the part of a source's field that o selects.
func (o FieldOptions) part(n *yaml.Node) (*yaml.Node, error) {
	if o.Delimiter == "" {
		return n, nil
	}
	if n.Kind != yaml.ScalarNode {
		return nil, errNoText
	}
	from, to, ok := o.span(n.Value)
	if !ok {
		return nil, errNoPart
	}
	out := *n
	out.Value = n.Value[from:to]
	return &out, nil
}

// span is the start and end in text of the part that o selects; false when there is no such part. It
// allocates nothing for the other parts, of which a text may have millions.
func (o FieldOptions) span(text string) (from, to int, ok bool) {
	for range o.Index {
		i := strings.Index(text[from:], o.Delimiter)
		if i < 0 {
			return 0, 0, false
		}
		from += i + len(o.Delimiter)
	}
	if i := strings.Index(text[from:], o.Delimiter); i >= 0 {
		return from, from + i, o.Index >= 0
	}
	return from, len(text), o.Index >= 0
}

// join is the new value of the field n of a target: value, or n with the part that o selects replaced. It
// is not built when it is longer than n by more than room.
func (o FieldOptions) join(n, value *yaml.Node, room int) (*yaml.Node, error) {
	if o.Delimiter == "" {
		return value, nil
	}
	if n.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode {
		return nil, errNoText
	}
	pieces := []string{value.Value, o.Delimiter, n.Value}
	if from, to, ok := o.span(n.Value); ok {
		pieces = []string{n.Value[:from], value.Value, n.Value[to:]}
	} else if o.Index >= 0 {
		pieces[0], pieces[2] = pieces[2], pieces[0]
	}
	more := -len(n.Value)
	for _, p := range pieces {
		more += len(p)
	}
	if more > room {
		return nil, errWritten
	}
	out := *value
	out.Value = strings.Join(pieces, "")
	return &out, nil
}

// put gives n the value of value. A text stays text and a number a number where it can be one; the
// comments of n stay. It reports whether n was replaced as a whole, with all that is below it.
func put(n, value *yaml.Node) (whole bool) {
	switch {
	case n.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode || n.ShortTag() == yaml.NodeTagNull:
		fresh := krm.CopyNode(value)
		fresh.HeadComment, fresh.LineComment, fresh.FootComment = n.HeadComment, n.LineComment, n.FootComment
		*n = *fresh
		return true
	case n.ShortTag() == yaml.NodeTagString:
		edit.SetText(n, value.Value, edit.KeepQuotes)
	default:
		edit.PutScalar(n, value.Value)
	}
	return false
}

// holdsData reports whether n is not empty.
func holdsData(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return edit.IsText(n)
	}
	return len(n.Content) > 0
}

// nodeSize is the size of a node and the pointer to it, without its texts.
const nodeSize = 176

// size is the estimated memory of n in bytes.
func size(n *yaml.Node) int {
	total := len(n.Value) + nodeSize
	for _, c := range n.Content {
		total += size(c)
	}
	return total
}

// depth is how many levels n has.
func depth(n *yaml.Node) (levels int) {
	for _, c := range n.Content {
		levels = max(levels, depth(c))
	}
	return levels + 1
}
