package main

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/apisync/syncfn"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzSync runs the function on any items that can be read: the laws hold, except that a second run may report something
// else, and untagged objects stay. Rules may undo what they did in the round before, which is an error after some rounds.
func FuzzSync(f *testing.F) {
	for _, sections := range fntest.Cases(f, "testdata/*.txtar") {
		f.Add(sections["config.yaml"], sections["in.yaml"])
	}
	f.Fuzz(func(t *testing.T, config, data []byte) {
		items, err := krm.Read("in.yaml", data, fntest.FuzzLimits)
		if err != nil {
			return
		}
		in, lost := &fn.Input{Items: items}, []string(nil)
		for i, o := range items {
			o.SetPath(o.File(), i)
			lost = append(lost, o.Comments()...)
		}
		if configs, err := krm.Read("config.yaml", config, fntest.FuzzLimits); err == nil && len(configs) == 1 && len(configs[0].Node().Content) > 0 {
			in.Config = configs[0]
		}
		fntest.CheckLawsOfOneRun(t, syncfn.Function, in, lost)
		out := syncfn.Function.Apply(t.Context(), in)
		fntest.CheckUnbroken(t, out)
		checkUntagged(t, in, out)
	})
}

// checkUntagged checks that untagged objects stay, unless something was applied to them.
func checkUntagged(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	left := map[krm.Origin]bool{}
	for _, o := range out.Items {
		left[o.Origin()] = true
	}
	for _, o := range in.Items {
		if applyset.TagsOf(o).Controller == "" && !left[o.Origin()] && !isApplied(in.Items, o) {
			t.Errorf("%s was removed", o.Describe())
		}
	}
}

// isApplied reports whether a state item names an object.
func isApplied(items []*krm.Object, of *krm.Object) bool {
	return slices.ContainsFunc(items, func(o *krm.Object) bool {
		data := o.Lookup("data")
		return o.Kind() == applyset.StateKind && data != nil && slices.ContainsFunc(data.Content, func(n *yaml.Node) bool { return strings.Contains(n.Value, of.Name()) })
	})
}
