package expansion

import (
	"maps"
	"slices"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

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
