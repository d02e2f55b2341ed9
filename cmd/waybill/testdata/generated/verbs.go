package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"

	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// verbs say what there is to do. They return what to print and the exit code.
var verbs = map[string]func(*call) (string, int){
	"label":    each(func(o *yaml.RNode, c *call) { put(o, c.arg(2), "metadata", "labels", c.arg(1)) }),
	"annotate": each(func(o *yaml.RNode, c *call) { put(o, c.arg(2), "metadata", "annotations", c.arg(1)) }),
	"set":      each(func(o *yaml.RNode, c *call) { put(o, c.arg(2), c.arg(1), "added") }),
	"unset":    each(func(o *yaml.RNode, c *call) { must(o.Pipe(yaml.Clear(c.arg(1)))) }),
	"rename":   each(func(o *yaml.RNode, c *call) { put(o, c.arg(1), "metadata", "name") }),
	"move":     each(move),
	"index":    each(func(o *yaml.RNode, c *call) { both(o, "index", c.arg(1)) }),
	"unfile":   each(unfile),
	"list":     each(enlist),
	"drop":     func(c *call) (string, int) { c.setItems(slices.DeleteFunc(c.items(), c.meant)); return c.print(), 0 },
	"reverse":  reverse,
	"json":     asJSON,
	"add":      add,
	"config":   config,
	"results":  results,
	"same":     func(c *call) (string, int) { return c.print(), 0 },
}

func each(do func(*yaml.RNode, *call)) func(*call) (string, int) {
	return func(c *call) (string, int) {
		for _, o := range c.targets() {
			do(o, c)
		}
		return c.print(), 0
	}
}

func must(_ *yaml.RNode, err error) {
	if err != nil {
		fail("%v", err)
	}
}

// put sets a string at a path, which is made as far as needed.
func put(o *yaml.RNode, value string, path ...string) {
	last := len(path) - 1
	must(o.Pipe(yaml.LookupCreate(yaml.MappingNode, path[:last]...), yaml.SetField(path[last], yaml.NewStringRNode(value))))
}

func both(o *yaml.RNode, which, value string) {
	put(o, value, "metadata", "annotations", "internal.config.kubernetes.io/"+which)
	put(o, value, "metadata", "annotations", "config.kubernetes.io/"+which)
}

// move files a target elsewhere, in one or in both spellings of the annotation.
func move(o *yaml.RNode, c *call) {
	switch c.arg(2) {
	case "legacy":
		put(o, c.arg(1), "metadata", "annotations", "config.kubernetes.io/path")
	case "internal":
		put(o, c.arg(1), "metadata", "annotations", "internal.config.kubernetes.io/path")
	default:
		both(o, "path", c.arg(1))
	}
}

// unfile forgets where a target stands, and all else that its annotations say.
func unfile(o *yaml.RNode, _ *call) {
	must(o.Pipe(yaml.Lookup("metadata"), yaml.Clear("annotations")))
}

// enlist puts a value first in the list "args" of a target's spec, once.
func enlist(o *yaml.RNode, c *call) {
	list, err := o.Pipe(yaml.LookupCreate(yaml.SequenceNode, "spec", "args"))
	must(list, err)
	for _, have := range list.YNode().Content {
		if have.Value == c.arg(1) {
			return
		}
	}
	list.YNode().Content = slices.Insert(list.YNode().Content, 0, yaml.NewStringRNode(c.arg(1)).YNode())
}

func reverse(c *call) (string, int) {
	items := c.items()
	slices.Reverse(items)
	c.setItems(items)
	return c.print(), 0
}

// asJSON loses comments, key order and styles.
func asJSON(c *call) (string, int) {
	text, err := c.list.MarshalJSON()
	if err != nil {
		fail("%v", err)
	}
	return string(text), 0
}

// add makes NAME [PATH [INDEX [NAMESPACE]]] unless it is there; "-" leaves a part out.
func add(c *call) (string, int) {
	items := c.items()
	for _, o := range items {
		if o.GetName() == c.arg(0) {
			return c.print(), 0
		}
	}
	o := yaml.MustParse("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  # made\n  a: b # here\n")
	put(o, c.arg(0), "metadata", "name")
	for i, path := range [][]string{{"metadata", "annotations", "internal.config.kubernetes.io/path"},
		{"metadata", "annotations", "config.kubernetes.io/index"}, {"metadata", "namespace"}} {
		if v := c.arg(i + 1); v != "" && v != "-" {
			put(o, v, path...)
		}
	}
	c.setItems(append(items, o))
	return c.print(), 0
}

// config writes its configuration's data into annotations of every ConfigMap it sees, but not
// into the configuration.
func config(c *call) (string, int) {
	data := c.list.Field("functionConfig")
	if data == nil {
		fmt.Fprintln(os.Stderr, "no configuration")
		return c.print(), 0
	}
	c.args = []string{"ConfigMap"}
	values := data.Value.GetDataMap()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		for _, o := range c.targets() {
			if o.GetName() != data.Value.GetName() {
				put(o, values[key], "metadata", "annotations", "config/"+key)
			}
		}
	}
	return c.print(), 0
}

// results tells SEVERITY, talks on stderr, and exits with CODE.
func results(c *call) (string, int) {
	code, err := strconv.Atoi(c.arg(1))
	if err != nil {
		fail("%v", err)
	}
	told := []map[string]any{
		{"message": "one: two", "severity": c.arg(0)},
		{"message": "of a place", "severity": "info", "resourceRef": map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "name": "a"},
			"field": map[string]any{"path": "data.a"}, "file": map[string]any{"path": "a.yaml", "index": 1}, "tags": map[string]any{"t": "u"}},
	}
	if c.arg(2) == "values" {
		told[1]["field"] = map[string]any{"path": "data.a", "currentValue": "1", "proposedValue": "2"}
	}
	text, err := json.Marshal(told)
	if err != nil {
		fail("%v", err)
	}
	must(c.list.Pipe(yaml.SetField("results", yaml.MustParse(string(text)))))
	fmt.Fprintf(os.Stderr, "said\non %d lines\n", 2)
	return c.print(), code
}
