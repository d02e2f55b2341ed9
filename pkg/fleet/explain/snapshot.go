package explain

import (
	"path"
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
	w := &Snapshot{root: root, fleet: f, tree: tree}
	for _, p := range packages {
		w.packages = append(w.packages, newRenderedPackage(root, lines, p))
	}
	return w, nil
}

// packageOf is the package that a file of the tree is in, nil for none.
func (w *Snapshot) packageOf(file string) *renderedPackage {
	for _, p := range w.packages {
		if p.Folder == "" || strings.HasPrefix(file, p.Folder+"/") {
			return p
		}
	}
	return nil
}

// renderedPackage is a Package with what was computed about it.
type renderedPackage struct {
	Package
	above     string // what the files of the snapshot are named below
	root      string // what its files are named below
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

// binder is a step that resolved policies.
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

// evaluate is what all policies say, worked out once.
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
