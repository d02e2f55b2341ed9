package edit

import (
	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Changes are the changes of one object, field by field, each of which is reported.
type Changes struct {
	Object  *krm.Object // the copy that is changed
	At      *field.Path // the field that cannot be changed
	Changed bool

	budget *Budget
	secret Secrecy
	fields []changed
}

// Secrecy is whether the current value of a walk is in a Secret as it was given.
type Secrecy bool

// Enter notes whether m is a Secret, before anything in it is changed. The caller calls leave behind m.
func (s *Secrecy) Enter(m *yaml.Node) (leave func()) {
	before := *s
	*s = before || Secrecy(IsSecret(m))
	return func() { *s = before }
}

// changed is a field and its text.
type changed struct {
	at     *field.Path
	text   string
	secret bool
}

// NewChanges begins the changes of a copy of o. Their texts take from the budget.
func NewChanges(o *krm.Object, budget *Budget) Changes {
	return Changes{Object: Copy(o), budget: budget}
}

// Enter is that of Secrecy.
func (c *Changes) Enter(m *yaml.Node) (leave func()) { return c.secret.Enter(m) }

// Note keeps a field for the report. Every text counts twice: it stands in the object and in a result.
func (c *Changes) Note(at *field.Path, text string) error {
	c.fields = append(c.fields, changed{at, text, bool(c.secret)})
	return c.budget.Spend(len(at.String()) + 2*len(text))
}

// Noted reports whether there is a field to report.
func (c *Changes) Noted() bool { return len(c.fields) > 0 }

// Finish returns the item that takes the place of o: o itself when nothing changed or err says that a field cannot be
// changed. It reports err, or each field, now that the object has its final name: what was done, and the text, behind
// link, unless it may be secret.
func (c *Changes) Finish(out *fn.Output, o *krm.Object, err error, done, link string) *krm.Object {
	if err != nil {
		out.Report(sdk.Error, o, c.At, "%v", err)
		return o
	}
	secret := IsSecret(c.Object.Node())
	for _, f := range c.fields {
		if f.secret || secret {
			out.Report(sdk.Info, c.Object, f.at, "%s", done)
		} else {
			out.Report(sdk.Info, c.Object, f.at, "%s%s%s", done, link, Quote(f.text))
		}
	}
	if !c.Changed {
		return o
	}
	return c.Object
}
