package writeback

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/status/reports"
)

const errorText = "Singleton reported status return is requested but some objects have the wrong number of associated WECs, for example: "

// object is one of many Deployments.
func object(n int) reports.Identity {
	id := deployment
	id.Name = fmt.Sprintf("web%d", n)
	return id
}

func example(n, clusters int) string {
	return fmt.Sprintf(`{"ObjectID":{"GVK":{"Group":"apps","Version":"v1","Kind":"Deployment"},"Resource":"deployments","ObjectName":{"Namespace":"shop","Name":"web%d"}},"NumWECs":%d}`, n, clusters)
}

func TestErrors(t *testing.T) {
	asked := func(n ...int) (out []Selected) {
		for _, i := range n {
			out = append(out, Selected{Object: object(i), Singleton: true})
		}
		return out
	}
	cases := map[string]struct {
		reason     string
		selections []Selection
		want       []PolicyError
	}{
		"One":     {"one cluster is right", []Selection{{Policy: "a", Objects: asked(1), Destinations: []string{"e1"}}}, nil},
		"Two":     {"two are not", []Selection{{Policy: "a", Objects: asked(1), Destinations: []string{"e1", "e2"}}}, []PolicyError{{"a", errorText + "[" + example(1, 2) + "]"}}},
		"None":    {"nor is none", []Selection{{Policy: "a", Objects: asked(1)}}, []PolicyError{{"a", errorText + "[" + example(1, 0) + "]"}}},
		"Same":    {"two policies may have the same cluster", []Selection{{Policy: "a", Objects: asked(1), Destinations: []string{"e1"}}, {Policy: "b", Objects: asked(1), Destinations: []string{"e1", "e1"}}}, nil},
		"NotAsks": {"clusters of a policy that does not ask do not count", []Selection{{Policy: "a", Objects: asked(1), Destinations: []string{"e1"}}, {Policy: "b", Objects: []Selected{{Object: object(1)}}, Destinations: []string{"e2"}}}, nil},
		"MultiNot": {"nor do those of one that asks for the aggregate",
			[]Selection{{Policy: "a", Objects: asked(1), Destinations: []string{"e1"}}, {Policy: "b", Objects: []Selected{{Object: object(1), Multi: true}}, Destinations: []string{"e2"}}}, nil},
		"Everyone": {"every policy that selects the object gets the error, even if it requests nothing",
			[]Selection{{Policy: "b", Objects: asked(1), Destinations: []string{"e1", "e2"}}, {Policy: "a", Objects: []Selected{{Object: object(2)}, {Object: object(1)}}}, {Policy: "c", Objects: []Selected{{Object: object(2)}}}},
			[]PolicyError{{"a", errorText + "[" + example(1, 2) + "]"}, {"b", errorText + "[" + example(1, 2) + "]"}}},
		"Four": {"at most four examples, as they stand in the Binding", []Selection{{Policy: "a", Objects: asked(6, 3, 1, 2, 5, 4)}},
			[]PolicyError{{"a", errorText + "[" + example(6, 0) + "," + example(3, 0) + "," + example(1, 0) + "," + example(2, 0) + "]"}}},
		"NotRequested": {"no policy requests it", []Selection{{Policy: "a", Objects: []Selected{{Object: object(1), Multi: true}}}}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := Resolve(tc.selections).Errors()
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			slices.Reverse(tc.selections)
			if diff := cmp.Diff(got, Resolve(tc.selections).Errors()); diff != "" {
				t.Errorf("the order of policies counts:\n%s", diff)
			}
		})
	}
}

// TestWants holds what Resolve makes of random policies against sets that are filled one by one.
func TestWants(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 2))
	for range 300 {
		var selections []Selection
		singleton, multi := map[reports.Identity]map[string]bool{}, map[reports.Identity]map[string]bool{}
		for p := range random.IntN(5) {
			s := Selection{Policy: fmt.Sprint(p)}
			for range random.IntN(4) {
				s.Destinations = append(s.Destinations, fmt.Sprintf("e%d", random.IntN(4)))
			}
			for n := range 3 {
				o := Selected{Object: object(n), Singleton: random.IntN(3) == 0, Multi: random.IntN(3) == 0}
				s.Objects = append(s.Objects, o)
				note(singleton, o.Singleton, o.Object, s.Destinations)
				note(multi, o.Multi, o.Object, s.Destinations)
			}
			selections = append(selections, s)
		}
		kept := fmt.Sprint(selections)
		check := func(w *Wants) {
			for n := range 3 {
				got, id := w.Of(object(n)), object(n)
				checkSet(t, got.Singleton, got.SingletonClusters, singleton[id])
				checkSet(t, got.Multi, got.MultiClusters, multi[id])
			}
		}
		check(Resolve(selections))
		if fmt.Sprint(selections) != kept {
			t.Fatal("resolving changed the selections")
		}
		slices.Reverse(selections)
		for _, s := range selections {
			slices.Reverse(s.Destinations)
		}
		check(Resolve(selections))
	}
}

func note(sets map[reports.Identity]map[string]bool, asks bool, id reports.Identity, clusters []string) {
	if !asks {
		return
	}
	if sets[id] == nil {
		sets[id] = map[string]bool{}
	}
	for _, c := range clusters {
		sets[id][c] = true
	}
}

func checkSet(t *testing.T, asked bool, got []string, want map[string]bool) {
	t.Helper()
	if asked != (want != nil) || len(got) != len(want) || !slices.IsSorted(got) {
		t.Fatalf("want %v, got %t %v", want, asked, got)
	}
	for _, c := range got {
		if !want[c] {
			t.Fatalf("want %v, got %v", want, got)
		}
	}
}
