package explain

import (
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/whatif"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// Package is one package, rendered with render.Options.Trace, and the folder that it lies in.
type Package struct {
	Folder string // "" for the root
	Result *render.Result
}

// Snapshot is the rendered packages of a folder, which questions are about. It is not safe for concurrent use.
type Snapshot struct {
	root     string
	fleet    *fleet.Fleet
	tree     pkgtree.Tree
	packages []*renderedPackage
}

// NewSnapshot takes the tree of a folder with its packages rendered, the origin of lines that a what-if changed, and these
// packages. Files are named below root.
func NewSnapshot(root string, tree pkgtree.Tree, lines whatif.Lines, packages []Package) (*Snapshot, error) {
	f, err := fleet.Read(tree, nil)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{root: root, fleet: f, tree: tree}
	for _, p := range packages {
		s.packages = append(s.packages, newRenderedPackage(root, lines, p))
	}
	return s, nil
}

// packageOf is the package of a file of the tree; nil for none.
func (s *Snapshot) packageOf(file string) *renderedPackage {
	for _, p := range s.packages {
		if p.Folder == "" || strings.HasPrefix(file, p.Folder+"/") {
			return p
		}
	}
	return nil
}

type renderedPackage struct {
	Package
	above     string // prefix of the files of the snapshot
	root      string // prefix of its files
	lines     whatif.Lines
	files     map[string][]*krm.Object
	binders   []*binder
	shipped   map[shippedKey][]bundling.Explained
	resources *workload.Resources // nil until first used
}

type shippedKey struct {
	trace   int
	cluster string
}

type binder struct {
	trace int
	*binding.Explainer
	verdicts map[verdictKey][]binding.Verdict
}

type verdictKey struct {
	cluster string
	object  krm.Origin
}

func newRenderedPackage(root string, lines whatif.Lines, p Package) *renderedPackage {
	out := &renderedPackage{Package: p, above: root, root: path.Join(root, p.Folder), lines: lines, files: map[string][]*krm.Object{},
		shipped: map[shippedKey][]bundling.Explained{}}
	for _, o := range p.Result.Items {
		file := render.FileOf(o)
		out.files[file] = append(out.files[file], o)
	}
	for i := range p.Result.Traces {
		if t := &p.Result.Traces[i]; functionName(t) == binding.Name {
			x, err := binding.NewExplainer(&fn.Input{Items: t.Given, Config: t.Config})
			if err == nil { // else the step would have failed
				out.binders = append(out.binders, &binder{i, x, map[verdictKey][]binding.Verdict{}})
			}
		}
	}
	return out
}

// evaluate is what all policies say; it is computed once.
func (b *binder) evaluate(cluster string, o *krm.Object) []binding.Verdict {
	key := verdictKey{cluster: cluster}
	if o != nil {
		key.object = o.Origin()
	}
	if known, ok := b.verdicts[key]; ok {
		return known
	}
	c, _ := b.Inventory().Get(cluster)
	b.verdicts[key] = b.Evaluate(c.Labels, o)
	return b.verdicts[key]
}

// functionName is the name of the function of a step: the last part of its image.
func functionName(t *render.Trace) string {
	image, _, _ := strings.Cut(t.Function.Image, "@")
	name := path.Base(image)
	name, _, _ = strings.Cut(name, ":")
	if t.Function.Image == "" {
		return t.Function.Exec
	}
	return name
}

// previous is the input of a step that o, an output, continues; nil if the step made o.
func previous(t *render.Trace, o *krm.Object) *krm.Object {
	for _, other := range t.After {
		if other == o {
			break
		}
		if other.Origin() == o.Origin() {
			return nil // the second of two copies is new
		}
	}
	at := slices.IndexFunc(t.Given, func(g *krm.Object) bool { return g.Origin() == o.Origin() })
	if at < 0 {
		return nil
	}
	return t.Given[at]
}

// version is an object from some step on.
type version struct {
	object *krm.Object
	trace  int // of the step that made this version; asRead for none
}

const asRead = -1

// history is all versions of o, which stands after that many steps, the oldest first. The first version was read, or made
// by a step.
func (p *renderedPackage) history(o *krm.Object, steps int) (out []version) {
	for i := steps - 1; i >= 0; i-- {
		t := &p.Result.Traces[i]
		if !slices.Contains(t.After, o) || slices.Contains(t.Before, o) {
			continue
		}
		out = append(out, version{o, i})
		was := previous(t, o)
		if was == nil {
			slices.Reverse(out)
			return out
		}
		o = was
	}
	out = append(out, version{o, asRead})
	slices.Reverse(out)
	return out
}
