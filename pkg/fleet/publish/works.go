package publish

import (
	"fmt"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/manifestwork"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// workFiles are the files with the works of a cluster, as they are in the tree.
func workFiles(tree pkgtree.Tree, all []fleet.Delivery) (files, error) {
	out := files{}
	for i := range all {
		d := &all[i]
		if d.Work == "" {
			return nil, notAWork(d.File)
		}
		if out[d.File] != nil {
			continue
		}
		if path.Ext(d.File) == ".json" || strings.HasPrefix(strings.ToLower(path.Base(d.File)), "kustomization.") {
			return nil, fmt.Errorf("file %q: Flux applies no works in a file of this name, and would delete those that it applied from another: "+
				"want NAME.yaml or NAME.yml", d.File)
		}
		blob := tree.Blob(d.File)
		if err := onlyWorks(d.File, blob.Data()); err != nil {
			return nil, err
		}
		out[d.File] = blob
	}
	return out, nil
}

// onlyWorks refuses a file that holds anything else, such as a function's configuration: the hub would get it, too.
func onlyWorks(file string, data []byte) error {
	if _, ok := manifestwork.Scan(data); ok { // one work
		return nil
	}
	objects, err := krm.Read(file, data, krm.Limits{})
	if err != nil {
		return err
	}
	for _, o := range objects {
		for _, one := range manifestwork.Flatten(o.Node()) {
			if !krm.FromNode(one.Node).Is(manifestwork.Group, manifestwork.Kind) {
				return notAWork(file)
			}
		}
	}
	return nil
}

func notAWork(file string) error {
	return fmt.Errorf("file %q holds an object that is no ManifestWork: artifacts of works hold only works; "+
		"move the object to another file, or publish objects", file)
}
