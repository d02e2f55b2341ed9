package mapcontroller_test

import (
	"fmt"
	"maps"
	"slices"
)

// naive is the simplest model of map: which outputs exist after a pass. It has no tags, no merging, no order and no files.
type naive struct {
	complete, allowEmpty bool
	parents              map[string]naiveParent // by name
	inputs               map[string]naiveInput  // by canonical key
	outputs              map[naiveOutput]bool
}

// naiveParent selects inputs with a label, all when it has none.
type naiveParent struct{ namespace, label string }

// naiveInput has one output for each number.
type naiveInput struct {
	kind, namespace, name, label string
	numbers                      []int
}

type naiveOutput struct {
	parent, input string
	number        int
}

func (in naiveInput) key() string { return fmt.Sprintf("/%s/%s/%s", in.kind, in.namespace, in.name) }

func (n *naive) selects(p naiveParent, in naiveInput) bool {
	seen := p.namespace == "" || in.namespace == "" || in.namespace == p.namespace
	return seen && (p.label == "" || p.label == in.label)
}

// pass returns the outputs after a pass, and whether the pass is allowed; if not, nothing changes.
func (n *naive) pass() bool {
	after := map[naiveOutput]bool{}
	for name, p := range n.parents {
		for key, in := range n.inputs {
			if !n.selects(p, in) {
				continue
			}
			for _, number := range in.numbers {
				after[naiveOutput{name, key, number}] = true
			}
		}
	}
	for out := range n.outputs {
		p, there := n.parents[out.parent]
		in, known := n.inputs[out.input]
		switch {
		case there && known && n.selects(p, in): // decided above
		case !n.complete:
			after[out] = true
		case !n.allowEmpty && (!there || !n.hasKindOf(out.input) || known && !n.selectsKindOf(p, out.input)):
			return false
		case there && out.number%2 == 0: // the tombstone keeps even ones
			after[out] = true
		}
	}
	n.outputs = after
	return true
}

// orphans counts the outputs whose parent does not exist.
func (n *naive) orphans() (many int) {
	for out := range n.outputs {
		if _, there := n.parents[out.parent]; !there {
			many++
		}
	}
	return many
}

// selectsKindOf reports whether a parent selects an input of the kind of another one. Where it selects none, a selector
// may be misspelt.
func (n *naive) selectsKindOf(p naiveParent, key string) bool {
	for other, in := range n.inputs {
		if other[:4] == key[:4] && n.selects(p, in) {
			return true
		}
	}
	return false
}

func (n *naive) hasKindOf(key string) bool {
	for other := range n.inputs {
		if other[:4] == key[:4] { // "/Nod" or "/Ser"
			return true
		}
	}
	return false
}

func (n *naive) lines() (lines []string) {
	for out := range maps.Keys(n.outputs) {
		lines = append(lines, fmt.Sprint(out.parent, " ", out.input, " ", out.number))
	}
	slices.Sort(lines)
	return lines
}
