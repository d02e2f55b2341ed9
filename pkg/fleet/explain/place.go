package explain

import (
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

// lineOf is the line in its file of what stands at a path in an object that was read and not changed; of a field, that of
// its name. What was left unparsed knows its own lines only, so there it is that of the object.
func lineOf(o *krm.Object, p Path) int {
	first := max(1, o.Source.Line)
	if o.Late() || len(p) == 0 {
		return first
	}
	root := o.Node()
	n := p.find(root)
	if above := p[:len(p)-1].find(root); above != nil && above.Kind == yaml.MappingNode {
		for i := 0; i+1 < len(above.Content); i += 2 {
			if krm.Deref(above.Content[i+1]) == n {
				n = above.Content[i]
			}
		}
	}
	if n == nil || n.Line == 0 {
		return first
	}
	return first - root.Line + n.Line
}

// place is where what stands at a path of o, as it is when as many steps have run, was put there: the line of a file or,
// where a function put it there, the file that the object is in.
func (p *renderedPackage) place(o *krm.Object, steps int, at Path) *waybill.ExplainedPlace {
	versions := p.history(o, steps)
	for i := len(versions) - 1; i >= 0; i-- {
		v := versions[i]
		if v.trace == asRead {
			return p.read(v.object, at)
		}
		if i == 0 || len(at) > 0 && !same(at.find(v.object.Node()), at.find(versions[i-1].object.Node())) {
			return &waybill.ExplainedPlace{File: path.Join(p.root, render.FileOf(v.object)), By: functionName(&p.Result.Traces[v.trace])}
		}
	}
	return nil
}

// read is the place of a path in an object that was read: in the file as the user has it.
func (p *renderedPackage) read(o *krm.Object, at Path) *waybill.ExplainedPlace {
	if from, changed := p.lines[path.Join(p.Folder, o.Source.File)][lineOf(o, at)]; changed {
		if from.Given {
			return &waybill.ExplainedPlace{File: from.File, Line: from.Number}
		}
		return &waybill.ExplainedPlace{File: path.Join(p.above, from.File), Line: from.Number}
	}
	return &waybill.ExplainedPlace{File: path.Join(p.root, o.Source.File), Line: lineOf(o, at)}
}

// same reports whether two values say the same.
func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return krm.Equivalent(a, b)
}

// function tells of the step.
func (p *renderedPackage) function(t *render.Trace) *waybill.ExplainedFunction {
	f := &waybill.ExplainedFunction{Name: functionName(t), Image: t.Function.Image, Exec: t.Function.Exec}
	if p.Result.Steps[t.Step].Runner == "in-process" {
		f.Linked = catalog.Version
	}
	k := p.kptfile(t.Folder)
	if k == nil {
		return f
	}
	f.Place = p.read(k, inPipeline(t))
	if t.Function.ConfigPath != "" && t.Config != nil {
		f.Config = p.place(t.Config, p.stepsBefore(t), nil)
	}
	return f
}

// stepsBefore is how many steps had run when t began.
func (p *renderedPackage) stepsBefore(t *render.Trace) int {
	return slices.IndexFunc(p.Result.Traces, func(other render.Trace) bool { return other.Step == t.Step })
}

// inPipeline is where the Kptfile has a function. Only mutators change anything.
func inPipeline(t *render.Trace, more ...string) Path {
	p := Path{{name: "pipeline"}, {name: "mutators"}, {name: itoa(t.Place), boxed: true}}
	for _, name := range more {
		p = append(p, step{name: name})
	}
	return p
}

// kptfile is the Kptfile in a folder of the package, as it was read; nil when there is none.
func (p *renderedPackage) kptfile(folder string) *krm.Object {
	file := path.Join(folder, kptfile.Name)
	for _, o := range p.Result.Read {
		if o.Source.File == file {
			return o
		}
	}
	return nil
}

// names are the steps down that fields of these names are.
func names(fields ...string) (p Path) {
	for _, f := range fields {
		p = append(p, step{name: f})
	}
	return p
}

// describePlace is a place in words: file:line.
func describePlace(p *waybill.ExplainedPlace) string {
	if p == nil {
		return ""
	}
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		b.WriteString(":" + itoa(p.Line))
	}
	if p.By != "" {
		b.WriteString(" (put there by " + p.By + ")")
	}
	return b.String()
}
