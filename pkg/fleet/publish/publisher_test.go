package publish

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// commits are the ids of revisions 0, 1, 2 …, of which each is an ancestor of the later ones.
func commit(n int) string { return fmt.Sprintf("%040x", n) }

// publisher publishes revision n. Its repository has no later revision.
func publisher(m Registry, n int) *Publisher {
	return &Publisher{Options: Options{By: ByCluster, Content: Objects}, Registry: m, Commit: commit(n), Number: n, Revision: fmt.Sprintf("r%d", n), Channel: "latest",
		Older: func(_ context.Context, c string) (bool, error) { return c < commit(n), nil }}
}

// fleetOf is a fleet whose clusters c0, c1 … have these values; 0 is no cluster.
func fleetOf(t testing.TB, values ...int) []Content {
	t.Helper()
	files := map[string]string{}
	for i, v := range values {
		if v > 0 {
			name := fmt.Sprintf("c%d", i)
			files["clusters/"+name+"/p/w.yaml"] = work(name, "w", "", configMap("a", fmt.Sprint(v)))
		}
	}
	all, err := Contents(treeOf(t, files), Options{By: ByCluster, Content: Objects})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// inForce checks that the tags name these contents, and that the index says so.
func inForce(t testing.TB, m *memory, n int, contents []Content) {
	t.Helper()
	_, x, err := publisher(m, n).load(t.Context(), "latest")
	if err != nil || x == nil || x.Commit != commit(n) || len(x.Artifacts) != len(contents) || len(x.Moving) > 0 {
		t.Errorf("want the index of revision %d with %d artifacts, got %v %+v", n, len(contents), err, x)
		return
	}
	for _, c := range contents {
		digest := m.tags[c.Name+":latest"]
		if e := x.entry(c.Name); e == nil || e.Digest != digest || !m.content[c.Name+"@"+digest].Equal(c.Files) {
			t.Errorf("%s: revision %d is not in force: tag %s, index %+v", c.Name, n, digest, e)
		}
	}
}

func states(steps []Step) map[string]State {
	out := map[string]State{}
	for _, s := range steps {
		out[s.Name] = s.State
	}
	return out
}

func run(t testing.TB, m *memory, n int, contents []Content) []Step {
	t.Helper()
	steps, err := publisher(m, n).Run(t.Context(), contents)
	if err != nil {
		t.Fatal(err)
	}
	return steps
}

// TestRun follows a fleet through revisions.
func TestRun(t *testing.T) {
	m := newMemory()
	var requests []string
	m.before = func(_ int, what string) error { requests = append(requests, what); return nil }
	first := fleetOf(t, 1, 1, 1)
	if diff := cmp.Diff(map[string]State{"c0": Pushed, "c1": Pushed, "c2": Pushed}, states(run(t, m, 1, first))); diff != "" {
		t.Error(diff)
	}
	inForce(t, m, 1, first)
	requests = nil
	if diff := cmp.Diff(map[string]State{"c0": Unchanged, "c1": Unchanged, "c2": Unchanged}, states(run(t, m, 1, first))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"get :latest", "get :latest.pending"}, requests); diff != "" {
		t.Errorf("a second run only asks for the index:\n%s", diff)
	}
	requests = nil
	second := fleetOf(t, 1, 2, 0, 1)
	if diff := cmp.Diff(map[string]State{"c0": Unchanged, "c1": Pushed, "c2": Gone, "c3": Pushed}, states(run(t, m, 2, second))); diff != "" {
		t.Error(diff)
	}
	inForce(t, m, 2, second)
	for _, r := range requests {
		if strings.Contains(r, "c0:") || strings.Contains(r, "c2:") {
			t.Errorf("request %q is about what did not change", r)
		}
	}
	if m.tags["c2:latest"] == "" || m.tags["c0:r1"] == "" || m.tags["c0:r2"] != "" || m.tags["c1:r2"] != m.tags["c1:latest"] {
		t.Errorf("tags: %v", m.tags)
	}
	third := fleetOf(t, 1, 2, 1, 1)
	if diff := cmp.Diff(map[string]State{"c0": Unchanged, "c1": Unchanged, "c2": Pushed, "c3": Unchanged}, states(run(t, m, 3, third))); diff != "" {
		t.Errorf("a cluster that comes back:\n%s", diff)
	}
	inForce(t, m, 3, third)
}

// TestOtherTag: what follows another tag shares the tags of revisions, so it has to have the same form.
func TestOtherTag(t *testing.T) {
	m := newMemory()
	run(t, m, 1, fleetOf(t, 1))
	before := m.tags["c0:r1"]
	p := publisher(m, 1)
	p.Channel, p.Content = "stable", Works
	if _, err := p.Run(t.Context(), fleetOf(t, 2)); err == nil || !strings.Contains(err.Error(), `what follows the tag "r1" would delete`) {
		t.Errorf("want an error, got %v", err)
	}
	if m.tags["c0:r1"] != before || m.tags["c0:stable"] != "" {
		t.Errorf("something was pushed: %v", m.tags)
	}
	p = publisher(m, 1)
	p.Channel = "stable"
	if _, err := p.Run(t.Context(), fleetOf(t, 1)); err != nil || m.tags["c0:stable"] != before {
		t.Errorf("the same form has another tag: %v %v", err, m.tags)
	}
}

// TestBroken: what cannot be parsed is not pushed.
func TestBroken(t *testing.T) {
	m := newMemory()
	text := strings.Replace(work("c0", "w", "", configMap("a", "1")), "key: 1", "key: '1", 1)
	all, err := Contents(treeOf(t, map[string]string{"clusters/c0/p/w.yaml": text}), Options{By: ByCluster, Content: Objects})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := publisher(m, 1).Run(t.Context(), all); err == nil || !strings.Contains(err.Error(), `artifact "c0": shop/configmap_a.yaml`) || len(m.tags) > 0 {
		t.Errorf("want an error, got %v and %v", err, m.tags)
	}
}

// TestRefused: nothing is written.
func TestRefused(t *testing.T) {
	m := newMemory()
	contents := fleetOf(t, 1, 1)
	run(t, m, 5, contents)
	before := len(m.tags)
	cases := map[string]struct {
		change func(*Publisher)
		want   string
	}{
		"Older":   {func(p *Publisher) { *p = *publisher(m, 4) }, "the registry has revision r5, and its commit is not among the ancestors"},
		"Content": {func(p *Publisher) { p.Content = Works }, `the prefix has objects of folder "" by cluster, not works`},
		"By":      {func(p *Publisher) { p.By = "region" }, "publish to another prefix"},
		"Path":    {func(p *Publisher) { p.Path = "shop" }, "publish to another prefix"},
	}
	for name, tc := range cases {
		p := publisher(m, 6)
		tc.change(p)
		if _, err := p.Run(t.Context(), fleetOf(t, 2, 2)); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: want %q, got %v", name, tc.want, err)
		}
	}
	if len(m.tags) != before {
		t.Errorf("something was written: %v", m.tags)
	}
	inForce(t, m, 5, contents)
	p := publisher(m, 4)
	p.AllowOlder = true
	older := fleetOf(t, 2, 1)
	if _, err := p.Run(t.Context(), older); err != nil {
		t.Error(err)
	}
	inForce(t, m, 4, older)
}

// TestGroups: a cluster changes its group only if that is allowed.
func TestGroups(t *testing.T) {
	m := newMemory()
	contents := func(a, b string) []Content {
		w := func(c string) string { return work(c, "w", "", configMap("a", "1")) }
		inv := fmt.Sprintf("apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: x}\nspec:\n  clusters:\n  - {name: a, labels: {r: %s}}\n  - {name: b, labels: {r: %s}}\n", a, b)
		all, err := Contents(treeOf(t, map[string]string{"inv.yaml": inv, "clusters/a/w.yaml": w("a"), "clusters/b/w.yaml": w("b")}), Options{By: "label=r", Content: Works})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	p := publisher(m, 1)
	p.Options = Options{By: "label=r", Content: Works}
	if _, err := p.Run(t.Context(), contents("eu", "eu")); err != nil {
		t.Fatal(err)
	}
	q := publisher(m, 2)
	q.Options = p.Options
	var moved *MovedError
	if _, err := q.Run(t.Context(), contents("eu", "ap")); !errors.As(err, &moved) || *moved != (MovedError{"b", "eu", "ap"}) {
		t.Errorf("want a refusal, got %v", err)
	}
	q.AllowMoves = true
	if steps, err := q.Run(t.Context(), contents("eu", "ap")); err != nil || states(steps)["ap"] != Pushed || states(steps)["eu"] != Pushed {
		t.Error(steps, err)
	}
}

// TestCheckTags finds what another client changed.
func TestCheckTags(t *testing.T) {
	m := newMemory()
	contents := fleetOf(t, 1, 2)
	run(t, m, 1, contents)
	m.tags["c0:latest"] = "sha256:" + strings.Repeat("0", 64)
	p := publisher(m, 1)
	p.CheckTags = true
	steps, err := p.Run(t.Context(), contents)
	if err != nil || states(steps)["c0"] != Pushed || states(steps)["c1"] != Unchanged {
		t.Error(steps, err)
	}
	inForce(t, m, 1, contents)
}

// TestKilled: after an end at any request, the tags name old or new contents, and the next run, of any revision, completes.
func TestKilled(t *testing.T) {
	old, killed, next := fleetOf(t, 1, 1, 1), fleetOf(t, 2, 2, 1), fleetOf(t, 1, 3, 1)
	for at := 1; ; at++ {
		survived := false
		for _, follow := range []struct {
			n        int
			contents []Content
		}{{2, killed}, {3, next}} {
			m := newMemory()
			run(t, m, 1, old)
			start := m.asked
			m.before = func(n int, _ string) error {
				if n >= start+at {
					return errKilled
				}
				return nil
			}
			_, err := publisher(m, 2).Run(t.Context(), killed)
			survived = err == nil
			if !survived && !errors.Is(err, errKilled) {
				t.Fatal(err)
			}
			m.before = nil
			for i, c := range killed {
				if got := m.content[c.Name+"@"+m.tags[c.Name+":latest"]]; !got.Equal(c.Files) && !got.Equal(old[i].Files) {
					t.Errorf("killed at %d: %s is broken", at, c.Name)
				}
			}
			run(t, m, follow.n, follow.contents)
			inForce(t, m, follow.n, follow.contents)
		}
		if survived {
			if at < 10 {
				t.Errorf("the run made only %d requests", at)
			}
			return
		}
	}
}
