package publish

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// component is one part of the name of a repository, as registries accept it.
var component = lazyregexp.New(`^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$`)

// groupOf returns the name of the artifact of each cluster.
func groupOf(tree pkgtree.Tree, clusters []string, by string) (map[string]string, error) {
	var labels map[string][]string
	if by != ByCluster {
		labels = index.LabelsIn(tree)
	}
	out := make(map[string]string, len(clusters))
	for _, cluster := range clusters {
		name := cluster
		if by != ByCluster {
			key := strings.TrimPrefix(by, ByLabel)
			if name = valueOf(labels[cluster], key); name == "" {
				return nil, fmt.Errorf("cluster %q has no label %q in the inventory of the package, so it belongs to no group: "+
					"add the label, or publish by cluster", cluster, key)
			}
		}
		if !component.MatchString(name) || len(name) > 128 {
			return nil, fmt.Errorf("cluster %q: registries do not accept %q as the last part of a repository's name: "+
				"want small letters and digits, with single dots, underscores or hyphens between them", cluster, name)
		}
		out[cluster] = name
	}
	return out, nil
}

// valueOf is the value of a label among texts such as key=value; "" if it is not there.
func valueOf(labels []string, key string) string {
	for _, label := range labels {
		if k, value, _ := strings.Cut(label, "="); k == key {
			return value
		}
	}
	return ""
}

// checkOwners refuses a file that belongs to more than one artifact: each would get works of the other's clusters.
func checkOwners(all map[string]files, group map[string]string) error {
	owner := map[string]string{} // of a file: a cluster
	for _, cluster := range slices.Sorted(maps.Keys(all)) {
		for _, p := range slices.Sorted(maps.Keys(all[cluster])) {
			other, taken := owner[p]
			if taken && group[other] != group[cluster] {
				return fmt.Errorf("file %q has works of the clusters %q and %q, which have different artifacts: give each a file of its own",
					p, other, cluster)
			}
			owner[p] = cluster
		}
	}
	return nil
}
