package ocmcheck

import (
	"bytes"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Tree returns how many ManifestWorks the YAML files of a package hold, and what is wrong with them with the hub's
// default limit. It does not read a file that does not mention the kind, so that a package may hold
// any other files. Local configuration, such as a report from a hub, is not applied, so it is not checked.
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
