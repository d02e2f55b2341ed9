package kptfile

import (
	"reflect"
	"slices"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// List is one of the two lists of a pipeline.
type List string

// The lists of a pipeline.
const (
	Mutators   List = "mutators"
	Validators List = "validators"
)

// Lists are the lists of a pipeline in the order they run.
var Lists = []List{Mutators, Validators}

// Functions returns the functions of a list, nil if there are none.
func (f *File) Functions(list List) []v1.Function {
	switch {
	case f.Spec.Pipeline == nil:
		return nil
	case list == Validators:
		return f.Spec.Pipeline.Validators
	}
	return f.Spec.Pipeline.Mutators
}

func (f *File) setFunctions(list List, fns []v1.Function) {
	if f.Spec.Pipeline == nil {
		f.Spec.Pipeline = &v1.Pipeline{}
	}
	if list == Validators {
		f.Spec.Pipeline.Validators = fns
	} else {
		f.Spec.Pipeline.Mutators = fns
	}
}

// ReplaceFunctions removes every function of list for which drop is true and puts head in front of
// the rest. The rest keeps its nodes and comments; the node of a dropped function goes to the function
// of head with the same name. An empty list is removed, and so is an empty pipeline.
func (f *File) ReplaceFunctions(list List, drop func(*v1.Function) bool, head []v1.Function) {
	old := f.Functions(list)
	var after []v1.Function
	for i := range head {
		after = append(after, *head[i].DeepCopy())
	}
	for i := range old {
		if !drop(&old[i]) {
			after = append(after, old[i])
		}
	}
	if slices.EqualFunc(old, after, func(a, b v1.Function) bool { return reflect.DeepEqual(a, b) }) {
		return
	}
	f.writeFunctions(list, old, drop, after[:len(head)])
	f.setFunctions(list, after)
	if f.Object.Lookup("pipeline") == nil {
		f.Spec.Pipeline = nil
	}
}

func (f *File) writeFunctions(list List, old []v1.Function, drop func(*v1.Function) bool, head []v1.Function) {
	root := f.root()
	pipeline := childMap(root, "pipeline", RootOrder)
	seq := ensureList(pipeline, string(list), krm.Lookup(pipeline, string(list)), pipelineOrder)
	var want, dropped, kept []*yaml.Node
	for i := range head {
		want = append(want, f.nodeOf(head[i]))
	}
	for i, n := range seq.Content { // one node per function of old
		if drop(&old[i]) {
			dropped = append(dropped, n)
		} else {
			kept = append(kept, n)
		}
	}
	seq.Content = append(rebuild(dropped, want, "name"), kept...)
	if len(seq.Content) == 0 {
		krm.RemoveField(pipeline, string(list))
	}
	if len(pipeline.Content) == 0 {
		krm.RemoveField(root, "pipeline")
	}
}
