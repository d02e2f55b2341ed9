package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzMap gives the function whatever can be read: the laws hold, what is new has whole tags and is in its
// place, and what nobody tagged stays. Only that a second run changes nothing is up to the hooks: an
// expression may well want one output more each time.
func FuzzMap(f *testing.F) {
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
		fntest.CheckLawsOfOneRun(t, function, in, lost)
		out := function.Apply(t.Context(), in)
		fntest.CheckUnbroken(t, out)
		checkOutput(t, in, out)
	})
}

func checkOutput(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	was, left := map[krm.Origin]bool{}, map[krm.Origin]bool{}
	for _, o := range in.Items {
		was[o.Origin()] = true
	}
	for _, o := range out.Items {
		left[o.Origin()] = true
		if was[o.Origin()] {
			continue
		}
		if tags := applyset.TagsOf(o); tags.MapKey != applyset.MapKey(tags.Input) || tags.Owner == "" || tags.Controller != in.Config.Name() {
			t.Errorf("%s is new, and has the tags %v", o.Describe(), tags)
		}
	}
	for _, o := range in.Items {
		if applyset.TagsOf(o).Controller == "" && !left[o.Origin()] {
			t.Errorf("%s went", o.Describe())
		}
	}
}
