package fleet

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// received is what a fleet receives, found in the simplest way: how often each cluster gets which JSON in which work.
type received map[string]int

func naive(t testing.TB, files map[string][]byte) received {
	t.Helper()
	out := received{}
	for _, p := range slices.Sorted(maps.Keys(files)) {
		var o map[string]any
		if err := yaml.Unmarshal(files[p], &o); err != nil {
			t.Fatalf("%s: %v\n%s", p, err, files[p])
		}
		if o["kind"] != "ManifestWork" {
			out.add(t, strings.Split(path.Dir(p), "/")[1], "", o, 1)
			continue
		}
		meta := o["metadata"].(map[string]any)
		cluster, work := meta["namespace"].(string), meta["name"].(string)
		workload := o["spec"].(map[string]any)["workload"].(map[string]any)
		manifests, _ := workload["manifests"].([]any)
		for _, m := range manifests {
			out.add(t, cluster, work, m, 1)
		}
		delete(workload, "manifests")
		delete(meta, "namespace")
		out.add(t, cluster, work, o, 1)
	}
	return out
}

func (r received) add(t testing.TB, cluster, work string, o any, n int) {
	t.Helper()
	data, err := json.Marshal(o)
	if err != nil {
		t.Fatal(err)
	}
	key := cluster + "\x00" + work + "\x00" + string(data)
	if r[key] += n; r[key] == 0 {
		delete(r, key)
	}
}

// apply is what before becomes by the changes.
func (r received) apply(t testing.TB, changes []Change) received {
	t.Helper()
	out := maps.Clone(r)
	for i := range changes {
		for n, d := range map[int]*Delivery{-1: changes[i].Before, +1: changes[i].After} {
			if d == nil {
				continue
			}
			var o any
			if err := yaml.Unmarshal(d.Content.YAML(), &o); err != nil {
				t.Fatal(err)
			}
			out.add(t, d.Cluster, d.Work, o, n)
		}
	}
	return out
}

// compared compares two trees of files.
func compared(t testing.TB, before, after pkgtree.Tree) *Comparison {
	t.Helper()
	was, err := Read(before, nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := Read(after, was)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Compare(was, is)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// checkLaws holds for every two fleets: nothing is missed, and nothing invented.
func checkLaws(t testing.TB, before, after map[string][]byte) {
	t.Helper()
	was, is := naive(t, before), naive(t, after)
	c := compared(t, treeOf(t, before), treeOf(t, after))
	if diff := cmp.Diff(is, was.apply(t, c.Changes)); diff != "" {
		t.Errorf("before with the changes is not after (-after +applied):\n%s", diff)
	}
	least := 0
	for key, n := range was {
		least += max(0, n-is[key])
	}
	most := 0
	for i := range c.Changes {
		if c.Changes[i].Before != nil {
			most++
		}
	}
	if most > least {
		t.Errorf("%d objects go or change, where %d do", most, least)
	}
	if same := compared(t, treeOf(t, after), treeOf(t, after)); len(same.Changes) > 0 {
		t.Errorf("what is the same is different: %v", same.Changes[0].ID)
	}
	checkPreview(t, c)
	checkSharing(t, treeOf(t, before), treeOf(t, after))
	back := compared(t, treeOf(t, after), treeOf(t, before))
	if len(back.Changes) != len(c.Changes) {
		t.Errorf("the way back has %d changes, and the way there %d", len(back.Changes), len(c.Changes))
	}
}

// checkPreview wants every change counted once, in numbers that agree, and no secret.
func checkPreview(t testing.TB, c *Comparison) {
	t.Helper()
	p := c.Preview("root")
	counted := 0
	for _, g := range p.Groups {
		clusters := map[string]bool{}
		for _, s := range g.Shapes {
			counted += len(s.Clusters)
			for _, name := range s.Clusters {
				clusters[name] = true
			}
			if (g.Change == "changed" || g.Change == "moved") != (len(s.Fields) > 0) {
				t.Errorf("%s %s has %d fields", g.Change, g.Object.Name, len(s.Fields))
			}
		}
		if len(clusters) != g.Clusters {
			t.Errorf("%s: %d clusters, counted as %d", g.Object.Name, len(clusters), g.Clusters)
		}
	}
	s := p.Summary
	if sum := s.Added + s.Removed + s.Changed + s.Moved + s.LeftBehind + s.Released + s.Works; counted != len(c.Changes) || sum != counted {
		t.Errorf("%d changes, %d counted in groups, %d in the summary", len(c.Changes), counted, sum)
	}
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(data), secretOne) || strings.Contains(string(data), secretTwo) {
		t.Errorf("a secret is shown:\n%s", data)
	}
	again, err := json.Marshal(c.Preview("root"))
	if err != nil || string(again) != string(data) {
		t.Errorf("the second comparison differs from the first: %v", err)
	}
}

// TestNaive holds comparisons of random fleets to what the simplest way finds.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		before, after := randomFleet(rt, "before"), randomFleet(rt, "after")
		checkLaws(asTB{t, rt}, before, after)
	})
}

// asTB fails the property, and not the test, so that what fails is made small.
type asTB struct {
	testing.TB
	rt *rapid.T
}

func (a asTB) Errorf(format string, args ...any) { a.rt.Errorf(format, args...) }
func (a asTB) Fatalf(format string, args ...any) { a.rt.Fatalf(format, args...) }
func (a asTB) Fatal(args ...any)                 { a.rt.Fatal(fmt.Sprint(args...)) }
func (a asTB) Helper()                           {}
