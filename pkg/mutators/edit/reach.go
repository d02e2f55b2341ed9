package edit

import (
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/utils"
)

// Reach is the outermost fields of objects that a filter reads and changes. The filter gets copies with these fields only:
// the pipeline of a Kptfile or the data of a ConfigMap need not be copied. A nil Reach is all fields.
type Reach map[string]bool

// ReachOf is apiVersion, kind, metadata, and the fields named.
func ReachOf(fields ...string) Reach {
	r := Reach{"apiVersion": true, "kind": true, "metadata": true}
	for _, f := range fields {
		r[f] = true
	}
	return r
}

// Along is r and the fields that the paths of specs begin with. It changes r.
func (r Reach) Along(specs types.FsSlice) Reach {
	for _, s := range specs {
		r.Into(s.Path)
	}
	return r
}

// Into adds the field that path begins with.
func (r Reach) Into(path string) {
	r[strings.TrimSuffix(utils.PathSplitter(path, "/")[0], "[]")] = true
}

func (r Reach) holds(field string) bool { return r[field] }
