package status

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/status/expression"
)

// Program is a compiled StatusCollector, safe for concurrent use.
type Program struct {
	name   string
	limit  *int64
	filter *expression.Expression // nil: all rows are kept
	// Either selected, or groups and fields.
	selected, groups, fields columns
	listing                  bool // there are selected columns
	readsManifest            bool // some expression refers to the variable manifest
	columnNames              []string
}

// column is one definition of a collector.
type column struct {
	name string
	kind control.AggregatorType // of a field
	// def is nil for a field that needs no expression.
	def *expression.Expression
	// last is the index of the last definition with this name, whose value counts for all of them.
	last int
	// field is, for a column to group by, the index of the field with the same name; -1 if there is none.
	field int
}

type columns []column

// Name is the collector's.
func (p *Program) Name() string { return p.name }

// Compile compiles a collector, or returns everything that is wrong with it, in order. A collector with errors counts as
// missing.
func Compile(c *control.StatusCollector) (*Program, []string) {
	s := &c.Spec
	if errs := misshapen(s); len(errs) > 0 {
		return nil, errs
	}
	var errs faults
	p := &Program{name: c.Name, limit: s.Limit, listing: len(s.Select) > 0, columnNames: []string{}}
	if s.Filter != nil {
		p.filter = errs.compile("filter expression invalid: ", *s.Filter)
	}
	p.selected = errs.compileAll("select", s.Select)
	p.groups = errs.compileAll("groupBy", s.GroupBy)
	p.fields = errs.compileFields(s.CombinedFields)
	if len(errs) > 0 {
		return nil, errs
	}
	p.readsManifest = p.filter != nil && p.filter.ReadsManifest()
	fields := p.fields.byName()
	for _, list := range []columns{p.selected, p.groups, p.fields} {
		last := list.byName()
		for i, c := range list {
			list[i].last, list[i].field = last[c.name], -1
			if at, is := fields[c.name]; is {
				list[i].field = at
			}
			p.columnNames = append(p.columnNames, c.name)
			p.readsManifest = p.readsManifest || c.def != nil && c.def.ReadsManifest()
		}
	}
	return p, nil
}

// misshapen returns which parts of a query exclude each other.
func misshapen(s *control.StatusCollectorSpec) (errs []string) {
	if len(s.Select) > 0 && len(s.GroupBy)+len(s.CombinedFields) > 0 {
		errs = append(errs, "groupBy and combinedFields must be empty if select is not")
	}
	if len(s.GroupBy) > 0 && len(s.CombinedFields) == 0 {
		errs = append(errs, "groupBy must be empty if combinedFields is")
	}
	return errs
}

// byName are the indexes of columns; of several with one name, of the last.
func (cs columns) byName() map[string]int {
	last := map[string]int{}
	for i, c := range cs {
		last[c.name] = i
	}
	return last
}

// faults are the errors of a collector.
type faults []string

func (f *faults) compile(prefix, text string) *expression.Expression {
	e, err := expression.Compile(text)
	if err != nil {
		*f = append(*f, prefix+err.Error())
	}
	return e
}

func (f *faults) compileAll(what string, defs []control.NamedExpression) (out columns) {
	for _, d := range defs {
		e := f.compile(fmt.Sprintf("%s expression (%s) invalid: ", what, d.Name), d.Def)
		out = append(out, column{name: d.Name, def: e})
	}
	return out
}

func (f *faults) compileFields(defs []control.CombinedField) (out columns) {
	for _, d := range defs {
		c := column{name: d.Name, kind: d.Type}
		at := fmt.Sprintf("combinedField expression (%s) ", d.Name)
		switch counts := d.Type == control.AggregatorCount; {
		case counts && d.Subject != nil:
			*f = append(*f, at+"invalid: subject must be nil for COUNT type")
		case counts:
		case d.Subject == nil:
			*f = append(*f, at+"invalid: subject must be set")
		default:
			c.def = f.compile(at+"subject invalid: ", *d.Subject)
		}
		out = append(out, c)
	}
	return out
}
