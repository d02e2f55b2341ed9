package expansion

import (
	"maps"
	gotemplate "text/template"
	"text/template/parse"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/template"
)

// maxOutput limits the result of one string, and of any function in it, in bytes.
const maxOutput = 1 << 20

// machine runs the templates of one object for one cluster after the other. A function does
// not know which run calls it, so each machine has its own functions, bound to its own budget. A
// Template keeps one machine for each goroutine that uses it.
type machine struct {
	budget *budget
	linked []*gotemplate.Template // by leaf; nil where the leaf is broken
	text   []byte                 // of the last template, reused by the next
}

func newMachine(leaves []*leaf) *machine {
	m := &machine{budget: &budget{}, linked: make([]*gotemplate.Template, len(leaves))}
	functions := m.budget.functions()
	maps.Copy(functions, m.budget.guards())
	for i, l := range leaves {
		if l.program != nil {
			m.linked[i] = link(l.name, l.program.trees, functions)
		}
	}
	return m
}

func link(name string, trees map[string]*parse.Tree, functions map[string]any) *gotemplate.Template {
	return template.Link(escaped(name), trees, functions, "missingkey=error")
}

func (m *machine) run(l *leaf, i int, props map[string]string) (string, error) {
	if l.program == nil {
		return "", l.broken
	}
	m.budget.loops = m.budget.loops[:0]
	if err := m.budget.spend(l.program.work); err != nil {
		return "", err
	}
	value, err := m.execute(l, i, props)
	if err != nil {
		return "", err
	}
	if !utf8.ValidString(value) {
		return "", template.Refuse("the result is not valid UTF-8")
	}
	return value, nil
}

func (m *machine) execute(l *leaf, i int, props map[string]string) (string, error) {
	if l.program.direct != nil {
		if value, ok := l.program.direct.fill(props); ok {
			return value, nil
		}
	}
	out := output{budget: m.budget, text: m.text[:0]}
	err := m.linked[i].Execute(&out, props)
	m.text = out.text
	return string(out.text), err // a copy, which takes no more memory than its text
}

// output collects the text of a template, refuses to grow beyond its limit, and counts the steps of the
// guards. Refused text counts as well: it was made, and the next string may try the same.
type output struct {
	text   []byte
	budget *budget
}

func (o *output) Write(p []byte) (int, error) {
	if len(p) > 0 && &p[0] == &stepMark[0] { // of a node made by steps
		return len(p), o.budget.spend(len(p))
	}
	if err := o.budget.spend(len(p) / bytesPerUnit); err != nil {
		return 0, err
	}
	if len(o.text)+len(p) > maxOutput {
		return 0, template.Refuse("the result is longer than %d bytes", maxOutput)
	}
	o.text = append(o.text, p...)
	return len(p), nil
}
