package whatif

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// add writes new clusters into a file of their own in each target package.
func (e *edits) add(tree pkgtree.Tree) error {
	for _, dir := range e.targets(tree) {
		var added []*krm.Object
		for _, o := range e.whatIf.With {
			if !e.replaced[o.ID()] {
				added = append(added, e.fresh(o))
			}
		}
		if len(added) == 0 {
			return nil
		}
		p := path.Join(dir, withFile)
		if tree.Blob(p) != nil {
			return fmt.Errorf("what if: the package already has the file %s, which is for added clusters", p)
		}
		e.files[p] = added
	}
	return nil
}

// targets are the folders of the packages that clusters are added to, sorted: the packages that name clusters or, if none
// does, the topmost packages. A pipeline fails if it reads a cluster twice, in packages below its own; of such packages,
// targets returns the one that most pipelines read.
func (e *edits) targets(tree pkgtree.Tree) (out []string) {
	out = slices.Sorted(maps.Keys(e.packages))
	if len(out) == 0 {
		if out = slices.Sorted(slices.Values(TopPackages(tree))); len(out) == 0 {
			out = []string{""}
		}
		return out
	}
	readers := readersOf(tree)
	for _, r := range readers {
		seen := slices.DeleteFunc(slices.Clone(out), func(dir string) bool { return !within(dir, r) })
		if len(seen) < 2 {
			continue
		}
		known := func(dir string) int {
			return len(slices.DeleteFunc(slices.Clone(readers), func(r string) bool { return !within(dir, r) }))
		}
		best := slices.MinFunc(seen, func(a, b string) int { return cmp.Or(-cmp.Compare(known(a), known(b)), cmp.Compare(a, b)) })
		out = slices.DeleteFunc(out, func(dir string) bool { return dir != best && slices.Contains(seen, dir) })
	}
	return out
}

// readersOf are the folders of the packages whose pipelines read the clusters, sorted.
func readersOf(tree pkgtree.Tree) (out []string) {
	for p, blob := range tree.All() {
		if path.Base(p) != kptfile.Name {
			continue
		}
		f, err := kptfile.Parse(p, blob.Data())
		if err == nil && slices.ContainsFunc(f.Functions(kptfile.Mutators), readsClusters) { // else rendering says what is wrong
			out = append(out, folderOf(p))
		}
	}
	slices.Sort(out)
	return out
}

func readsClusters(f v1.Function) bool {
	image, _, _ := strings.Cut(f.Image, "@")
	name, _, _ := strings.Cut(path.Base(image), ":")
	return name == binding.Name || name == "bundle-manifestwork"
}

// TopPackages are the folders of the packages that lie in no other; "" is the root.
func TopPackages(tree pkgtree.Tree) (out []string) {
	if tree.Blob(kptfile.Name) != nil {
		return []string{""}
	}
	for _, p := range tree.Paths() {
		if dir := path.Dir(p); path.Base(p) == kptfile.Name && tree.PackageOf(dir) == "" {
			out = append(out, dir)
		}
	}
	return out
}

// folderOf is the folder of a file; "" is the root.
func folderOf(p string) string {
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}

// within reports whether dir is the folder above, or lies in it.
func within(dir, above string) bool {
	return above == "" || dir == above || strings.HasPrefix(dir, above+"/")
}
