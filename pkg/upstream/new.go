package upstream

import (
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// New makes a package without objects, as `kpt pkg init` does: a Kptfile, a README.md, and the context of a package that
// is not deployed.
func New(name string, info kptfilev1.PackageInfo) (pkgtree.Tree, error) {
	k := kptfile.New(name)
	k.MergeAnnotations(map[string]string{krm.LocalConfigAnnotation: "true"})
	k.SetInfo(info)
	data, err := k.Bytes()
	if err != nil {
		return pkgtree.Tree{}, err
	}
	readme := "# " + name + "\n"
	if info.Description != "" {
		readme += "\n" + info.Description + "\n"
	}
	tree, err := pkgtree.New(map[string][]byte{kptfile.Name: data, "README.md": []byte(readme)})
	if err != nil {
		return tree, err
	}
	return AddContext(tree, "example", "")
}
