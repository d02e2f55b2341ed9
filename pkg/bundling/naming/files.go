package naming

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// A file name longer than longestName is cut to keptOfName bytes, and a hash follows: file systems take 255
// bytes, and the name of an object may have 253.
const longestName, keptOfName = 230, 200

// ClustersFolder is the folder of all works.
const ClustersFolder = "clusters"

// Folder is the folder of the works of a Binding for a cluster.
func Folder(cluster, binding string) string { return path.Join(ClustersFolder, cluster, binding) }

const shardFilePrefix = "manifestwork-"

// ShardFile is the file of the work of that number.
func ShardFile(n int) string { return fmt.Sprintf("%s%d.yaml", shardFilePrefix, n) }

// ObjectFile is the file of the work that holds only that object. Only names of RBAC objects
// have characters that need an escape, and no name looks like an escape.
func ObjectFile(id krm.ID) string {
	stem := escape(strings.ToLower(id.Kind)) + "_" + escape(id.Namespace) + "_" + escape(id.Name)
	if len(stem) > longestName {
		stem = stem[:keptOfName] + "_" + shortHash(id)
	}
	return stem + ".yaml"
}

// ContestedFile is the file of an object whose ObjectFile another object has already: a Service of the core group and
// one of another group, for example. The hash of source, its identity in the package, makes it unique.
func ContestedFile(id, source krm.ID) string {
	return strings.TrimSuffix(ObjectFile(id), ".yaml") + "_" + shortHash(source) + ".yaml"
}

// escape writes bytes that are not a letter, digit, "-" or "." as %XX: the result is a file name on all systems.
func escape(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c == '-' || c == '.' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// WorkFile is the file of a work that is named after the work.
func WorkFile(work string) string { return work + ".yaml" }
