package starlark

import (
	"context"
	"fmt"

	star "go.starlark.net/starlark"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// unpack converts items back to nodes.
func unpack(ctx context.Context, items *star.List, given map[*star.Dict]*yaml.Node) (out []*yaml.RNode, err error) {
	w := &writer{nodes: krm.DefaultLimits.Nodes, bytes: krm.DefaultLimits.Bytes}
	for i := range items.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
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
			return nil, at(place(i, d, before), err)
		}
		if known {
			keepPlace(before, n)
			*before = *n
			n = before
			delete(given, d) // a second occurrence is a new object
		}
		out = append(out, yaml.NewRNode(n))
	}
	return out, nil
}

// place names item i of the list in messages, with the object that it was, or its new kind.
func place(i int, d *star.Dict, before *yaml.Node) string {
	if before != nil {
		return fmt.Sprintf("items[%d] (%s)", i, krm.FromNode(before).Describe())
	}
	if kind, ok, _ := d.Get(star.String("kind")); ok {
		if name, ok := star.AsString(kind); ok {
			return fmt.Sprintf("items[%d] (a new %s)", i, name[:min(len(name), longLine)])
		}
	}
	return fmt.Sprintf("items[%d]", i)
}

// keepPlace keeps the annotations of the orchestrator that after lacks: they identify the item of the package.
func keepPlace(before, after *yaml.Node) {
	was, is := krm.FromNode(before), krm.FromNode(after)
	for key := range krm.Fields(krm.Lookup(before, "metadata", "annotations")) {
		if krm.IsOrchestration(key.Value) && !is.HasAnnotation(key.Value) {
			is.SetAnnotation(key.Value, was.Annotation(key.Value))
		}
	}
}

// checkObject requires the fields of a new object that every object of a package has.
func checkObject(n *yaml.Node) error {
	for _, path := range [][]string{{"apiVersion"}, {"kind"}, {"metadata", "name"}} {
		if v := krm.Lookup(n, path...); !edit.IsText(v) {
			return fmt.Errorf("a new object has no %s", path[len(path)-1])
		}
	}
	return nil
}
