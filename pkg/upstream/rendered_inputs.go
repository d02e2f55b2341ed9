package upstream

import (
	"maps"
	"path"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// ignoreFile says which files functions do not see.
const ignoreFile = ".krmignore"

// inputs are the files that say what functions do, each with the folder of the package that it is for.
type inputs map[string]string

// inputsOf finds the inputs of the packages that ours has, in all of the trees. Those of other packages
// are nobody's choice here.
func inputsOf(ours pkgtree.Tree, others ...pkgtree.Tree) inputs {
	all := inputs{}
	for _, tree := range append(others, ours) {
		for p, b := range tree.All() {
			all.add(p, b)
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

func isKptfile(p string) bool { return path.Base(p) == kptfile.Name }
func every(string) bool       { return true }

// foldersOf are the folders of a tree, "." always.
func foldersOf(tree pkgtree.Tree) map[string]bool {
	out := map[string]bool{".": true}
	for p := range tree.All() {
		for dir := path.Dir(p); !out[dir]; dir = path.Dir(dir) {
			out[dir] = true
		}
	}
	return out
}

// isConfig reports whether p is an input, and no Kptfile.
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

// place gives tree the inputs that from has, and only those; of Kptfiles only what counts for functions. With
// keep, what else tree has of them stays as it is. Inputs of packages that tree does not have stay away: their
// functions have nothing to do there, and might miss what they work on.
func (in inputs) place(tree, from pkgtree.Tree, keep bool) (pkgtree.Tree, error) {
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

// giveBack gives a rendered package its own inputs back, as they are in own, if tree has them at all, and
// its own pipelines.
func (in inputs) giveBack(out, tree, own pkgtree.Tree) (pkgtree.Tree, error) {
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

// pick are the files of a tree whose paths are wanted.
func pick(tree pkgtree.Tree, want func(string) bool) map[string]*pkgtree.Blob {
	out := map[string]*pkgtree.Blob{}
	for p, b := range tree.All() {
		if want(p) {
			out[p] = b
		}
	}
	return out
}

// put returns tree with files; nil takes one away.
func put(tree pkgtree.Tree, files map[string]*pkgtree.Blob) (pkgtree.Tree, error) {
	if len(files) == 0 {
		return tree, nil
	}
	all := pick(tree, every)
	maps.Copy(all, files)
	maps.DeleteFunc(all, func(_ string, b *pkgtree.Blob) bool { return b == nil })
	return pkgtree.FromBlobs(all)
}
