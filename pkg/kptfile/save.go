package kptfile

import (
	"reflect"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// SaveFunction replaces every function of list with the image or executable of fn by fn, or appends fn
// if there is none, and reports whether there was one. Functions of other images keep their nodes and
// comments; a replaced function keeps the nodes of unchanged fields. The first list of a file is
// indented below its key, as kpt writes Kptfiles.
func (f *File) SaveFunction(list List, fn v1.Function) (updated bool) {
	old := f.Functions(list)
	after := make([]v1.Function, 0, len(old)+1)
	changed := false
	for i := range old {
		if old[i].Image != fn.Image || old[i].Exec != fn.Exec {
			after = append(after, old[i])
			continue
		}
		updated = true
		changed = changed || !reflect.DeepEqual(old[i], fn)
		after = append(after, *fn.DeepCopy())
	}
	if updated && !changed {
		return true
	}
	if !updated {
		after = append(after, *fn.DeepCopy())
	}
	f.saveNodes(list, old, fn)
	f.setFunctions(list, after)
	return updated
}

// saveNodes makes the change of SaveFunction in the nodes of list, which belong to old.
func (f *File) saveNodes(list List, old []v1.Function, fn v1.Function) {
	root := f.root()
	f.Object.WideSequences = f.Object.WideSequences || !hasBlockList(root)
	pipeline := childMap(root, "pipeline", RootOrder)
	seq := ensureList(pipeline, string(list), krm.Lookup(pipeline, string(list)), pipelineOrder)
	found := false
	for i := range seq.Content { // one node per function of old
		if old[i].Image == fn.Image && old[i].Exec == fn.Exec {
			seq.Content[i], found = conform(seq.Content[i], f.nodeOf(fn)), true
		}
	}
	if !found {
		seq.Content = append(seq.Content, f.nodeOf(fn))
	}
}

// hasBlockList reports whether n contains a list that shows the indentation of lists.
func hasBlockList(n *yaml.Node) bool {
	if n.Kind == yaml.SequenceNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0 {
		return true
	}
	for _, c := range n.Content {
		if hasBlockList(c) {
			return true
		}
	}
	return false
}
