package expansion

import (
	"fmt"
	"go/token"
	"maps"
	"slices"
	"strings"
	"text/template/parse"
	"unicode/utf8"

	"github.com/waybill-dev/waybill/pkg/template"
)

const (
	// clusterNameProperty is the one property that every cluster has, unless another source overrides it.
	clusterNameProperty = "clusterName"
	// maxKey is the longest key of labels, annotations and ConfigMaps in Kubernetes. An Inventory could hold
	// longer ones, and each loop sorts all keys.
	maxKey = 253
)

// Properties joins the sources of a cluster's properties, later ones overriding earlier ones: its name, its
// labels, its annotations, and data and binaryData of its property ConfigMap. Keys that are no Go
// identifiers, or are Go keywords, cannot be used in a template and are left out. binaryData under a usable
// key must be UTF-8; with an error the properties are returned too, with U+FFFD for invalid bytes, so that
// the key is not reported a second time as missing.
func Properties(cluster string, labels, annotations, data map[string]string, binaryData map[string][]byte) (map[string]string, error) {
	out := map[string]string{clusterNameProperty: cluster}
	for _, source := range []map[string]string{labels, annotations, data} {
		for key, value := range source {
			if usable(key) {
				out[key] = value
			}
		}
	}
	var bad []string
	for _, key := range slices.Sorted(maps.Keys(binaryData)) {
		if !usable(key) {
			continue
		}
		if !utf8.Valid(binaryData[key]) {
			bad = append(bad, fmt.Sprintf("%q", key))
		}
		out[key] = strings.ToValidUTF8(string(binaryData[key]), "\uFFFD")
	}
	if len(bad) > 0 {
		return out, fmt.Errorf("properties of cluster %q: binaryData of %s is not valid UTF-8", cluster, strings.Join(bad, ", "))
	}
	return out, nil
}

func usable(key string) bool { return len(key) <= maxKey && token.IsIdentifier(key) }

// Reads lists the properties that a template names, in the order in which it first does: {{.region}}, and
// {{index . "region"}}. Others, such as those of a loop over all properties, are not included. Text that is
// no template names none.
func Reads(text string) (names []string) {
	trees, err := parseChecked("text", text)
	if err != nil {
		return nil
	}
	note := func(name string) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		template.Walk(trees[name].Root, func(n parse.Node) {
			switch n := n.(type) {
			case *parse.FieldNode:
				note(n.Ident[0])
			case *parse.CommandNode:
				if len(n.Args) > 2 && template.IsFunction(n.Args[0], "index") && n.Args[1].Type() == parse.NodeDot {
					if key, ok := n.Args[2].(*parse.StringNode); ok {
						note(key.Text)
					}
				}
			}
		})
	}
	return names
}
