package transform

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// editor changes one object. It writes aliases out before the first change, because a change
// behind an alias would show in two places and a removed anchor would leave aliases dangling.
type editor struct {
	o        *krm.Object
	borrowed bool // o is not ours: the first change makes it a copy
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

// remove takes the field at path away where it is there. What held it stays, even when it is empty now.
func (e *editor) remove(path ...string) {
	if e.o.Lookup(path...) == nil {
		return
	}
	e.begin()
	last := len(path) - 1
	krm.RemoveField(e.o.Lookup(path[:last]...), path[last])
}

// removeChildren takes several fields of the mapping at path away.
func (e *editor) removeChildren(path []string, keys ...string) {
	for _, key := range keys {
		e.remove(append(path[:len(path):len(path)], key)...)
	}
}

// isText reports whether n is a string and not just something written like one.
func isText(n *yaml.Node) bool {
	return n != nil && n.Kind == yaml.ScalarNode && n.ShortTag() == yaml.NodeTagString
}
