package bundling

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// A file name longer than longestName is cut to keptOfName bytes and told apart by a hash: 255 is
// what file systems take, and an object's name alone may have 253.
const longestName, keptOfName = 230, 200

// clustersFolder is the folder of all works.
const clustersFolder = "clusters"

func folder(cluster, binding string) string { return path.Join(clustersFolder, cluster, binding) }

const shardFilePrefix = "manifestwork-"

func shardFile(n int) string { return fmt.Sprintf("%s%d.yaml", shardFilePrefix, n) }

// objectFile names the file of the work that holds just that object. Only names of RBAC objects
// have characters that need an escape, and no escape can be mistaken for a name.
func objectFile(id krm.ID) string {
	stem := escape(strings.ToLower(id.Kind)) + "_" + escape(id.Namespace) + "_" + escape(id.Name)
	if len(stem) > longestName {
		stem = stem[:keptOfName] + "_" + shortHash(id)
	}
	return stem + ".yaml"
}

// contestedFile is where an object goes whose objectFile another object holds already: a Service
// of the core group and one of another group, of the same name. source tells it apart, whatever it
// ships as.
func contestedFile(id, source krm.ID) string {
	return strings.TrimSuffix(objectFile(id), ".yaml") + "_" + shortHash(source) + ".yaml"
}

// escape writes what is not a letter, digit, "-" or "." as %XX, so that the result is a file name
// everywhere.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; isPlain(c) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func isPlain(c byte) bool {
	return c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// workFile is the file of a work that is named after the work.
func workFile(work string) string { return work + ".yaml" }
