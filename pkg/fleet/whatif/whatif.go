package whatif

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Change adds, replaces, removes or labels the clusters that a package knows.
type Change struct {
	// With are ManagedClusters, and ConfigMaps with their properties, that are added or replace those of the same name.
	With []*krm.Object
	// Without are the names of clusters to remove.
	Without []string
	// Labels are changes of labels of clusters, made last, in this order.
	Labels []LabelChange
}

// LabelChange sets a label of a cluster, or removes it.
type LabelChange struct {
	Cluster, Key, Value string
	Remove              bool
}

// ParseLabelChange reads NAME=KEY=VALUE, or NAME=KEY- to remove the label.
func ParseLabelChange(text string) (LabelChange, error) {
	cluster, label, ok := strings.Cut(text, "=")
	key, value, sets := strings.Cut(label, "=")
	if !sets {
		key, ok = strings.CutSuffix(label, "-")
	}
	if !ok || cluster == "" || key == "" {
		return LabelChange{}, fmt.Errorf("want NAME=KEY=VALUE, or NAME=KEY- to remove a label")
	}
	return LabelChange{Cluster: cluster, Key: key, Value: value, Remove: !sets}, nil
}

// Empty reports whether w changes nothing.
func (w *Change) Empty() bool { return len(w.With)+len(w.Without)+len(w.Labels) == 0 }

// withFile holds the clusters that are added to a package.
const withFile = "waybill-what-if.yaml"

// Apply returns the changed tree, and the origin of the lines that it wrote. It replaces a known cluster in place, and adds
// a new one to every package that names clusters. To remove or to label an unknown cluster is an error.
func (w *Change) Apply(tree pkgtree.Tree) (pkgtree.Tree, Lines, error) {
	if w.Empty() {
		return tree, nil, nil
	}
	e, err := newEdits(w)
	if err != nil {
		return tree, nil, err
	}
	for p, blob := range tree.All() {
		if !fleet.IsSource(tree, p) || !namesClusters(blob.Data()) {
			continue
		}
		if err := e.file(tree, p, blob.Data()); err != nil {
			return tree, nil, err
		}
	}
	if err := e.add(tree); err != nil {
		return tree, nil, err
	}
	if len(e.unknown) > 0 {
		return tree, nil, fmt.Errorf("what if: no ManagedCluster and no Inventory names cluster %q", slices.Sorted(maps.Keys(e.unknown))[0])
	}
	changes, lines, err := e.written()
	if err != nil {
		return tree, nil, err
	}
	tree, err = tree.Apply(changes)
	return tree, lines, err
}

// Line is a line of a file.
type Line struct {
	File   string
	Number int
	// Given says that the file is one that was given, and not one of the tree.
	Given bool
}

// Lines are the origins of the lines of files that a Change wrote, by file and number. A new line has the origin of the
// object around it.
type Lines map[string]map[int]Line

// note records the line of each node of o.
func (e *edits) note(o *krm.Object, file string, given bool) {
	first := max(1, o.Source.Line)
	root := o.Node()
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		e.from[n] = Line{file, first - root.Line + n.Line, given}
		for _, child := range n.Content {
			walk(child)
		}
	}
	walk(root)
}

// written are the changed files, nil for empty ones, and the origins of their lines.
func (e *edits) written() (changes map[string][]byte, lines Lines, err error) {
	changes, lines = map[string][]byte{}, Lines{}
	for p, objects := range e.files {
		changes[p] = nil
		if len(objects) == 0 {
			continue
		}
		if changes[p], err = krm.Write(objects); err != nil {
			return nil, nil, err
		}
		again, err := krm.Read(p, changes[p], krm.Limits{})
		if err != nil {
			return nil, nil, err
		}
		lines[p] = map[int]Line{}
		for i := range min(len(again), len(objects)) {
			root := again[i].Node()
			e.lines(lines[p], objects[i].Node(), root, max(1, again[i].Source.Line)-root.Line, Line{})
		}
	}
	return changes, lines, nil
}

// lines fills in the origins of the lines of now, which was written from old; above is the origin of the node around it.
func (e *edits) lines(into map[int]Line, old, now *yaml.Node, shift int, above Line) {
	if from, known := e.from[old]; known {
		above = from
	}
	if old.Kind == now.Kind && len(old.Content) == len(now.Content) {
		for i := range now.Content { // before it: a list begins where its first item does, which may have been another
			e.lines(into, old.Content[i], now.Content[i], shift, above)
		}
	}
	if _, known := into[shift+now.Line]; !known && above.Number > 0 {
		into[shift+now.Line] = above
	}
}
