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

// The path of a file is relative to its package; an annotation of the orchestrator is the path
// of that package. So every Kptfile may have the path "Kptfile".

// folder is the folder of an object's file, by path and annotation.
func folder(o *krm.Object) string { return path.Join(packageOf(o), path.Dir(o.File())) }

func packageOf(o *krm.Object) string { return o.Annotation(krm.PackagePathAnnotation) }

// contains reports whether dir is sub or a folder above it.
func contains(dir, sub string) bool {
	return dir == sub || dir == "." && !path.IsAbs(sub) || strings.HasPrefix(sub, strings.TrimSuffix(dir, "/")+"/")
}

// rootKptfile returns the Kptfile of the package of all items: the one whose folder contains
// those of all others. There is none if two could be it.
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
		if o != root && (folder(o) == folder(root) || !contains(folder(root), folder(o))) {
			return nil
		}
	}
	return root
}

// fromRoot are objects with their files relative to the folder of the root Kptfile.
func fromRoot(objects []*krm.Object, root *krm.Object) []item {
	items := withFiles(objects)
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

// checkRoot returns why root cannot record the outcomes of points. A point without a package belongs to
// the root.
func checkRoot(root *krm.Object, found []point) error {
	if root == nil {
		return errNoRoot
	}
	for _, p := range found {
		ownerless := packageOf(p.object) == "" && packageOf(root) != ""
		if !ownerless && !contains(folder(root), folder(p.object)) {
			return errNoRoot
		}
	}
	return nil
}

var errNoRoot = errors.New("the items have injection points, but no single Kptfile at their root that records the outcomes: " +
	"the function wants a whole package, Kptfile included")
