package ocmcheck

import (
	"bytes"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Tree returns how many ManifestWorks the YAML files of a package hold and what is wrong with them by the hub's
// default limit. A file that does not mention the kind is not read, so that a package may hold
// whatever else it likes. What is local to the package is not applied, so no rule holds for it: such as a
// report that a hub gave.
func Tree(tree pkgtree.Tree) (works int, faults []string) {
	var all []*krm.Object
	for name, blob := range tree.All() {
		data := blob.Data()
		if ext := path.Ext(name); ext != ".yaml" && ext != ".yml" || !bytes.Contains(data, []byte("ManifestWork")) {
			continue
		}
		objs, err := krm.Read(name, data, krm.Limits{})
		if err != nil {
			faults = append(faults, err.Error())
		}
		all = slices.Concat(all, slices.DeleteFunc(Works(objs), (*krm.Object).IsLocalConfig))
	}
	return len(all), append(faults, Violations(all, DefaultManifestLimit)...)
}
