package merge

import (
	"path"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// isResourceFile reports whether p holds objects; JSON is opaque here.
func isResourceFile(p string) bool {
	ext := path.Ext(p)
	return ext == ".yaml" || ext == ".yml"
}

func isKptfile(p string) bool { return path.Base(p) == kptfile.Name }

func same(a, b *pkgtree.Blob) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.Equal(b)
}

// nearest is the folder of the package that a file is in.
func nearest(packages map[string]bool, file string) string {
	dir := path.Dir(file)
	for dir != "." && !packages[dir] {
		dir = path.Dir(dir)
	}
	return dir
}
