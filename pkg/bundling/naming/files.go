package naming

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// A file name longer than longestName is cut to keptOfName bytes and told apart by a hash: 255 is
// what file systems take, and an object's name alone may have 253.
const longestName, keptOfName = 230, 200

// ClustersFolder is the folder of all works.
const ClustersFolder = "clusters"

func Folder(cluster, binding string) string { return path.Join(ClustersFolder, cluster, binding) }

const shardFilePrefix = "manifestwork-"

func ShardFile(n int) string { return fmt.Sprintf("%s%d.yaml", shardFilePrefix, n) }

// ObjectFile names the file of the work that holds just that object. Only names of RBAC objects
// have characters that need an escape, and no escape can be mistaken for a name.
func ObjectFile(id krm.ID) string {
	stem := escape(strings.ToLower(id.Kind)) + "_" + escape(id.Namespace) + "_" + escape(id.Name)
	if len(stem) > longestName {
		stem = stem[:keptOfName] + "_" + shortHash(id)
	}
	return stem + ".yaml"
}

// ContestedFile is where an object goes whose objectFile another object holds already: a Service
// of the core group and one of another group, of the same name. source tells it apart, whatever it
// ships as.
func ContestedFile(id, source krm.ID) string {
	return strings.TrimSuffix(ObjectFile(id), ".yaml") + "_" + shortHash(source) + ".yaml"
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

// WorkFile is the file of a work that is named after the work.
func WorkFile(work string) string { return work + ".yaml" }
