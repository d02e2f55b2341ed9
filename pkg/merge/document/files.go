package document

import (
	"path"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// IsResourceFile reports whether p holds objects; JSON is opaque here.
func IsResourceFile(p string) bool {
	ext := path.Ext(p)
	return ext == ".yaml" || ext == ".yml"
}

// IsKptfile reports whether a path is that of a Kptfile.
func IsKptfile(p string) bool { return path.Base(p) == kptfile.Name }

// NearestPackage is the folder of the package of a file.
func NearestPackage(packages map[string]bool, file string) string {
	dir := path.Dir(file)
	for dir != "." && !packages[dir] {
		dir = path.Dir(dir)
	}
	return dir
}
