package chart

import (
	"fmt"
	"strings"
)

// importValues adds to the defaults of each chart the values that it imports from charts in it (import-values in Chart.yaml).
// The chart's own defaults win.
func (n *node) importValues() error {
	for _, dep := range n.deps {
		if err := dep.importValues(); err != nil {
			return err
		}
	}
	if n.meta.Dependencies == nil {
		return nil
	}
	values, err := n.joined(nil, true)
	if err != nil {
		return err
	}
	imported := map[string]any{}
	for _, dep := range n.meta.Dependencies {
		for _, rule := range dep.ImportValues {
			child, parent := importRule(rule)
			if child == "" {
				continue
			}
			if table, ok := tableAt(values, dep.Name+"."+child); ok {
				if len(table) == 0 { // else the table is shared, as with Helm
					table = map[string]any{}
				}
				fill(imported, nested(parent, table), true)
			}
		}
	}
	n.values = copyMap(values)
	fill(n.values, imported, true)
	return nil
}

// importRule is the path of the values in the chart that they come from, and in the chart that imports them.
func importRule(rule any) (child, parent string) {
	switch r := rule.(type) {
	case string:
		return "exports." + r, "."
	case map[string]any:
		return fmt.Sprint(r["child"]), fmt.Sprint(r["parent"])
	}
	return "", ""
}

// nested is a map with table at a path with dots; "." is the table itself.
func nested(path string, table map[string]any) map[string]any {
	if path == "." {
		return table
	}
	steps := strings.Split(path, ".")
	for i := len(steps) - 1; i >= 0; i-- {
		table = map[string]any{steps[i]: table}
	}
	return table
}
