package transform

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// editor changes one object. It expands aliases before the first change, because a change
// behind an alias would be in two places, and a removed anchor would leave aliases without a target.
type editor struct {
	o        *krm.Object
	borrowed bool // o belongs to the caller: the first change makes a copy
	changed  bool
}

func (e *editor) begin() {
	if e.changed {
		return
	}
	if e.borrowed {
		e.o = e.o.DeepCopy()
	}
	e.o.ExpandAliases()
	e.changed = true
}

// remove removes the field at path, if it exists. Its map stays, even if it is empty now.
func (e *editor) remove(path ...string) {
	if e.o.Lookup(path...) == nil {
		return
	}
	e.begin()
	last := len(path) - 1
	krm.RemoveField(e.o.Lookup(path[:last]...), path[last])
}

// removeChildren removes several fields of the mapping at path.
func (e *editor) removeChildren(path []string, keys ...string) {
	for _, key := range keys {
		e.remove(append(path[:len(path):len(path)], key)...)
	}
}

// isText reports whether n is a string.
func isText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString
}
