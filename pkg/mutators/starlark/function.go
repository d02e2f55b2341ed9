// Package starlark is the function starlark: it runs a script in Starlark, a small dialect of
// Python, over the objects of a package.
//
// Shape: a script and items in, as dicts and lists; what the script leaves in
// ctx.resource_list["items"] comes out. A dict that the script was given is still its item, whatever
// its name is by now; comments, key order and style of what stays are kept, and an item that says
// the same is handed on as it is.
// Cost: items become Starlark values and back once; the rest is the script's.
// Bounds: steps, and work. The interpreter counts the former; the latter is what single steps can
// hide (s + s, sorted(x), range, str). Before a script runs, such operations in it are rewritten to
// calls that ask for their price first (rewrite.go, price.go). No recursion, no load, no clock, no
// environment: the same script and input give the same output or the same error.
// Errors: a script that cannot be read, fails, does too much, or leaves something that is no object.
// Source: the README of starlark in krm-functions-catalog; go.starlark.net, the interpreter.
package starlark

import (
	"context"
	_ "embed" // for the README
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

//go:embed starlark.md
var readme string

const functionName, configKind = "starlark", "StarlarkRun"

// Function is starlark.
var Function = &fn.Function{Name: functionName, Kind: configKind, Doc: fn.MustDoc(readme, functionName), Run: Run}

// Run runs the script. What it prints is a result for every line.
func Run(_ context.Context, in *fn.Input) (*fn.Output, error) {
	s, err := readScript(in.Config)
	if err != nil {
		return nil, err
	}
	t := &trial{script: s}
	out, err := edit.All(in, kio.FilterFunc(t.filter))
	if out == nil {
		out = fn.NewOutput(in)
	}
	for i, line := range t.printed {
		out.Report(sdk.Info, nil, nil, "print[%d]: %s", i, line)
	}
	return out, err
}

// trial is one run of a script.
type trial struct {
	script  script
	printed []string
}

// filter runs the script over nodes, which it may change, and returns what is left and what is new.
func (t *trial) filter(nodes []*yaml.RNode) ([]*yaml.RNode, error) {
	list, given, err := t.values(nodes)
	if err != nil {
		return nil, err
	}
	if err := t.run(list); err != nil {
		return nil, err
	}
	v, _, _ := list.Get(star.String("items"))
	items, ok := v.(*star.List)
	if !ok {
		return nil, fmt.Errorf("the script left no list in ctx.resource_list[%q]", "items")
	}
	return unpack(items, given)
}

// values is what ctx.resource_list says, and which item every dict in it is.
func (t *trial) values(nodes []*yaml.RNode) (*star.Dict, map[*star.Dict]*yaml.Node, error) {
	items := make([]star.Value, len(nodes))
	given := make(map[*star.Dict]*yaml.Node, len(nodes))
	for i, n := range nodes {
		v, err := fromNode(n.YNode())
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", krm.FromNode(n.YNode()).Describe(), err)
		}
		items[i], given[v.(*star.Dict)] = v, n.YNode()
	}
	config, err := fromNode(t.script.config)
	if err != nil {
		return nil, nil, fmt.Errorf("functionConfig: %w", err)
	}
	list := star.NewDict(4)
	for _, field := range []star.Tuple{
		{star.String("apiVersion"), star.String("config.kubernetes.io/v1")},
		{star.String("kind"), star.String("ResourceList")},
		{star.String("items"), star.NewList(items)},
		{star.String("functionConfig"), config},
	} {
		if err := list.SetKey(field[0], field[1]); err != nil {
			return nil, nil, err
		}
	}
	return list, given, nil
}

// unpack makes nodes of items again.
func unpack(items *star.List, given map[*star.Dict]*yaml.Node) (out []*yaml.RNode, err error) {
	w := newWriter()
	for i := range items.Len() {
		d, ok := items.Index(i).(*star.Dict)
		if !ok {
			return nil, fmt.Errorf("items[%d] is a %s, want a dict", i, items.Index(i).Type())
		}
		before, known := given[d]
		if known {
			w.allow(before)
		}
		n, err := w.node(d, before, 0)
		if err == nil && !known {
			err = checkObject(n)
		}
		if err != nil {
			return nil, at(fmt.Sprintf("items[%d]", i), err)
		}
		if known {
			keepPlace(before, n)
			*before = *n
			n = before
			delete(given, d) // given back once more, it is a new object
		}
		out = append(out, yaml.NewRNode(n))
	}
	return out, nil
}

// keepPlace keeps the annotations of the orchestrator that after lacks: they say which item of the
// package it is.
func keepPlace(before, after *yaml.Node) {
	was, is := krm.FromNode(before), krm.FromNode(after)
	old := krm.Lookup(before, "metadata", "annotations")
	if old == nil {
		return
	}
	for i := 0; i+1 < len(old.Content); i += 2 {
		if key := old.Content[i].Value; krm.IsOrchestration(key) && !is.HasAnnotation(key) {
			is.SetAnnotation(key, was.Annotation(key))
		}
	}
}

// checkObject wants of a new object what every object of a package has.
func checkObject(n *yaml.Node) error {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}} {
		if v := krm.Lookup(n, path...); !edit.IsText(v) {
			return fmt.Errorf("a new object has no %s", path[len(path)-1])
		}
	}
	return nil
}
