package searchreplace

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// change searches one object, and changes the fields that it finds.
type change struct {
	*run
	edit.Changes
}

// scalar changes one value when the query matches it. key is that of the field, nil for an item of a
// list.
func (c *change) scalar(key, n *yaml.Node, p place, at *field.Path) error {
	if c.path != nil && !c.path.matches(p) || !c.holds(n.Value) {
		return nil
	}
	c.At = at
	comment, err := c.expand(c.PutComment, n.Value)
	if err != nil {
		return err
	}
	if !edit.IsOneLine(comment) {
		return errLines
	}
	value, err := c.expand(c.PutValue, n.Value)
	if err != nil {
		return err
	}
	if value != "" {
		c.Changed = edit.PutScalar(n, value) || c.Changed
	}
	holder := commented(key, n)
	if comment != "" {
		c.comment(holder, comment)
	}
	return c.Note(at, strings.TrimSpace(n.Value+" "+holder.LineComment))
}

// commented is the node that carries the comment of a value: an empty one cannot.
func commented(key, n *yaml.Node) *yaml.Node {
	if key != nil && n.Value == "" && n.ShortTag() == yaml.NodeTagNull {
		return key
	}
	return n
}

var errLines = errors.New("a comment has one line of plain text")

// list puts a comment on a list that the path alone finds: behind its brackets, else its key.
func (c *change) list(key, list *yaml.Node, p place, at *field.Path) error {
	if c.PutComment == "" || !c.anyValue() || !c.path.matches(p) || len(list.Content) == 0 {
		return nil
	}
	holder := key
	if list.Style&yaml.FlowStyle != 0 {
		holder = list
	}
	c.comment(holder, c.PutComment)
	return c.Note(at, holder.LineComment)
}

// comment puts text behind n.
func (c *change) comment(n *yaml.Node, text string) {
	if !strings.HasPrefix(text, "#") {
		text = "# " + text
	}
	if text = strings.TrimRight(text, " \t"); n.LineComment != text {
		n.LineComment, c.Changed = text, true
	}
}
