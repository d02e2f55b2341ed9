package injection

import (
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// A path tells where a file stands in the package that owns it, an annotation of the orchestrator
// where that package is. So every Kptfile may be at the path "Kptfile".

// folder is that of an object's file, as far as the two tell.
func folder(o *krm.Object) string { return path.Join(packageOf(o), path.Dir(o.File())) }

func packageOf(o *krm.Object) string { return o.Annotation(krm.PackagePathAnnotation) }

// holds reports whether dir is sub or above it.
func holds(dir, sub string) bool {
	return dir == sub || dir == "." && !path.IsAbs(sub) || strings.HasPrefix(sub, strings.TrimSuffix(dir, "/")+"/")
}

// rootKptfile returns the Kptfile of the package that all items are of: the one whose folder holds
// those of all others. There is none when two could be it.
func rootKptfile(items []*krm.Object) *krm.Object {
	var all []*krm.Object
	for _, o := range items {
		if o.Is("kpt.dev", kptfile.Kind) {
			all = append(all, o)
		}
	}
	if len(all) == 0 {
		return nil
	}
	depth := func(o *krm.Object) int { return len(strings.TrimPrefix(folder(o), ".")) } // "." is above "a"
	root := slices.MinFunc(all, func(a, b *krm.Object) int { return cmp.Compare(depth(a), depth(b)) })
	for _, o := range all {
		if o != root && (folder(o) == folder(root) || !holds(folder(root), folder(o))) {
			return nil
		}
	}
	return root
}

// fromRoot are objects with their files as seen from the folder of the root Kptfile's package.
func fromRoot(objects []*krm.Object, root *krm.Object) []item {
	items := filed(objects)
	if root == nil {
		return items
	}
	for i := range items {
		below, ok := strings.CutPrefix(packageOf(items[i].object), strings.TrimSuffix(packageOf(root), "/")+"/")
		if ok && items[i].file != "" {
			items[i].file = path.Join(below, items[i].file)
		}
	}
	return items
}

// checkRoot says why what became of points cannot be recorded in root. A point that no package
// claims is the root's own.
func checkRoot(root *krm.Object, found []point) error {
	if root == nil {
		return errNoRoot
	}
	for _, p := range found {
		ownerless := packageOf(p.object) == "" && packageOf(root) != ""
		if !ownerless && !holds(folder(root), folder(p.object)) {
			return errNoRoot
		}
	}
	return nil
}

var errNoRoot = errors.New("the items have injection points, but not the one Kptfile at their root that tells what became of them: " +
	"the function wants a whole package, Kptfile included")
