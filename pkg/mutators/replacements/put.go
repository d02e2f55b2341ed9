package replacements

import (
	"errors"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

var (
	errNoText = errors.New("a map or a list has no parts that a delimiter could tell apart")
	errNoPart = errors.New("the field has no part of that index")
)

// part is the part of a source's field that o means.
func (o FieldOptions) part(n *yaml.Node) (*yaml.Node, error) {
	if o.Delimiter == "" {
		return n, nil
	}
	if n.Kind != yaml.ScalarNode {
		return nil, errNoText
	}
	parts := strings.Split(n.Value, o.Delimiter)
	if o.Index < 0 || o.Index >= len(parts) {
		return nil, errNoPart
	}
	out := *n
	out.Value = parts[o.Index]
	return &out, nil
}

// join is what the field n of a target becomes: value, or n with the part that o means replaced.
func (o FieldOptions) join(n, value *yaml.Node) (*yaml.Node, error) {
	if o.Delimiter == "" {
		return value, nil
	}
	if n.Kind != yaml.ScalarNode || value.Kind != yaml.ScalarNode {
		return nil, errNoText
	}
	parts := strings.Split(n.Value, o.Delimiter)
	switch {
	case o.Index < 0:
		parts = slices.Insert(parts, 0, value.Value)
	case o.Index >= len(parts):
		parts = append(parts, value.Value)
	default:
		parts[o.Index] = value.Value
	}
	out := *value
	out.Value = strings.Join(parts, o.Delimiter)
	return &out, nil
}

// put makes n say what value says. A text stays text and a number a number where it can be one;
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

// says reports whether n is more than nothing at all.
func says(n *yaml.Node) bool {
	if n.Kind == yaml.ScalarNode {
		return edit.IsText(n)
	}
	return len(n.Content) > 0
}

// size is about how many bytes of memory n takes.
func size(n *yaml.Node) int {
	total := len(n.Value) + 64
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
