package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// fuzzLimits keep one try short.
var fuzzLimits = krm.Limits{Bytes: 1 << 14, Documents: 100, Depth: 50, Nodes: 10_000, Aliased: 10_000}

// FuzzInjectConfig gives the function whatever can be read: the laws hold, nothing panics, and only
// injection points and one Kptfile change. Comments may be lost: what carries one may be replaced.
func FuzzInjectConfig(f *testing.F) {
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
		fntest.CheckLaws(t, injection.Function, in, lost)
		checkChanges(t, in, injection.Function.Apply(context.Background(), in))
	})
}

// checkChanges holds what changed to points and Kptfiles, and every item to its place.
func checkChanges(t *testing.T, in *fn.Input, out *fn.Output) {
	t.Helper()
	if len(in.Items) != len(out.Items) {
		t.Fatalf("%d items became %d", len(in.Items), len(out.Items))
	}
	for i, o := range in.Items {
		isPoint := o.HasAnnotation(injection.PointAnnotation) && o.Annotation(injection.ContextAnnotation) != "true"
		if out.Items[i] != o && !isPoint && !o.Is("kpt.dev", "Kptfile") {
			t.Errorf("%s is no injection point, and was changed", o.Describe())
		}
		if o.Is("", "Secret") && !krm.Same(o, out.Items[i]) {
			t.Errorf("%s was changed", o.Describe())
		}
	}
	for _, r := range out.Results {
		if strings.Contains(r.Message, "broke on this input") { // what a panic becomes
			t.Error(fn.FormatResult(r))
		}
	}
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
