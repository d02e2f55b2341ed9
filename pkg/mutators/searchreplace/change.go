package searchreplace

import (
	"errors"
	"strings"
	"unicode"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// change searches one object, a copy, and changes what it finds.
type change struct {
	*run
	object  *krm.Object
	at      *field.Path // the field that cannot be changed
	changed bool
	secret  bool // what is looked at was in a Secret as it came
	done    []match
}

// match is a field that was found, and what it says now: value and comment.
type match struct {
	at     *field.Path
	text   string
	secret bool
}

// scalar looks at one value, and changes it when it is meant. key is that of the field, nil for an
// item of a list.
func (c *change) scalar(key, n *yaml.Node, p place, at *field.Path) error {
	if c.path != nil && !c.path.matches(p) || !c.holds(n.Value) {
		return nil
	}
	c.at = at
	comment, err := c.expand(c.PutComment, n.Value)
	if err != nil {
		return err
	}
	if !isOneLine(comment) {
		return errLines
	}
	value, err := c.expand(c.PutValue, n.Value)
	if err != nil {
		return err
	}
	if value != "" {
		c.changed = edit.PutScalar(n, value) || c.changed
	}
	holder := commented(key, n)
	if comment != "" {
		c.comment(holder, comment)
	}
	return c.note(at, strings.TrimSpace(n.Value+" "+holder.LineComment))
}

// commented is the node that carries the comment of a value: nothing at all cannot.
func commented(key, n *yaml.Node) *yaml.Node {
	if key != nil && n.Value == "" && n.ShortTag() == yaml.NodeTagNull {
		return key
	}
	return n
}

var errLines = errors.New("a comment has one line of plain text")

// isOneLine reports whether text can be a comment. YAML knows more line breaks than one.
func isOneLine(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && r != ' ' && !unicode.IsPrint(r) })
}

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
	return c.note(at, holder.LineComment)
}

// comment puts text behind n.
func (c *change) comment(n *yaml.Node, text string) {
	if !strings.HasPrefix(text, "#") {
		text = "# " + text
	}
	if text = strings.TrimRight(text, " \t"); n.LineComment != text {
		n.LineComment, c.changed = text, true
	}
}

// note keeps for the report that at was found. Every text counts twice: it stands in the object and
// in a result.
func (c *change) note(at *field.Path, text string) error {
	c.done = append(c.done, match{at, text, c.secret})
	return c.budget.Spend(len(at.String()) + 2*len(text))
}

// report tells of every field that was found, once the object has the name it will have.
func (c *change) report() {
	short, long := "Matched field value", "Matched field value %s"
	if c.puts() {
		short, long = "Mutated field value", "Mutated field value to %s"
	}
	all := edit.IsSecret(c.object.Node())
	for _, m := range c.done {
		if m.secret || all {
			c.out.Report(sdk.Info, c.object, m.at, "%s", short)
			continue
		}
		c.out.Report(sdk.Info, c.object, m.at, long, edit.Quote(m.text))
	}
}
