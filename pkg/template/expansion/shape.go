package expansion

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"text/template/parse"

	"github.com/waybill-dev/waybill/pkg/template"
)

// checkShape refuses what can be seen to run away without running it: a range over a number, a
// padding in printf that is out of bounds, and defined templates that call each other in a circle
// or too deep.
func checkShape(trees map[string]*parse.Tree) error {
	calls := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		tree := trees[name]
		var err error
		template.Walk(tree.Root, func(n parse.Node) {
			if reason := faultOf(n); reason != "" && err == nil {
				where, context := tree.ErrorContext(n)
				err = fmt.Errorf("template: %s: refused at <%s>: %s", where, context, reason)
			}
			if call, ok := n.(*parse.TemplateNode); ok {
				calls[name] = append(calls[name], call.Name)
			}
		})
		if err != nil {
			return err
		}
	}
	return checkCalls(trees, calls)
}

func faultOf(n parse.Node) string {
	switch n := n.(type) {
	case *parse.RangeNode:
		last := n.Pipe.Cmds[len(n.Pipe.Cmds)-1].Args[0]
		if _, number := last.(*parse.NumberNode); number || template.IsFunction(last, "len") {
			return rangeOverNumber
		}
	case *parse.CommandNode:
		if len(n.Args) > 1 && template.IsFunction(n.Args[0], "printf") {
			if format, ok := n.Args[1].(*parse.StringNode); ok {
				return paddingFault(template.ScanFormat(format.Text, "."))
			}
		}
	}
	return ""
}

// checkCalls refuses circles among templates, and chains of calls longer than maxDepth.
func checkCalls(trees map[string]*parse.Tree, calls map[string][]string) error {
	height := map[string]int{} // longest chain of calls below a template; 0 while being looked at
	var visit func(name string) error
	visit = func(name string) error {
		height[name] = 0
		most := 0
		for _, callee := range calls[name] {
			h, seen := height[callee]
			if seen && h == 0 {
				return fmt.Errorf("template: %s: refused: template %s calls itself, if only by way of others", trees[name].ParseName,
					strconv.Quote(callee))
			}
			if !seen {
				if err := visit(callee); err != nil {
					return err
				}
			}
			most = max(most, height[callee])
		}
		if height[name] = most + 1; most >= maxDepth && trees[name] != nil {
			return fmt.Errorf("template: %s: refused: templates call each other deeper than %d levels", trees[name].ParseName, maxDepth)
		}
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		if height[name] == 0 {
			if err := visit(name); err != nil {
				return err
			}
		}
	}
	return nil
}
