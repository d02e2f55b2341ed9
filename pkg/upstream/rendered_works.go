package upstream

import (
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/bundling/naming"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// bundler is the image of the function that makes ManifestWorks. It changes nothing else.
const bundler = "ghcr.io/waybill-dev/" + naming.Function

// The sides of a merge need no works: those of ours stay, and rendering the result makes them again. For a large fleet they are nearly
// all there is to render, so that sides are rendered without them.

// bundlesLast reports whether the last functions of a package make works, and no other function does: none reads the works then.
func bundlesLast(k *kptfile.File) bool {
	fns := k.Functions(kptfile.Mutators)
	first := slices.IndexFunc(fns, func(f kptfilev1.Function) bool { return bundles(&f) })
	return first >= 0 && !slices.ContainsFunc(fns[first:], func(f kptfilev1.Function) bool { return !bundles(&f) })
}

func bundles(f *kptfilev1.Function) bool {
	rest, is := strings.CutPrefix(f.Image, bundler)
	return is && (rest == "" || rest[0] == ':' || rest[0] == '@')
}

// generatedFiles are the files in which all objects are generated; true for those that hold nothing but works.
func generatedFiles(tree pkgtree.Tree) map[string]bool {
	paths := tree.Paths()
	generated, works := make([]bool, len(paths)), make([]bool, len(paths))
	parallel.For(len(paths), func(i int) {
		objects, ok := generatedIn(paths[i], tree.Blob(paths[i]))
		generated[i] = ok && !slices.ContainsFunc(objects, isNotGenerated)
		works[i] = generated[i] && !slices.ContainsFunc(objects, isNoWork)
	})
	out := map[string]bool{}
	for i, p := range paths {
		if generated[i] {
			out[p] = works[i]
		}
	}
	return out
}

func isNoWork(o *krm.Object) bool {
	return o.Annotation(fn.GeneratedBy) != naming.Function || !fn.IsGeneratedWork(o)
}

// withoutWorks is a tree without the files that hold nothing but works, if sides are rendered without them.
func (m *renderedMerge) withoutWorks(tree pkgtree.Tree) (pkgtree.Tree, error) {
	b := tree.Blob(kptfile.Name)
	if b == nil {
		return tree, nil
	}
	if k, err := kptfile.Parse(kptfile.Name, b.Data()); err != nil || !bundlesLast(k) {
		return tree, nil
	}
	changes := map[string]*pkgtree.Blob{}
	for p, onlyWorks := range m.generated {
		if onlyWorks {
			changes[p] = nil
		}
	}
	return put(tree, changes)
}
