package expansion

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// maxExpanded bounds what all templates of one object may give together, in bytes.
	maxExpanded = 16 << 20
	// maxErrorBytes bounds the text of all errors of one object: ten thousand short templates can each
	// have a long one.
	maxErrorBytes = 1 << 20
)

// Build is the object with values, as Fill gives them, in place of its templates. It shares what no
// template touches with every other one from t: do not edit it.
func (t *Template) Build(values []string) *krm.Object {
	o := krm.FromNode(t.root.build(values))
	o.Source = t.source
	return o
}

// Fill is what each template gives for one cluster, in the order of Places. props is what
// Properties gave; it is only read. When any template fails there are no values, and one error per
// template in the order of their paths, as many as fit into maxErrorBytes. What it took is drawn from a.
func (t *Template) Fill(a *Allowance, cluster string, props map[string]string) ([]string, []error) {
	m := t.machines.Get().(*machine)
	defer t.machines.Put(m)
	f := t.fill(m, cluster, props)
	work := m.budget.work
	if len(f.errs) > 0 {
		work *= 2 // what failed was done again for the text of its error
	}
	if err := a.draw(work, f.valueBytes+f.errorBytes); err != nil {
		f.errs = append(f.errs, oneLine(fmt.Sprintf("template: %s/%s: %v", cluster, t.ref, err)))
	}
	if len(f.errs) > 0 {
		return nil, f.errs
	}
	return f.values, nil
}

// filling is what one object's templates gave for one cluster.
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
			break // what follows was not tried, and would fail for the same reason
		}
		if f.errorBytes > maxErrorBytes {
			f.errs = append(f.errs, fmt.Errorf("template: %s/%s: more errors than can be listed; what follows was not tried", cluster, t.ref))
			break
		}
		f.values[i] = value
	}
	return f
}

// Bounds on all templates of one run together, for every object and every cluster. Putting a few
// properties into text takes 4 to 10 units of work, so that 100 objects with ten such strings for
// 10,000 clusters take a tenth of what there is; all of it takes from some seconds up to a minute.
const (
	maxRunWork  = 1_000_000_000
	maxRunBytes = 2 << 30
)

// Allowance is what the templates of one run may still use. The first to draw is served first, so
// objects and clusters must come in a fixed order, and only one goroutine may use it.
type Allowance struct {
	Work  int64 // in steps, each about what evaluating one field takes
	Bytes int64 // of what templates give, errors included
}

// NewAllowance is the Allowance of a run that begins.
func NewAllowance() *Allowance { return &Allowance{Work: maxRunWork, Bytes: maxRunBytes} }

// Spent reports whether a bound was passed. The caller must stop: an error of Fill said where.
func (a *Allowance) Spent() bool { return a.Work < 0 || a.Bytes < 0 }

// draw takes what one object used for one cluster, and says so when that is more than is left.
func (a *Allowance) draw(work, bytes int) error {
	a.Work -= int64(work)
	a.Bytes -= int64(bytes)
	const way = "what follows was not tried; render fewer clusters at a time, or use fewer and smaller"
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
