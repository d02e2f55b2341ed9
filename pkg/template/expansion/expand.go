package expansion

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxExpanded limits the results of all templates of one object together, in bytes.
	maxExpanded = 16 << 20
	// maxErrorBytes limits the text of all errors of one object: ten thousand short templates can each have
	// a long one.
	maxErrorBytes = 1 << 20
)

// Build is the object with the values of Fill in place of its templates. It shares all other nodes with
// every other object from t: do not edit it.
func (t *Template) Build(values []string) *krm.Object {
	o := krm.FromNode(t.root.build(values))
	o.Source = t.source
	return o
}

// Fill is the value of each template for one cluster, in the order of Places. props is the result of
// Properties; it is only read. When any template fails there are no values, and one error per template
// in the order of their paths, as many as fit into maxErrorBytes. The work is drawn from a.
func (t *Template) Fill(a *Allowance, cluster string, props map[string]string) ([]string, []error) {
	m := t.machines.Get().(*machine)
	defer t.machines.Put(m)
	f := t.fill(m, cluster, props)
	work := m.budget.work
	if len(f.errs) > 0 {
		work *= 2 // the failed template ran again for the text of its error
	}
	if err := a.draw(work, f.valueBytes+f.errorBytes); err != nil {
		f.errs = append(f.errs, oneLine(fmt.Sprintf("template: %s/%s: %v", cluster, t.ref, err)))
	}
	if len(f.errs) > 0 {
		return nil, f.errs
	}
	return f.values, nil
}

// filling is the result of one object's templates for one cluster.
type filling struct {
	values     []string
	errs       []error
	valueBytes int
	errorBytes int
}

func (t *Template) fill(m *machine, cluster string, props map[string]string) filling {
	m.budget.work = 0
	f := filling{values: make([]string, len(t.leaves))}
	for i, l := range t.leaves {
		value, err := m.run(l, i, props)
		if f.valueBytes += len(value); err == nil && f.valueBytes > maxExpanded {
			err = template.Refuse("the templates of this object give more than %d bytes together", maxExpanded)
		}
		if err != nil {
			err = l.explain(cluster, props, err)
			f.errorBytes += len(err.Error())
			f.errs = append(f.errs, err)
		}
		if m.budget.spent() || f.valueBytes > maxExpanded {
			break // the other templates would fail for the same reason
		}
		if f.errorBytes > maxErrorBytes {
			f.errs = append(f.errs, fmt.Errorf("template: %s/%s: more errors than can be listed; the rest was not tried", cluster, t.ref))
			break
		}
		f.values[i] = value
	}
	return f
}

// Limits of all templates of one run together, for every object and every cluster. Putting a few
// properties into text takes 4 to 10 units of work, so that 100 objects with ten such strings for 10,000
// clusters take a tenth of the limit; all of it takes from some seconds up to a minute.
const (
	maxRunWork  = 1_000_000_000
	maxRunBytes = 2 << 30
)

// Allowance is the remaining budget of the templates of one run. Objects and clusters must come in a fixed
// order, so that the same one exhausts it every time, and only one goroutine may use it.
type Allowance struct {
	Work  int64 // in steps, each about what evaluating one field takes
	Bytes int64 // of results, errors included
}

// NewAllowance is the Allowance of a new run.
func NewAllowance() *Allowance { return &Allowance{Work: maxRunWork, Bytes: maxRunBytes} }

// Spent reports whether a limit was passed. The caller must stop: an error of Fill names the place.
func (a *Allowance) Spent() bool { return a.Work < 0 || a.Bytes < 0 }

// draw takes the work of one object for one cluster; it is an error when too little is left.
func (a *Allowance) draw(work, bytes int) error {
	a.Work -= int64(work)
	a.Bytes -= int64(bytes)
	const way = "the rest was not tried; render fewer clusters at a time, or use fewer and smaller"
	switch {
	case a.Work < 0:
		return template.Refuse("here the templates of this run used up the %d steps that all objects and clusters share; %s loops",
			maxRunWork, way)
	case a.Bytes < 0:
		return template.Refuse("here the templates of this run passed the %d bytes that all objects and clusters may get from them; %s templates",
			int64(maxRunBytes), way)
	}
	return nil
}
