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
	// clusterNameProperty is the one property that every cluster has, unless something overrides it.
	clusterNameProperty = "clusterName"
	// maxKey is how long Kubernetes lets the keys of labels, annotations and ConfigMaps be. An
	// Inventory could hold longer ones, and loops compare all keys whenever they begin.
	maxKey = 253
)

// Properties joins what is known about a cluster, later sources overriding earlier ones: its name,
// its labels, its annotations, and data and binaryData of its property ConfigMap. Keys that are no
// Go identifiers, or Go keywords, cannot stand in a template and are left out. binaryData under a
// usable key must be UTF-8; with an error the properties are there all the same, what cannot be
// read replaced by U+FFFD, so that it is not reported a second time as missing.
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
// {{index . "region"}}. Those that it comes to some other way, as by a loop over all of them, are not among them. Text
// that is no template names none.
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
