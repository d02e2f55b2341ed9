package rpkg

import (
	"fmt"

	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// originFile is the file in a pulled folder that says which draft it is; porchctl has a file of this name, too. It is no part
// of the package.
const originFile = ".KptRevisionMetadata"

// origin is the draft that a folder was pulled from. The commit stands where Porch has a resourceVersion.
type origin struct{ Name, Namespace, Commit string }

// originObject is the content of the file.
type originObject struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name            string `json:"name"`
		Namespace       string `json:"namespace,omitempty"`
		ResourceVersion string `json:"resourceVersion"`
	} `json:"metadata"`
}

// withOrigin adds the file to the package of a draft or proposal.
func withOrigin(tree pkgtree.Tree, r revision.Known) (pkgtree.Tree, error) {
	if r.Lifecycle.IsPublished() {
		return tree, nil
	}
	o := originObject{APIVersion: "porch.kpt.dev/v1alpha1", Kind: "KptRevisionMetadata"}
	o.Metadata.Name, o.Metadata.Namespace, o.Metadata.ResourceVersion = r.Name, r.Namespace, r.Commit.String()
	data, err := yaml.Marshal(o)
	if err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{originFile: data})
}

// withoutOrigin is the package alone.
func withoutOrigin(tree pkgtree.Tree) (pkgtree.Tree, error) {
	return tree.Apply(map[string][]byte{originFile: nil})
}

// originOf reads the file, if there is one.
func originOf(tree pkgtree.Tree) (origin, error) {
	data, ok := tree.Get(originFile)
	if !ok {
		return origin{}, nil
	}
	var o originObject
	if err := yaml.Unmarshal(data, &o); err != nil {
		return origin{}, fmt.Errorf("%s: %w", originFile, err)
	}
	return origin{o.Metadata.Name, o.Metadata.Namespace, o.Metadata.ResourceVersion}, nil
}

// noteOrigin writes the new commit of the draft into the folder, so that it can be pushed again.
func noteOrigin(dir string, local pkgtree.Tree, r revision.Known) error {
	now, err := withOrigin(local, r)
	if err != nil {
		return err
	}
	return pkgtree.WriteDir(dir, local, now)
}
