// Command kptfn is the function of the generated packages: it does to the ResourceList on stdin
// what its arguments say, well or badly. Its first argument is the name of one of verbs.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func main() {
	in, err := io.ReadAll(os.Stdin)
	if err != nil || len(os.Args) < 2 {
		fail("no input or no verb: %v", err)
	}
	verb, args := os.Args[1], os.Args[2:]
	if text, known := garbage[verb]; known {
		fmt.Print(text)
		return
	}
	list, err := yaml.Parse(string(in))
	if err != nil {
		fail("%v", err)
	}
	do, known := verbs[verb]
	if !known {
		fail("no verb %q; there are %s", verb, strings.Join(slices.Sorted(maps.Keys(verbs)), ", "))
	}
	write, exit := do(&call{list: list, args: args})
	fmt.Print(write)
	os.Exit(exit)
}

func fail(format string, args ...any) {
	fmt.Fprintf(os.Stderr, format+"\n", args...)
	os.Exit(9)
}

// garbage is printed by those who do not look at their input.
var garbage = map[string]string{
	"text":       "it works\n",
	"half":       "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: [",
	"no-items":   "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n",
	"items-map":  "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: {a: b}\n",
	"items-text": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- text\n",
	"items-null": "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- null\n",
	"other-kind": "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
	"sequence":   "- a\n- b\n",
	"number":     "7\n",
	"tab":        "a:\n\tb: c\n",
}

// call is one run: the list, which verbs change in place, and what stands behind the verb.
type call struct {
	list *yaml.RNode
	args []string
}

func (c *call) arg(i int) string {
	if i < len(c.args) {
		return c.args[i]
	}
	return ""
}

func (c *call) items() []*yaml.RNode {
	items, err := c.list.Pipe(yaml.Lookup("items"))
	if err != nil || items == nil {
		return nil
	}
	all, err := items.Elements()
	if err != nil {
		fail("%v", err)
	}
	return all
}

// targets are the items of the first argument: "all" but Kptfiles, a kind, or a name.
func (c *call) targets() []*yaml.RNode {
	return slices.DeleteFunc(c.items(), func(o *yaml.RNode) bool { return !c.meant(o) })
}

func (c *call) meant(o *yaml.RNode) bool {
	which := c.arg(0)
	return o.GetKind() != "Kptfile" && (which == "all" || which == o.GetKind() || which == o.GetName())
}

func (c *call) setItems(items []*yaml.RNode) {
	content := make([]*yaml.Node, len(items))
	for i, o := range items {
		content[i] = o.YNode()
	}
	list, err := c.list.Pipe(yaml.Lookup("items"))
	if err != nil || list == nil {
		fail("no items: %v", err)
	}
	list.YNode().Content = content
	list.YNode().Style = 0 // an empty list came in flow style
}

func (c *call) print() string {
	text, err := c.list.String()
	if err != nil {
		fail("%v", err)
	}
	return text
}
