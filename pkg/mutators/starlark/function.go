// Package starlark is the function starlark: it runs a script in Starlark, a small dialect of
// Python, over the objects of a package.
//
// Shape: a script and items in, as dicts and lists; what the script leaves in
// ctx.resource_list["items"] comes out. A dict of the input is still its item when the script renames the object; fields
// that stay keep comments, key order and style, and an unchanged item is passed on as it is.
// Cost: items become Starlark values and back once, besides the script itself.
// Bounds: steps, and work. The interpreter counts the former; the latter is the cost of single steps that do much (s + s,
// sorted(x), range, str). Before a script runs, such operations are rewritten to calls that charge their price first
// (rewrite.go, price.go). The keys of large maps are counted: many may have the same hash (tables.go). Calls are at most
// a thousand deep. No clock, no network, no environment: the same script and input give the same output or the same error.
// Errors: a script that cannot be read, fails, does too much, or leaves a value that is no object; the end of the context.
// No message shows values of Secrets (secrets.go).
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
func Run(ctx context.Context, in *fn.Input) (*fn.Output, error) {
	return runWithin(ctx, in, mostWork)
}

// runWithin is Run with a bound on the work.
func runWithin(ctx context.Context, in *fn.Input, work int) (*fn.Output, error) {
	s, err := readScript(in.Config)
	if err != nil {
		return nil, err
	}
	t := &execution{script: s, meter: &meter{left: work, tables: tables{}}}
	filter := func(nodes []*yaml.RNode) ([]*yaml.RNode, error) { return t.filter(ctx, nodes) }
	out, err := edit.All(ctx, in, kio.FilterFunc(filter))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		out = fn.NewOutput(in)
		out.Report(sdk.Error, in.Config, s.at, "%v", err)
	}
	for i, line := range t.printed {
		out.Report(sdk.Info, nil, nil, "print[%d]: %s", i, line)
	}
	return out, nil
}

// execution is one run of a script.
type execution struct {
	script  script
	meter   *meter
	printed []string
	secrets secrets
}

// filter runs the script over nodes, which it may change, and returns the remaining and the new nodes.
func (t *execution) filter(ctx context.Context, nodes []*yaml.RNode) ([]*yaml.RNode, error) {
	list, given, err := t.values(ctx, nodes)
	if err != nil {
		return nil, err
	}
	if err := t.run(ctx, list); err != nil {
		return nil, err
	}
	v, _, _ := list.Get(star.String("items"))
	items, ok := v.(*star.List)
	if !ok {
		return nil, fmt.Errorf("the script left no list in ctx.resource_list[%q]", "items")
	}
	return unpack(ctx, items, given)
}

// values is ctx.resource_list, and the item of every dict in it.
func (t *execution) values(ctx context.Context, nodes []*yaml.RNode) (*star.Dict, map[*star.Dict]*yaml.Node, error) {
	items := make([]star.Value, len(nodes))
	given := make(map[*star.Dict]*yaml.Node, len(nodes))
	for i, n := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		t.secrets.add(n.YNode(), false)
		v, err := fromNode(n.YNode())
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %s", krm.FromNode(n.YNode()).Describe(), t.shown(err.Error()))
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
