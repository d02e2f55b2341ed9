package explain

import (
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/secret"
)

// checkPresent wants every object that a cluster receives to be explained as there, and every field of it to come from
// somewhere, and to have the very value that is delivered.
func checkPresent(t testing.TB, w *Snapshot, cluster string) (objects int) {
	t.Helper()
	all, err := w.fleet.Delivered(cluster)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range all {
		if d.Itself || d.HandOver {
			continue
		}
		objects++
		o, err := d.Content.Object()
		if err != nil {
			t.Fatal(err)
		}
		question := questionOf(cluster, o)
		x, text := ask(t, w, question, true)
		if x == nil || !x.There || len(x.Deliveries) == 0 {
			t.Fatalf("%s is not there:\n%s", question, text)
		}
		checkFields(t, question, x, o)
	}
	return objects
}

func questionOf(cluster string, o *krm.Object) string {
	parts := []string{cluster, o.Kind() + "." + o.Group(), o.Namespace(), o.Name()}
	if o.Group() == "" {
		parts[1] = o.Kind()
	}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "/")
}

func checkFields(t testing.TB, question string, x *waybill.FleetExplanation, o *krm.Object) {
	t.Helper()
	want := leaves(o.Node(), nil)
	if len(x.Fields) != len(want) {
		t.Fatalf("%s: %d fields, want %d", question, len(x.Fields), len(want))
	}
	for i, p := range want {
		f := x.Fields[i]
		if f.Field != p.String() || len(f.Steps) == 0 || f.Value == nil {
			t.Fatalf("%s#%s: no origin: %+v", question, p, f)
		}
		if *f.Value != secret.Hidden && *f.Value != *textOf(p.find(o.Node())) {
			t.Errorf("%s#%s: %s, want %s", question, p, *f.Value, *textOf(p.find(o.Node())))
		}
		last := f.Steps[len(f.Steps)-1]
		if last.Value == nil || *last.Value != *f.Value && !sameData(*last.Value, *f.Value) {
			t.Errorf("%s#%s: the last step leaves %v, and it is %s", question, p, last.Value, *f.Value)
		}
		if first := f.Steps[0]; first.Place == nil && first.Function == nil {
			t.Errorf("%s#%s: it begins nowhere", question, p)
		}
	}
}

// sameData reports whether two texts are the same data, written in another way.
func sameData(a, b string) bool {
	var x, y yaml.Node
	return yaml.Unmarshal([]byte(a), &x) == nil && yaml.Unmarshal([]byte(b), &y) == nil && krm.Equivalent(x.Content[0], y.Content[0])
}

// TestExamples explains everything that clusters of the examples receive.
func TestExamples(t *testing.T) {
	objects := 0
	for _, name := range []string{"edge-fleet/blueprint", "fleet-status"} {
		w := example(t, name)
		for _, cluster := range w.fleet.Clusters() {
			objects += checkPresent(t, w, cluster)
		}
	}
	if objects != 83 {
		t.Errorf("%d objects are delivered, want 83", objects)
	}
}
