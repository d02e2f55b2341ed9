package apisync

import (
	"cmp"
	"path"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Annotations of items of a package that say where they are.
const (
	// SideAnnotation is source or destination.
	SideAnnotation = fn.ReservedPrefix + "side"
	// ClusterAnnotation names the cluster of a source item.
	ClusterAnnotation = fn.ReservedPrefix + "cluster"
	// kcpCluster is kcp's own annotation for the cluster.
	kcpCluster = "kcp.io/cluster"
)

// folders are the folders of the two sides. root is the path of the package, from the annotations of its items.
type folders struct{ source, destination, cluster, root string }

func foldersOf(config *waybill.PublishedResource) folders {
	f := folders{source: "source", destination: "destination", cluster: config.Spec.Cluster}
	if p := config.Spec.Paths; p != nil {
		f.source, f.destination = path.Clean(cmp.Or(p.Source, f.source)), path.Clean(cmp.Or(p.Destination, f.destination))
	}
	return f
}

// in sets the root of a package that has those items, some of them perhaps in subpackages.
func (f folders) in(items []*krm.Object) folders {
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
func (f folders) place(o *krm.Object) Place {
	side := Neither
	switch o.Annotation(SideAnnotation) {
	case "source":
		side = Source
	case "destination":
		side = Destination
	case "":
		side = f.sideOf(f.fileOf(o))
	}
	if side != Source {
		return Place{Side: side}
	}
	return Place{Source, f.clusterOf(o)}
}

// clusterOf is the cluster of a source item.
func (f folders) clusterOf(o *krm.Object) string {
	return cmp.Or(o.Annotation(ClusterAnnotation), o.Annotation(kcpCluster), f.cluster)
}

func (f folders) sideOf(file string) Side {
	switch {
	case isIn(file, f.source):
		return Source
	case isIn(file, f.destination):
		return Destination
	}
	return Neither
}

func isIn(file, folder string) bool { return folder == "." || strings.HasPrefix(file, folder+"/") }

// file names the file of a new item.
func (f folders) file(at Place, id krm.ID) string {
	dir := f.destination
	if at.Side == Source {
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
