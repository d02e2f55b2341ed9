package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/status/combine"
)

// fuzzLimits keep one try short.
var fuzzLimits = krm.Limits{Bytes: 1 << 14, Documents: 100, Depth: 50, Nodes: 10_000, Aliased: 10_000}

// FuzzCombineStatus gives the function whatever can be read: the laws hold, nothing panics, what comes
// out is valid, and what people wrote stays, but for a status. Comments may be lost: what carries one may
// be replaced.
func FuzzCombineStatus(f *testing.F) {
	for _, parts := range goldenCases(f) {
		f.Add(parts["config.yaml"], parts["in.yaml"])
	}
	f.Fuzz(func(t *testing.T, config, data []byte) {
		items, err := krm.Read("in.yaml", data, fuzzLimits)
		if err != nil {
			return // refused before any function sees it
		}
		in, lost := &fn.Input{Items: items}, []string(nil)
		if configs, err := krm.Read("config.yaml", config, fuzzLimits); err == nil && len(configs) == 1 && len(configs[0].Node().Content) > 0 {
			in.Config = configs[0]
		}
		for i, o := range items {
			o.SetPath(o.File(), i)
			lost = append(lost, o.Comments()...)
		}
		fntest.CheckLaws(t, combine.Function, in, lost)
		checkOutput(t, in, combine.Function.Apply(context.Background(), in))
	})
}

// checkOutput holds what is generated to its kind, and what people wrote to what it was.
func checkOutput(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	given, left := map[*krm.Object]bool{}, map[krm.Origin]bool{}
	for _, o := range in.Items {
		given[o] = true
	}
	for _, o := range out.Items {
		left[o.Origin()] = true
		if given[o] || o.Annotation(fn.GeneratedBy) != combine.Name {
			continue
		}
		c, errs := control.DecodeCombinedStatus(o)
		if len(errs) > 0 || c.Namespace == "" || !strings.HasPrefix(o.File(), "status/") && !wasGenerated(in, o) {
			t.Errorf("%s is no CombinedStatus in its place: %v", o.Describe(), errs.ToAggregate())
		}
	}
	for _, o := range in.Items {
		if o.Annotation(fn.GeneratedBy) != combine.Name && !left[o.Origin()] {
			t.Errorf("%s went", o.Describe())
		}
	}
	for _, r := range out.Results {
		if strings.Contains(r.Message, "broke on this input") { // what a panic becomes
			t.Error(fn.FormatResult(r))
		}
	}
}

// wasGenerated reports whether an earlier o keeps its file.
func wasGenerated(in *fn.Input, o *krm.Object) bool {
	for _, old := range in.Items {
		if old.ID() == o.ID() && old.Annotation(fn.GeneratedBy) == combine.Name {
			return true
		}
	}
	return false
}

func goldenCases(f testing.TB) (cases []map[string][]byte) {
	f.Helper()
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no golden cases to begin with (%v)", err)
	}
	for _, file := range files {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		parts := map[string][]byte{}
		for _, part := range ar.Files {
			parts[part.Name] = part.Data
		}
		cases = append(cases, parts)
	}
	return cases
}
