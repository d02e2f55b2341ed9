package injection_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/injection"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestEveryPointHasItsOutcome takes a required and an optional point, of a kind with a spec and of a
// ConfigMap, through everything that can happen to it.
func TestEveryPointHasItsOutcome(t *testing.T) {
	selectors := []porchconfig.InjectionSelector{{Name: "eu"}}
	found := injection.FromObjects(read(t, "cluster.yaml",
		"{apiVersion: infra.example/v1, kind: Site, metadata: {name: eu}, spec: {a: 1}}\n---\n"+
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: eu}, data: {a: '1'}}\n"), "fleet")
	other := injection.FromObjects(read(t, "cluster.yaml",
		"{apiVersion: infra.example/v1, kind: Site, metadata: {name: us}, spec: {a: 1}}\n---\n"+
			"{apiVersion: v1, kind: ConfigMap, metadata: {name: us}, data: {a: '1'}}\n"), "fleet")
	forbidden := func(string, string) ([]*krm.Object, error) { return nil, errors.New("is forbidden") }
	const nothing = "False NoResourceSelected "
	for name, tc := range map[string]struct {
		reason    string
		injectors []porchconfig.InjectionSelector
		list      injection.Lister
		want      string // of every point: what its condition says
	}{
		"found":         {"the one case of True", selectors, found, `True ConfigInjected injected resource "eu" from cluster`},
		"missing":       {"others of the kind are there", selectors, other, nothing + "no resource matched any injection selector for this injection point"},
		"no injector":   {"whatever is there", nil, found, nothing + "no injectors defined"},
		"no permission": {"the API server's words", selectors, forbidden, nothing + "is forbidden"},
		"empty cluster": {"nothing of the kind", selectors, injection.FromObjects(nil, "fleet"), nothing + "no in-cluster resources of type "},
	} {
		t.Run(name, func(t *testing.T) {
			for apiVersion, kind := range map[string]string{"infra.example/v1": "Site", "v1": "ConfigMap"} {
				want := tc.want
				if strings.HasSuffix(want, "of type ") {
					want += apiVersion + "." + kind
				}
				for _, how := range []string{"required", "optional"} {
					p := read(t, "a.yaml", fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: p, annotations: {kpt.dev/config-injection: %s}}\n", apiVersion, kind, how))
					r, err := injection.Inject(p, tc.injectors, tc.list)
					if err != nil {
						t.Fatal(err)
					}
					c := r.Outcomes[0].Condition()
					if diff := cmp.Diff(want, fmt.Sprintf("%s %s %s", c.Status, c.Reason, c.Message)); diff != "" {
						t.Errorf("%s: %s %s (-want +got):\n%s", tc.reason, how, kind, diff)
					}
					if (r.Changed[p[0]] != nil) != (name == "found") {
						t.Errorf("%s: %s %s is changed: %t", tc.reason, how, kind, r.Changed[p[0]] != nil)
					}
					checkRecorded(t, r.Outcomes, "config.injection."+kind+".p", how == "required")
				}
			}
		})
	}
}

// checkRecorded wants one condition of a type in the Kptfile, and a gate only if it is required,
// however often outcomes are recorded.
func checkRecorded(t *testing.T, outcomes injection.Outcomes, conditionType string, gated bool) {
	t.Helper()
	text := record(t, outcomes, record(t, outcomes, header))
	got := []int{strings.Count(text, "- type: "+conditionType+"\n"), strings.Count(text, "- conditionType: "+conditionType+"\n")}
	want := []int{1, 0}
	if gated {
		want = []int{1, 1}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("conditions and gates of %s (-want +got):\n%s\n%s", conditionType, diff, text)
	}
}

// TestListedOnce counts what a cluster is asked for: each kind once, Secrets never, and nothing
// without an injector.
func TestListedOnce(t *testing.T) {
	text := ""
	for i, kind := range []string{"b.example/v1 B", "a.example/v1 A", "b.example/v1 B", "v1 Secret", "a.example/v2 A", "v1 ConfigMap"} {
		apiVersion, name, _ := strings.Cut(kind, " ")
		text += fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: p%d, annotations: {kpt.dev/config-injection: optional}}\n", apiVersion, name, i)
	}
	for name, tc := range map[string]struct {
		reason    string
		injectors []porchconfig.InjectionSelector
		want      []injection.Kind
	}{
		"with injectors":    {"sorted, without Secrets", []porchconfig.InjectionSelector{{Name: "x"}}, []injection.Kind{{APIVersion: "a.example/v1", Kind: "A"}, {APIVersion: "a.example/v2", Kind: "A"}, {APIVersion: "b.example/v1", Kind: "B"}, {APIVersion: "v1", Kind: "ConfigMap"}}},
		"without injectors": {"no object could change the result", nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			asked := map[injection.Kind]int{}
			r, err := injection.Inject(read(t, "a.yaml", text), tc.injectors, func(apiVersion, kind string) ([]*krm.Object, error) {
				asked[injection.Kind{APIVersion: apiVersion, Kind: kind}]++
				return nil, nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, r.Kinds); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			wantAsked := map[injection.Kind]int{}
			for _, k := range tc.want {
				wantAsked[k] = 1
			}
			if diff := cmp.Diff(wantAsked, asked); diff != "" {
				t.Errorf("%s: asked for (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestTooMuch injects a large object into many points, each of which is no more than a package may hold.
func TestTooMuch(t *testing.T) {
	large := injection.FromObjects(read(t, "cluster.yaml", "apiVersion: a.example/v1\nkind: A\nmetadata: {name: large}\nspec: {text: "+strings.Repeat("x", 1<<20)+"}\n"), "")
	for name, tc := range map[string]struct {
		reason string
		points int
		want   string
	}{
		"fits":     {"below the bound", 60, ""},
		"too much": {"above it nothing is injected", 70, "the values to inject take more than 64 MiB together"},
	} {
		t.Run(name, func(t *testing.T) {
			var text strings.Builder
			for i := range tc.points {
				fmt.Fprintf(&text, "---\napiVersion: a.example/v1\nkind: A\nmetadata: {name: p%d, annotations: {kpt.dev/config-injection: optional}}\n", i)
			}
			r, err := injection.Inject(read(t, "a.yaml", text.String()), []porchconfig.InjectionSelector{{Name: "large"}}, large)
			got, changed := "", 0
			if err != nil {
				got = err.Error()
			} else {
				changed = len(r.Changed)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" || err == nil && changed != tc.points {
				t.Errorf("%s: %d changed (-want +got):\n%s", tc.reason, changed, diff)
			}
		})
	}
}

// TestNoSharing edits what one point got: another that got the same must not change with it.
func TestNoSharing(t *testing.T) {
	items := read(t, "a.yaml", site+"---\n"+strings.Replace(site, "name: site", "name: two", 1))
	context := read(t, "cluster.yaml", cluster)
	before := write(t, context...)
	r, err := injection.Inject(items, []porchconfig.InjectionSelector{{Name: "lyon-2"}}, injection.FromObjects(context, "fleet"))
	if err != nil {
		t.Fatal(err)
	}
	two := write(t, r.Changed[items[1]])
	krm.SetField(r.Changed[items[0]].Lookup("spec"), "cidr", krm.StringNode("changed"))
	if diff := cmp.Diff(two, write(t, r.Changed[items[1]])); diff != "" {
		t.Errorf("the other point (-before +after):\n%s", diff)
	}
	if diff := cmp.Diff(before, write(t, context...)); diff != "" {
		t.Errorf("the context (-before +after):\n%s", diff)
	}
}
