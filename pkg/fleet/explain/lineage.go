package explain

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
	"github.com/waybill-dev/waybill/pkg/render"
)

const (
	deedRead    = "read"
	deedMade    = "made"
	deedChanged = "changed"
	deedAdded   = "added"
	deedRemoved = "removed"
	deedShipped = "shipped"
	deedFilled  = "filled"
)

// stage is an object at one time between its file and a cluster.
type stage struct {
	deed   string
	node   *yaml.Node // nil while it does not exist
	way    Path       // to node in object
	object *krm.Object
	steps  int           // number of steps before
	trace  *render.Trace // nil if it was read
	made   *producer
}

type lineage struct {
	pack   *renderedPackage
	stages []stage
}

func (d *delivery) lineage() lineage {
	if d.pack == nil || d.item == nil {
		return lineage{stages: []stage{{deed: deedRead, node: d.object.Node(), object: d.object}}}
	}
	l := lineage{pack: d.pack}
	if d.made == nil {
		l.add(d.pack.history(d.item, len(d.pack.Result.Traces)), d.manifest)
		return l
	}
	l.add(d.pack.history(d.made.Source, d.made.trace), whole)
	bundled := stage{deed: deedShipped, node: d.made.Ready.Node(), object: d.made.Ready, steps: d.made.trace,
		trace: &d.pack.Result.Traces[d.made.trace], made: d.made}
	l.stages = append(l.stages, bundled)
	if d.made.Properties != nil {
		bundled.deed, bundled.node, bundled.object = deedFilled, d.made.Sent.Node(), d.made.Sent
		l.stages = append(l.stages, bundled)
	}
	var later []version
	for _, v := range d.pack.history(d.item, len(d.pack.Result.Traces)) {
		if v.trace > d.made.trace {
			later = append(later, v)
		}
	}
	l.add(later, d.manifest)
	return l
}

func whole(o *krm.Object) (*yaml.Node, Path) { return o.Node(), nil }

func (l *lineage) add(versions []version, find func(*krm.Object) (*yaml.Node, Path)) {
	for i, v := range versions {
		s := stage{deed: deedRead, object: v.object}
		s.node, s.way = find(v.object)
		if v.trace != asRead {
			s.deed, s.trace, s.steps = deedChanged, &l.pack.Result.Traces[v.trace], v.trace
			if i == 0 && len(l.stages) == 0 {
				s.deed = deedMade
			}
		}
		l.stages = append(l.stages, s)
	}
}

// field explains where the value at p comes from.
func (l *lineage) field(p Path) waybill.ExplainedField {
	f := waybill.ExplainedField{Field: p.String(), Steps: []waybill.ExplainedStep{}}
	secret := slices.ContainsFunc(l.stages, func(s stage) bool { return s.node != nil && hides(s.node, p) })
	var before *stage
	for i := range l.stages {
		s := &l.stages[i]
		if was, is := before.at(p), s.at(p); !same(was, is) {
			f.Steps = append(f.Steps, l.step(before, s, p, secret))
		}
		before = s
	}
	f.Value = before.text(p, secret)
	return f
}

func (s *stage) at(p Path) *yaml.Node {
	if s == nil || s.node == nil {
		return nil
	}
	return p.find(s.node)
}

// text is the value at p, hidden if it is secret.
func (s *stage) text(p Path, hide bool) *string {
	text := textOf(s.at(p))
	if text != nil && hide {
		*text = secret.Hidden
	}
	return text
}

// step describes what happened to a value between two stages; was is nil for the first. For a secret value it names no
// inputs.
func (l *lineage) step(was, is *stage, p Path, secret bool) waybill.ExplainedStep {
	out := waybill.ExplainedStep{Deed: is.deed, Value: is.text(p, secret)}
	switch {
	case is.deed == deedRead:
		if l.pack != nil {
			out.Place = l.pack.read(is.object, slices.Concat(is.way, p))
		}
		return out
	case out.Value == nil:
		out.Deed = deedRemoved
	case is.deed == deedChanged && was.at(p) == nil:
		out.Deed = deedAdded
	}
	out.Function = l.pack.function(is.trace)
	if secret {
		return out
	}
	switch out.Deed {
	case deedFilled:
		l.fill(&out, was, is, p)
	case deedRemoved:
		out.Inputs = l.remover(was, is, p)
	case deedMade, deedChanged, deedAdded:
		out.Inputs = l.inputs(was, is, p)
	}
	return out
}

// fill adds the template and the properties that it names.
func (l *lineage) fill(out *waybill.ExplainedStep, was, is *stage, p Path) {
	template := was.at(p)
	if template == nil {
		return
	}
	out.Template = textOf(template)
	out.Place = l.pack.place(is.made.Source, is.made.trace, p)
	out.Inputs = l.pack.properties(is.made, is.trace, template.Value)
}
