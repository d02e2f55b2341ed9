package render

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// TestTrace renders every golden case with and without a trace: the result is the same, and the trace is complete.
func TestTrace(t *testing.T) {
	cases, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range cases {
		ar, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		in := section(t, ar, "in/")
		for name, f := range map[string]runner.Factory{"inproc": testFactory{}, "protocol": testFactory{through: true}} {
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) {
				plain, errPlain := Render(context.Background(), in, Options{Functions: f})
				traced, errTraced := Render(context.Background(), in, Options{Functions: f, Trace: true})
				if message(errPlain) != message(errTraced) || plain.Tree.Digest() != traced.Tree.Digest() || len(plain.Steps) != len(traced.Steps) {
					t.Errorf("with a trace the result differs: %v, not %v", errTraced, errPlain)
				}
				if plain.Traces != nil || plain.Read != nil {
					t.Error("there is a trace, and the options asked for none")
				}
				checkTraces(t, traced, errTraced)
			})
		}
	}
}

// checkTraces checks that each step has a trace, and that every object was read or returned by a step.
func checkTraces(t *testing.T, r *Result, failed error) {
	t.Helper()
	known := map[*krm.Object]bool{}
	for _, o := range r.Read {
		known[o] = true
	}
	var steps []int
	for _, tr := range r.Traces {
		steps = append(steps, tr.Step)
		if title(tr.Function) != r.Steps[tr.Step].Title() || tr.Place < 0 || tr.Folder == "" {
			t.Errorf("step %d is %q, traced as %q at place %d of %q", tr.Step, r.Steps[tr.Step].Title(), title(tr.Function), tr.Place, tr.Folder)
		}
		for _, o := range slices.Concat(tr.Given, tr.Before) {
			if !known[o] {
				t.Errorf("step %d received %s, which was neither read nor returned by a step", tr.Step, o.Describe())
			}
		}
		for _, o := range tr.After {
			known[o] = true
		}
	}
	for _, o := range r.Items {
		if failed == nil && !known[o] {
			t.Errorf("%s was neither read nor returned by a step", o.Describe())
		}
	}
	want := make([]int, len(r.Steps))
	for i := range want {
		want[i] = i
	}
	if diff := cmp.Diff(want, append([]int{}, steps...)); diff != "" {
		t.Errorf("steps that are traced (-want +got):\n%s", diff)
	}
}

// TestTraceIsNotCached checks that a render with a trace does not come from the cache.
func TestTraceIsNotCached(t *testing.T) {
	tree, m := withSubpackages(t, "move"), memory{}
	for range 2 {
		if _, err := Render(t.Context(), tree, Options{Functions: testFactory{}, Cache: m}); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Render(t.Context(), tree, Options{Functions: testFactory{}, Cache: m, Trace: true})
	if err != nil || r.Cached || len(r.Traces) != 1 || r.Traces[0].Folder != "move" {
		t.Errorf("%v, cached: %t, %d steps", err, r.Cached, len(r.Traces))
	}
}
