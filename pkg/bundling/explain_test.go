package bundling

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/bundling/ocmcheck"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestExplainIsRun checks that Explain gives for each cluster of random fleets what its works hold, byte for byte.
func TestExplainIsRun(t *testing.T) {
	objects, failures := 0, 0
	testenv.Checks(t, 500)
	rapid.Check(t, func(r *rapid.T) {
		f := drawFleet(r)
		in := f.input(t, nil)
		out := Function.Apply(context.Background(), in)
		want := map[string][]string{}
		for _, w := range ocmcheck.Works(out.Items) {
			for _, m := range w.Lookup("spec", "workload", "manifests").Content {
				want[w.Namespace()] = append(want[w.Namespace()], canonicalOf(t, krm.FromNode(m)))
			}
		}
		for _, c := range f.clusters {
			all, err := Explain(in, c.name)
			switch {
			case err != nil && !out.Failed():
				r.Fatalf("%s: %v, and the run has no fault", c.name, err)
			case out.Failed():
				if err != nil {
					failures++
				}
				continue
			}
			var got []string
			for _, x := range all {
				got = append(got, canonicalOf(t, x.Sent))
				if x.Properties == nil && x.Sent != x.Ready || x.Binding == nil || x.Source.Name() != x.Ready.Name() {
					r.Fatalf("%s is said to be made of %s", x.Sent.Describe(), x.Source.Describe())
				}
			}
			if d := cmp.Diff(want[c.name], got); d != "" {
				r.Fatalf("%s (-run +explained):\n%s", c.name, d)
			}
			objects += len(got)
		}
	})
	if !testenv.Short() && (objects < 100 || failures == 0) {
		t.Errorf("%d objects and %d failures: too few to tell much", objects, failures)
	}
}

func canonicalOf(t testing.TB, o *krm.Object) string {
	t.Helper()
	text, err := krm.CanonicalJSON(o.Node())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
