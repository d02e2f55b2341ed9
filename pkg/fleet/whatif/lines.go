package whatif

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

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
