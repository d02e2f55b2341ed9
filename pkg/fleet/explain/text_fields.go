package explain

import (
	"cmp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// fields prints where values come from: one field at length, several in a line each.
func (p *page) fields(x *waybill.FleetExplanation) {
	if len(x.Fields) == 1 {
		p.field(&x.Fields[0])
		return
	}
	p.line(0, "")
	for i := range x.Fields {
		f := &x.Fields[i]
		p.line(0, "%s: %s", f.Field, shown(f.Value))
		p.line(1, "%s", origin(f))
	}
}

func shown(value *string) string {
	if value == nil {
		return "(not there)"
	}
	return *value
}

// origin is where a value comes from, in one line: the last step, and the first one.
func origin(f *waybill.ExplainedField) string {
	if len(f.Steps) == 0 {
		return "unknown"
	}
	first, last := &f.Steps[0], &f.Steps[len(f.Steps)-1]
	text := sentence(last)
	if last != first && first.Place != nil && last.Template == nil {
		text += ", before that " + sentence(first)
	}
	return text
}

func sentence(s *waybill.ExplainedStep) string {
	if s.Template != nil {
		return "template " + *s.Template + behind(s.Place) + inputs(s)
	}
	text := heading(s)
	if s.Function != nil {
		text += behind(s.Function.Place)
	}
	return text + inputs(s)
}

func inputs(s *waybill.ExplainedStep) string {
	var out []string
	for _, in := range s.Inputs {
		text := in.Of + " " + in.Name
		switch {
		case in.Of == "property" && in.Value == nil:
			text = "no " + in.Name
		case in.Of == "property":
			text = in.Name + "=" + *in.Value
		}
		out = append(out, text+behind(in.Place))
	}
	if len(out) == 0 {
		return ""
	}
	return " with " + strings.Join(out, ", ")
}

func (p *page) field(f *waybill.ExplainedField) {
	p.heading("\n%s: %s", f.Field, shown(f.Value))
	for i := range f.Steps {
		s := &f.Steps[i]
		p.heading("\n%d. %s", i+1, heading(s))
		if s.Value != nil {
			p.line(1, " value: %s", *s.Value)
		}
		p.function(s.Function)
		if s.Template != nil {
			p.line(1, "template: %s%s", *s.Template, behind(s.Place))
		}
		for _, in := range s.Inputs {
			text := in.Name
			switch {
			case in.Value != nil:
				text += " = " + *in.Value
			case in.Of == "property":
				text += ", which the cluster does not have"
			}
			p.line(1, "%s: %s%s", in.Of, text, behind(in.Place))
		}
	}
}

func heading(s *waybill.ExplainedStep) string {
	switch s.Deed {
	case deedRead:
		return "read from " + describePlace(s.Place)
	case deedShipped:
		return "prepared for a work by " + s.Function.Name
	case deedFilled:
		return "filled in by " + s.Function.Name
	}
	return s.Deed + " by " + s.Function.Name
}

func (p *page) function(f *waybill.ExplainedFunction) {
	if f == nil {
		return
	}
	what := cmp.Or(f.Image, f.Exec)
	if f.Linked != "" {
		what += ", linked into waybill " + f.Linked
	}
	p.line(1, "function: %s%s", what, behind(f.Place))
	if f.Config != nil {
		p.line(1, "config: %s", describePlace(f.Config))
	}
}
