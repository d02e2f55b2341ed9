package explain

import (
	"path"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
)

// lineOf is the line in its file of the value at a path, or of its name, in an object that was read and not changed. An
// unparsed value knows only its own lines, so there it is the line of the object.
func lineOf(o *krm.Object, p Path) int {
	first := max(1, o.Source.Line)
	if o.IsLazy() || len(p) == 0 {
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

// place is where the value at a path of o came from, as of that many steps: the line of a file or, if a function set it,
// the file of the object.
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

// read is the place of a path in an object that was read, in the file of the user.
func (p *renderedPackage) read(o *krm.Object, at Path) *waybill.ExplainedPlace {
	if from, changed := p.lines[path.Join(p.Folder, o.Source.File)][lineOf(o, at)]; changed {
		if from.Given {
			return &waybill.ExplainedPlace{File: from.File, Line: from.Number}
		}
		return &waybill.ExplainedPlace{File: path.Join(p.above, from.File), Line: from.Number}
	}
	return &waybill.ExplainedPlace{File: path.Join(p.root, o.Source.File), Line: lineOf(o, at)}
}

func same(a, b *yaml.Node) bool {
	if a == nil || b == nil {
		return a == b
	}
	return krm.Equivalent(a, b)
}

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

// stepsBefore is the number of steps before t.
func (p *renderedPackage) stepsBefore(t *render.Trace) int {
	return slices.IndexFunc(p.Result.Traces, func(other render.Trace) bool { return other.Step == t.Step })
}

// inPipeline is the path to a function in a Kptfile. Only mutators change anything.
func inPipeline(t *render.Trace, more ...string) Path {
	return append(itemOf(t.Place, "pipeline", "mutators"), names(more...)...)
}

// kptfile is the Kptfile in a folder of the package, as read; nil for none.
func (p *renderedPackage) kptfile(folder string) *krm.Object {
	file := path.Join(folder, kptfile.Name)
	for _, o := range p.Result.Read {
		if o.Source.File == file {
			return o
		}
	}
	return nil
}

func names(fields ...string) (p Path) {
	for _, f := range fields {
		p = append(p, step{name: f})
	}
	return p
}

// itemOf is the path to the i-th item of a list.
func itemOf(i int, list ...string) Path {
	return append(names(list...), step{name: strconv.Itoa(i), boxed: true})
}

// entryOf is the path to a cluster in an Inventory.
func entryOf(cluster string) Path {
	return append(names("spec", "clusters"), step{name: itemKey, value: cluster, keyed: true})
}

func describePlace(p *waybill.ExplainedPlace) string {
	if p == nil {
		return ""
	}
	text := p.File
	if p.Line > 0 {
		text += ":" + strconv.Itoa(p.Line)
	}
	if p.By != "" {
		text += " (put there by " + p.By + ")"
	}
	return text
}
