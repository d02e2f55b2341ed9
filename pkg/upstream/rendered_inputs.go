package upstream

import (
	"cmp"
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ignoreFile lists files that functions do not receive.
const ignoreFile = ".krmignore"

// inputs are the files that control functions, each with the folder of its package.
type inputs map[string]string

// inputsOf finds the inputs of the packages of ours in all of the trees. Other packages do not count.
func inputsOf(ours pkgtree.Tree, others ...pkgtree.Tree) inputs {
	all := inputs{}
	for _, tree := range append(others, ours) {
		for p, b := range tree.All() {
			all.add(p, b)
			all.addCharts(tree, p)
		}
	}
	folders := foldersOf(ours)
	maps.DeleteFunc(all, func(_, owner string) bool { return !folders[owner] })
	return all
}

func (in inputs) add(p string, b *pkgtree.Blob) {
	dir := path.Dir(p)
	switch path.Base(p) {
	case ContextFile, ignoreFile:
		in[p] = dir
	case kptfile.Name:
		in[p] = dir
		for _, fn := range mutatorsOf(p, b) {
			if fn.ConfigPath != "" {
				in[path.Join(dir, fn.ConfigPath)] = dir
			}
		}
	}
}

// addCharts adds the charts and values files that configs in a file name, and the lock of the charts.
func (in inputs) addCharts(tree pkgtree.Tree, p string) {
	for _, name := range lock.Inputs(tree, p) {
		owner := cmp.Or(tree.PackageOf(p), ".")
		if in[name] = owner; tree.Blob(name) != nil {
			continue
		}
		for file := range tree.Sub(name).All() { // a chart that is a folder
			in[path.Join(name, file)] = owner
		}
	}
}

func isKptfile(p string) bool { return path.Base(p) == kptfile.Name }
func every(string) bool       { return true }

// foldersOf are the folders of a tree, always with ".".
func foldersOf(tree pkgtree.Tree) map[string]bool {
	out := map[string]bool{".": true}
	for p := range tree.All() {
		for dir := path.Dir(p); !out[dir]; dir = path.Dir(dir) {
			out[dir] = true
		}
	}
	return out
}

// isConfig reports whether p is an input other than a Kptfile.
func (in inputs) isConfig(p string) bool {
	_, is := in[p]
	return is && !isKptfile(p)
}

// configsIn reports whether tree has inputs other than Kptfiles.
func (in inputs) configsIn(tree pkgtree.Tree) bool {
	for p := range in {
		if in.isConfig(p) && tree.Blob(p) != nil {
			return true
		}
	}
	return false
}

// replace gives tree the inputs of from, and only those; of Kptfiles only the part that functions use. With
// keep, other inputs of tree stay. Inputs of packages that tree does not have are left out: their
// functions have nothing to do there, and may fail without their objects.
func (in inputs) replace(tree, from pkgtree.Tree, keep bool) (pkgtree.Tree, error) {
	folders := foldersOf(tree)
	changes := map[string]*pkgtree.Blob{}
	for p, owner := range in {
		switch {
		case !folders[owner]:
		case isKptfile(p):
			changes[p] = withPipeline(p, tree.Blob(p), from.Blob(p))
		case keep && tree.Blob(p) != nil:
		default:
			changes[p] = from.Blob(p)
		}
	}
	return put(tree, changes)
}

// restore gives a rendered package its own inputs, as they are in own, if tree has them, and
// its own pipelines.
func (in inputs) restore(out, tree, own pkgtree.Tree) (pkgtree.Tree, error) {
	changes := map[string]*pkgtree.Blob{}
	for p := range in {
		switch {
		case tree.Blob(p) == nil:
			changes[p] = nil
		case isKptfile(p):
			changes[p] = withPipeline(p, own.Blob(p), tree.Blob(p))
		default:
			changes[p] = own.Blob(p)
		}
	}
	out, err := put(out, changes)
	if err != nil {
		return out, err
	}
	return withoutGenerated(out)
}

// pick are the files of a tree for whose paths want is true.
func pick(tree pkgtree.Tree, want func(string) bool) map[string]*pkgtree.Blob {
	out := map[string]*pkgtree.Blob{}
	for p, b := range tree.All() {
		if want(p) {
			out[p] = b
		}
	}
	return out
}

// put returns tree with files; nil removes one.
func put(tree pkgtree.Tree, files map[string]*pkgtree.Blob) (pkgtree.Tree, error) {
	if len(files) == 0 {
		return tree, nil
	}
	all := pick(tree, every)
	maps.Copy(all, files)
	maps.DeleteFunc(all, func(_ string, b *pkgtree.Blob) bool { return b == nil })
	return pkgtree.FromBlobs(all)
}
