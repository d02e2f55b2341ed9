package fleet

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Fleet is what every cluster receives. Nothing changes a Fleet, so many goroutines may use it.
type Fleet struct {
	files map[string]*file
	order []string // of files, by path
	texts *contents
}

// Read finds what the files of a rendered package deliver to which cluster. It reuses the results for files that like holds,
// too; like may be nil.
func Read(tree pkgtree.Tree, like *Fleet) (*Fleet, error) {
	if like == nil {
		like = &Fleet{texts: newContents()}
	}
	f := &Fleet{files: map[string]*file{}, texts: like.texts}
	var fresh []*file
	for p, blob := range tree.All() {
		home := clusterOf(tree, p)
		if !HoldsObjects(p) || home == "" && !containsWork(blob) {
			continue
		}
		f.order = append(f.order, p)
		if old := like.files[p]; old != nil && old.cluster == home && old.blob == blob {
			f.files[p] = old
			continue
		}
		f.files[p] = &file{path: p, blob: blob, cluster: home}
		fresh = append(fresh, f.files[p])
	}
	var last atomic.Pointer[scanned] // a work for another cluster differs in little
	err := InParallel(len(fresh), func(i int) error {
		alike := last.Load()
		if old := like.files[fresh[i].path]; old != nil && old.scanned != nil {
			alike = old.scanned
		}
		err := fresh[i].scan(f.texts, alike)
		if fresh[i].scanned != nil {
			last.Store(fresh[i].scanned)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return f, nil
}

// clusterOf is the cluster whose folder, clusters/<cluster>/ of a package, holds p; "" if none does.
func clusterOf(tree pkgtree.Tree, p string) string {
	for at := 0; ; {
		i := strings.Index(p[at:], "clusters/")
		if i < 0 {
			return ""
		}
		at += i
		if at == 0 || p[at-1] == '/' && tree.Blob(p[:at]+kptfile.Name) != nil {
			cluster, _, below := strings.Cut(p[at+len("clusters/"):], "/")
			if below {
				return cluster
			}
		}
		at += len("clusters/")
	}
}

// HoldsObjects reports whether a file is called as one with objects.
func HoldsObjects(p string) bool {
	switch path.Ext(p) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// IsSource reports whether the file may hold objects that a package is rendered from: it lies outside of the folders of
// clusters.
func IsSource(tree pkgtree.Tree, p string) bool { return HoldsObjects(p) && clusterOf(tree, p) == "" }

// Clusters are the names of the clusters that receive anything, sorted. A cluster whose works hold only hand-over entries
// receives nothing.
func (f *Fleet) Clusters() []string {
	return slices.Sorted(maps.Keys(f.objectCounts()))
}

// Named are Clusters, and the clusters whose works hold only hand-over entries, sorted.
func (f *Fleet) Named() []string {
	out := f.objectCounts()
	for _, file := range f.files {
		for _, l := range file.counts {
			out[l.cluster] += l.objects
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// Objects is how many objects are delivered, each counted for every cluster.
func (f *Fleet) Objects() (total int) {
	for _, n := range f.objectCounts() {
		total += n
	}
	return total
}

// objectCounts is how many objects each cluster receives.
func (f *Fleet) objectCounts() map[string]int {
	out := map[string]int{}
	for _, p := range f.order {
		for _, l := range f.files[p].counts {
			if l.objects > 0 || l.handOver == 0 {
				out[l.cluster] += l.objects
			}
		}
	}
	return out
}

// Delivered is everything that a cluster receives, works themselves and hand-over entries included, in the order of files.
func (f *Fleet) Delivered(cluster string) ([]Delivery, error) {
	var files []*file
	for _, p := range f.order {
		if slices.ContainsFunc(f.files[p].counts, func(c clusterCount) bool { return c.cluster == cluster }) {
			files = append(files, f.files[p])
		}
	}
	return deliveriesTo(cluster, files, false)
}

// EachCluster calls do for every cluster that Named returns, on all processors, with what Delivered returns for the cluster. It looks at
// each file once, and returns the error of the first of the clusters.
func (f *Fleet) EachCluster(do func(cluster string, all []Delivery) error) error {
	files := map[string][]*file{}
	for _, p := range f.order {
		for _, c := range f.files[p].counts {
			files[c.cluster] = append(files[c.cluster], f.files[p])
		}
	}
	clusters := slices.Sorted(maps.Keys(files))
	return InParallel(len(clusters), func(i int) error {
		all, err := deliveriesTo(clusters[i], files[clusters[i]], false)
		if err != nil {
			return err
		}
		return do(clusters[i], all)
	})
}

// deliveriesTo is what files deliver to a cluster, in order.
func deliveriesTo(cluster string, files []*file, thorough bool) (out []Delivery, err error) {
	for _, f := range files {
		all, err := f.deliveries(thorough)
		if err != nil {
			return nil, err
		}
		out = append(out, slices.DeleteFunc(all, func(d Delivery) bool { return d.Cluster != cluster })...)
	}
	return out, nil
}

// InParallel calls do for 0 to n-1, on all processors. When all calls are done, it returns the error of the lowest number.
func InParallel(n int, do func(int) error) error {
	errs := make([]error, n)
	parallel.For(n, func(i int) { errs[i] = do(i) })
	return cmp.Or(errs...)
}
