package fleet

import (
	"maps"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Fleet is what every cluster receives. It is never changed, and may be used by many goroutines.
type Fleet struct {
	files map[string]*file
	order []string // of files, by path
}

// Read finds what the files of a rendered package deliver to which cluster. It reuses the results for files that like holds,
// too; like may be nil.
func Read(tree pkgtree.Tree, like *Fleet) (*Fleet, error) {
	f := &Fleet{files: map[string]*file{}}
	var fresh []*file
	for p, blob := range tree.All() {
		home := clusterOf(tree, p)
		if !mayDeliver(p, blob.Data(), home) {
			continue
		}
		f.order = append(f.order, p)
		if old := like.file(p); old != nil && old.cluster == home && old.blob.Equal(blob) {
			f.files[p] = old
			continue
		}
		f.files[p] = &file{path: p, blob: blob, cluster: home}
		fresh = append(fresh, f.files[p])
	}
	errs := make([]error, len(fresh))
	InParallel(len(fresh), func(i int) { errs[i] = fresh[i].count() })
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *Fleet) file(p string) *file {
	if f == nil {
		return nil
	}
	return f.files[p]
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

// mayDeliver reports whether the file has to be read: it holds objects, and it lies in the folder of a cluster or mentions
// works.
func mayDeliver(p string, data []byte, home string) bool {
	return holdsObjects(p) && (home != "" || containsWork(data))
}

func holdsObjects(p string) bool {
	switch path.Ext(p) {
	case ".yaml", ".yml", ".json":
		return true
	}
	return false
}

// IsSource reports whether the file may hold objects that a package is rendered from: it lies outside of the folders of
// clusters.
func IsSource(tree pkgtree.Tree, p string) bool { return holdsObjects(p) && clusterOf(tree, p) == "" }

// Clusters are the names of the clusters that receive anything, sorted. A cluster whose works hold only hand-over entries
// receives nothing.
func (f *Fleet) Clusters() []string {
	return slices.Sorted(maps.Keys(f.objectCounts()))
}

// Named are Clusters, and those whose works hold only hand-over entries, sorted.
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
func (f *Fleet) Delivered(cluster string) (out []Delivery, err error) {
	for _, p := range f.order {
		if !f.files[p].deliversTo(cluster) {
			continue
		}
		all, err := f.files[p].deliveries(false)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			if d.Cluster == cluster {
				out = append(out, d)
			}
		}
	}
	return out, nil
}

// InParallel calls do for 0 to n-1, on all processors. It returns when all calls are done.
func InParallel(n int, do func(int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}
