package syncfn

import (
	"cmp"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// sideAnnotation of an item of a package names its side: source or destination.
const sideAnnotation = fn.ReservedPrefix + "side"

// folders are the folders of the two sides. root is the path of the package, from the annotations of its items.
type folders struct{ source, destination, cluster, root string }

// newFolders are the folders of a package that has those items, some of them perhaps in subpackages.
func newFolders(config *waybill.PublishedResource, items []*krm.Object) folders {
	f := folders{cluster: config.Spec.Cluster}
	f.source, f.destination = apisync.Folders(config)
	for _, o := range items {
		if at := o.Annotation(krm.PackagePathAnnotation); at != "" && (f.root == "" || len(at) < len(f.root)) {
			f.root = at
		}
	}
	return f
}

// fileOf is the file of an item relative to the package, where the item names it relative to a subpackage.
func (f folders) fileOf(o *krm.Object) string {
	below, is := strings.CutPrefix(o.Annotation(krm.PackagePathAnnotation), strings.TrimSuffix(f.root, "/")+"/")
	if !is {
		return o.File()
	}
	return path.Join(below, o.File())
}

// place says where an item of a package is: by its annotation, or else by its folder.
func (f folders) place(o *krm.Object) apisync.Place {
	side, file := o.Annotation(sideAnnotation), f.fileOf(o)
	switch {
	case side == "source" || side == "" && isIn(file, f.source):
		return apisync.Place{Side: apisync.Source, Cluster: f.clusterOf(o)}
	case side == "destination" || side == "" && isIn(file, f.destination):
		return apisync.Place{Side: apisync.Destination}
	}
	return apisync.Place{}
}

// clusterOf is the cluster of a source item, perhaps from kcp's own annotation.
func (f folders) clusterOf(o *krm.Object) string {
	return cmp.Or(o.Annotation(apisync.ClusterAnnotation), o.Annotation("kcp.io/cluster"), f.cluster)
}

func isIn(file, folder string) bool { return folder == "." || strings.HasPrefix(file, folder+"/") }

// file names the file of a new item.
func (f folders) file(at apisync.Place, id krm.ID) string {
	dir := f.destination
	if at.Side == apisync.Source {
		dir = path.Join(f.source, plainName(at.Cluster))
	}
	return path.Join(dir, cmp.Or(plainName(id.Namespace), "_cluster"), strings.ToLower(plainName(id.Kind))+"_"+plainName(id.Name)+".yaml")
}

// plainName makes a name safe for file names of all systems: it replaces other characters with dashes.
func plainName(s string) string {
	return strings.Map(func(c rune) rune {
		if c < ' ' || strings.ContainsRune(`<>:"/\|?*`, c) {
			return '-'
		}
		return c
	}, s)
}
