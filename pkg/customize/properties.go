package customize

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// clusterNameProperty is the one property that every cluster has, unless something overrides it.
const clusterNameProperty = "clusterName"

// Properties joins what is known about a cluster, later sources overriding earlier ones: its name,
// its labels, its annotations, and data and binaryData of its property ConfigMap. Keys that are no
// Go identifiers, or Go keywords, cannot stand in a template and are left out. binaryData under a
// usable key must be UTF-8.
func Properties(cluster string, labels, annotations, data map[string]string, binaryData map[string][]byte) (map[string]string, error) {
	out := map[string]string{clusterNameProperty: cluster}
	for _, source := range []map[string]string{labels, annotations, data} {
		for key, value := range source {
			if token.IsIdentifier(key) {
				out[key] = value
			}
		}
	}
	var bad []string
	for _, key := range slices.Sorted(maps.Keys(binaryData)) {
		switch value := binaryData[key]; {
		case !token.IsIdentifier(key):
		case !utf8.Valid(value):
			bad = append(bad, fmt.Sprintf("%q", key))
		default:
			out[key] = string(value)
		}
	}
	if len(bad) > 0 {
		return nil, fmt.Errorf("properties of cluster %q: binaryData of %s is not valid UTF-8", cluster, strings.Join(bad, ", "))
	}
	return out, nil
}
