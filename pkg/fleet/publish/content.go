package publish

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Contents of artifacts.
const (
	// Objects are what a cluster receives, taken out of its works: for clusters that apply artifacts themselves.
	Objects = "objects"
	// Works are the files with ManifestWorks, as they are committed: for hubs.
	Works = "works"
)

// What has an artifact.
const (
	ByCluster = "cluster"
	ByLabel   = "label=" // before the key of a label: each of its values has one
)

// Options say what artifacts there are, and what is in them.
type Options struct {
	// By is ByCluster, or ByLabel and the key of a label of clusters.
	By string
	// Content is Objects or Works.
	Content string
}

// Content is what one cluster or group has.
type Content struct {
	Name     string   // of the cluster, or the value of the label
	Clusters []string // sorted
	Files    pkgtree.Tree
}

// Contents returns what a rendered tree has for each cluster or group, sorted by name. Clusters that receive nothing have none.
func Contents(tree pkgtree.Tree, o Options) ([]Content, error) {
	f, err := fleet.Read(tree, nil)
	if err != nil {
		return nil, err
	}
	files, err := filesOf(tree, f, o)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no cluster receives anything, so there is nothing to publish: render the package, and commit the result")
	}
	group, err := groupOf(tree, slices.Sorted(maps.Keys(files)), o.By)
	if err != nil {
		return nil, err
	}
	if o.Content == Works {
		if err := checkOwners(files, group); err != nil {
			return nil, err
		}
	}
	return join(files, group)
}

// files are those of one cluster, by path.
type files map[string]*pkgtree.Blob

// filesOf returns the files of all clusters that have any.
func filesOf(tree pkgtree.Tree, f *fleet.Fleet, o Options) (map[string]files, error) {
	out, mu := map[string]files{}, sync.Mutex{}
	err := f.EachCluster(func(cluster string, all []fleet.Delivery) error {
		found, err := o.filesOf(tree, cluster, all)
		if err != nil {
			return fmt.Errorf("cluster %q: %w", cluster, err)
		}
		if len(found) > 0 {
			mu.Lock()
			defer mu.Unlock()
			out[cluster] = found
		}
		return nil
	})
	return out, err
}

func (o Options) filesOf(tree pkgtree.Tree, cluster string, all []fleet.Delivery) (files, error) {
	if o.Content == Works {
		return workFiles(tree, all)
	}
	found, err := objectFiles(all)
	if err != nil || o.By == ByCluster {
		return found, err
	}
	below := make(files, len(found))
	for p, b := range found {
		below[cluster+"/"+p] = b
	}
	return below, nil
}

// join puts the files of clusters together that belong to one group.
func join(all map[string]files, group map[string]string) ([]Content, error) {
	joined, clusters := map[string]files{}, map[string][]string{}
	for _, cluster := range slices.Sorted(maps.Keys(all)) {
		name := group[cluster]
		if joined[name] == nil {
			joined[name] = files{}
		}
		maps.Copy(joined[name], all[cluster])
		clusters[name] = append(clusters[name], cluster)
	}
	out := make([]Content, 0, len(joined))
	for _, name := range slices.Sorted(maps.Keys(joined)) {
		tree, err := pkgtree.FromBlobs(joined[name])
		if err != nil {
			return nil, fmt.Errorf("%q: %w", name, err)
		}
		out = append(out, Content{Name: name, Clusters: clusters[name], Files: tree})
	}
	return out, nil
}
