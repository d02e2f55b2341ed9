package graph

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// made is a fleet of policies, kinds with so many objects each, and clusters; cluster c receives object o of policy p when
// has says so.
func made(policies, objects, clusters int, has func(p, o, c int) bool) *index.Index {
	a := &index.Index{}
	for p := range policies {
		a.Policies = append(a.Policies, fmt.Sprintf("p%02d", p))
	}
	for o := range objects {
		a.Objects = append(a.Objects, index.Object{Identity: index.Identity{ID: krm.ID{Kind: fmt.Sprintf("Kind%d", o%3), Namespace: "ns", Name: fmt.Sprintf("o%03d", o)}}})
	}
	a.Objects = append(a.Objects, index.Object{Identity: index.Identity{ID: krm.ID{Kind: "ManifestWork", Name: "w"}, Itself: true}})
	for c := range clusters {
		row := index.Cluster{Name: fmt.Sprintf("c%03d", c)}
		for p := range policies {
			l := index.Load{Policy: p, Items: []index.Item{{Object: objects}}}
			for o := range objects {
				if has(p, o, c) {
					l.Items = append(l.Items, index.Item{Object: o})
				}
			}
			row.Loads = append(row.Loads, l)
		}
		a.Clusters = append(a.Clusters, row)
	}
	return a
}

// mermaidOf is a graph in Mermaid, held to the laws.
func mermaidOf(t testing.TB, a *index.Index) string {
	t.Helper()
	g := Of(a)
	var m, d bytes.Buffer
	for _, err := range []error{Mermaid(&m, g), DOT(&d, g)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	checkMermaid(t, m.String())
	checkDOT(t, d.String())
	checkReach(t, a, g)
	return m.String()
}

var (
	mermaidNode = regexp.MustCompile(`^  ([poc]\d+)(?:\(\["([^"]*)"\]\)|\["([^"]*)"\]|\[\["([^"]*)"\]\])$`)
	mermaidEdge = regexp.MustCompile(`^  ([poc]\d+) --> ([poc]\d+)$`)
	mermaidNote = regexp.MustCompile(`^  %% [a-z0-9 ,;]+$|^  style o\d+ stroke:#[0-9a-f]{6},stroke-width:3px$`)
	mermaidText = regexp.MustCompile(`^(?:± (?:(?:low|medium|high) )?)?(?:[a-zA-Z0-9 ./:,-]|#\d+;)*$`)
	dotNode     = regexp.MustCompile(`^  ([poc]\d+) \[shape=[a-z0-9]+, label="((?:[^"\\&]|\\["\\]|&amp;)*)"(?:, color="#[0-9a-f]{6}", penwidth=3)?\];$`)
	dotEdge     = regexp.MustCompile(`^  ([poc]\d+) -> ([poc]\d+);$`)
	dotNote     = regexp.MustCompile(`^  // [a-z0-9 ,;]+$|^  charset="UTF-8";$|^  rankdir=LR;$`)
)

// grammar holds each line to being a node, an edge between nodes that are there, or a note.
func grammar(t testing.TB, lines []string, node, edge, note *regexp.Regexp) (nodes, edges int) {
	t.Helper()
	known := map[string]bool{}
	for _, line := range lines {
		if n := node.FindStringSubmatch(line); n != nil {
			if known[n[1]] {
				t.Errorf("node %s is there twice", n[1])
			}
			known[n[1]] = true
			nodes++
		} else if e := edge.FindStringSubmatch(line); e != nil {
			if !known[e[1]] || !known[e[2]] {
				t.Errorf("an edge of a node that is not there: %s", line)
			}
			edges++
		} else if !note.MatchString(line) {
			t.Errorf("what is this: %q", line)
		}
	}
	if nodes > mostPolicies+mostObjects+mostClusters || edges > 500 {
		t.Errorf("%d nodes and %d edges", nodes, edges)
	}
	return nodes, edges
}

func checkMermaid(t testing.TB, text string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if lines[0] != "flowchart LR" || len(text) >= 50_000 || !utf8.ValidString(text) {
		t.Errorf("no flowchart, or one of %d characters", len(text))
	}
	grammar(t, lines[1:], mermaidNode, mermaidEdge, mermaidNote)
	for _, line := range lines[1:] {
		if n := mermaidNode.FindStringSubmatch(line); n != nil && !mermaidText.MatchString(n[2]+n[3]+n[4]) {
			t.Errorf("a label that is not inert: %s", line)
		}
	}
}

func checkDOT(t testing.TB, text string) {
	t.Helper()
	text, begins := strings.CutPrefix(text, "digraph fleet {\n")
	text, ends := strings.CutSuffix(text, "}\n")
	if !begins || !ends || !utf8.ValidString(text) {
		t.Errorf("no digraph:\n%s", text)
	}
	grammar(t, strings.Split(strings.TrimSuffix(text, "\n"), "\n"), dotNode, dotEdge, dotNote)
}

// checkReach follows the edges: there are as many clusters as in the index, and everything that a policy delivers to any of a node's
// clusters, there is a way from the policy's node to them.
func checkReach(t testing.TB, a *index.Index, g *Graph) {
	t.Helper()
	d := &drawing{index: a, reach: map[pair]uint16{}}
	d.groupClusters()
	d.foldPolicies()
	next := map[string][]string{}
	for _, e := range g.Edges {
		next[e.From] = append(next[e.From], e.To)
	}
	total := 0
	for n, gr := range d.groups {
		total += len(gr.clusters)
		for _, p := range gr.pairs {
			policy, cluster := nodeName(Policy, d.becomes[p.policy]), nodeName(Clusters, n)
			if !slices.ContainsFunc(next[policy], func(o string) bool { return slices.Contains(next[o], cluster) }) {
				t.Errorf("no way from %s to %s", policy, cluster)
			}
		}
	}
	if total != len(a.Clusters) {
		t.Errorf("%d clusters are drawn, want %d", total, len(a.Clusters))
	}
}

var xs = strings.Repeat("x", 90)

// renamed has policies and clusters called otherwise.
func renamed(a *index.Index, name func(i int) string) *index.Index {
	for i := range a.Policies {
		a.Policies[i] = name(i)
	}
	for i := range a.Clusters {
		a.Clusters[i].Name = name(i)
	}
	return a
}

func TestOf(t *testing.T) {
	all := func(_, _, _ int) bool { return true }
	cases := map[string]struct {
		reason string
		index  *index.Index
		want   string
	}{
		"Alike": {"clusters that receive the same are one", made(1, 2, 5, all), `flowchart LR
  p0(["p00"])
  o0["Kind0 ns/o000"]
  o1["Kind1 ns/o001"]
  c0[["5 clusters: c000, c001, c002, #8230;"]]
  p0 --> o0
  o0 --> c0
  p0 --> o1
  o1 --> c0
`},
		"Apart": {"one more object", made(1, 2, 3, func(_, o, c int) bool { return c < 2 && o <= c }), `flowchart LR
  p0(["p00"])
  o0["Kind0 ns/o000"]
  o1["Kind1 ns/o001"]
  c0[["c000"]]
  c1[["c001"]]
  c2[["1 cluster without objects: c002"]]
  p0 --> o0
  o0 --> c0
  o0 --> c1
  p0 --> o1
  o1 --> c1
`},
		"ByKind": {"many objects", made(1, 40, 1, all), `flowchart LR
  %% objects of a kind that go to the same clusters stand together
  p0(["p00"])
  o0["14 #215; Kind0"]
  o1["13 #215; Kind1"]
  o2["13 #215; Kind2"]
  c0[["c000"]]
  p0 --> o0
  o0 --> c0
  p0 --> o1
  o1 --> c0
  p0 --> o2
  o2 --> c0
`},
		"Long": {"long names that differ somewhere", renamed(made(2, 1, 4, func(p, _, c int) bool { return c%2 == p }), func(i int) string { return fmt.Sprintf("platform-networking-%s-%d-%s", xs, i, xs) }), `flowchart LR
  p0(["platform-networki#8230;xxxxxxxxxxxxxxxx-0-xxxxxxxxxxxxxxxxx#8230;xxxxxxxxxxxxxxxxx"])
  p1(["platform-networki#8230;xxxxxxxxxxxxxxxx-1-xxxxxxxxxxxxxxxxx#8230;xxxxxxxxxxxxxxxxx"])
  o0["Kind0 ns/o000"]
  o1["Kind0 ns/o000"]
  c0[["2 clusters: platf#8230;xxxx-0-xxxxx#8230;xxxxx, platf#8230;xxxx-2-xxxxx#8230;xxxxx"]]
  c1[["2 clusters: platf#8230;xxxx-1-xxxxx#8230;xxxxx, platf#8230;xxxx-3-xxxxx#8230;xxxxx"]]
  p0 --> o0
  o0 --> c0
  p1 --> o1
  o1 --> c1
`},
		"Nothing": {"an empty fleet", made(0, 0, 0, all), "flowchart LR\n  c0[[\"nothing: there is no cluster, and no object\"]]\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, mermaidOf(t, tc.index)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFolds holds large fleets to small graphs that say what they fold.
func TestFolds(t *testing.T) {
	cases := map[string]struct {
		reason string
		index  *index.Index
		want   []string
	}{
		"Sets":     {"each cluster is another", made(1, 30, 30, func(_, o, c int) bool { return o == c }), []string{"clusters receive 30 different sets of objects; the 9 commonest are apart"}},
		"Kinds":    {"many kinds by many ways", made(8, 30, 9, func(p, o, c int) bool { return (o+p)%9 == c }), []string{"objects of a kind stand together"}},
		"Policies": {"more policies than can be drawn", made(50, 2, 3, func(p, _, c int) bool { return p%3 == c }), []string{"of 50 policies, the 19 that deliver most are apart", "all objects of a policy stand together"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			mermaidOf(t, tc.index)
			if diff := cmp.Diff(tc.want, Of(tc.index).Folded); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRandom(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 60) {
		r := rand.New(rand.NewPCG(seed, 3)) // #nosec G404 -- made-up cases
		a := made(r.IntN(30), r.IntN(60), r.IntN(40), func(_, _, _ int) bool { return r.IntN(4) == 0 })
		if first, again := mermaidOf(t, a), mermaidOf(t, a); first != again {
			t.Errorf("seed %d: not the same the second time", seed)
		}
	}
}

// called is a small fleet in which everything has that name.
func called(name string) *index.Index {
	a := made(1, 1, 1, func(_, _, _ int) bool { return true })
	a.Policies[0], a.Clusters[0].Name = name, name
	a.Objects[0].ID = krm.ID{Kind: name, Namespace: name, Name: name}
	return a
}

var hostile = []string{
	`"]; evil[label="x`, `\`, `\" -> b; //`, "a\nb --> c", "%%{init: {}}%%", "`md`", "#quot;", "&lt;b&gt;", "<script>alert(1)</script>", "end", "```\n# out", "\u202egnp\u2028",
	strings.Repeat("\"", 253), strings.Repeat("🚢", 253), "\xff", "", "click p0 call x()", "subgraph", "__proto__", `\N\G\l`, "|", "]])",
}

func TestHostile(t *testing.T) {
	for _, name := range hostile {
		mermaidOf(t, called(name))
		var b bytes.Buffer
		if err := Markdown(&b, Of(called(name))); err != nil {
			t.Fatal(err)
		}
		if strings.Count(b.String(), "```") != 2 {
			t.Errorf("%q ends the block:\n%s", name, b.String())
		}
	}
	long := made(30, 60, 20, func(p, o, c int) bool { return (o+p)%7 == c%7 })
	for i := range long.Policies {
		long.Policies[i] += strings.Repeat("🚢", 253)
	}
	for i := range long.Clusters {
		long.Clusters[i].Name += strings.Repeat("🚢", 253)
	}
	mermaidOf(t, long)
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) { mermaidOf(t, called(name)) })
}

// TestGraphviz has dot draw every name, and say what the labels are to it.
func TestGraphviz(t *testing.T) {
	testenv.Need(t, testenv.Graphviz)
	for _, name := range hostile {
		var b bytes.Buffer
		if err := DOT(&b, Of(called(name))); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("dot", "-Tsvg")
		cmd.Stdin = &b
		out, err := cmd.CombinedOutput()
		if err != nil || bytes.Contains(out, []byte("Warning")) {
			t.Errorf("%q: %v: %s", name, err, out)
		}
		if n := bytes.Count(out, []byte(`class="node"`)); n != 3 {
			t.Errorf("%q makes %d nodes, want 3", name, n)
		}
	}
}

func BenchmarkOf(b *testing.B) {
	a := made(10, 100, 10_000, func(p, o, _ int) bool { return o%10 == p })
	for b.Loop() {
		if err := DOT(io.Discard, Of(a)); err != nil {
			b.Fatal(err)
		}
	}
}

// TestChanges marks the objects that change, with their risk, in every format; without a comparison nothing is marked.
func TestChanges(t *testing.T) {
	a := made(1, 3, 2, func(_, _, _ int) bool { return true })
	if text := mermaidOf(t, a); strings.Contains(text, "±") || strings.Contains(text, "style") {
		t.Errorf("nothing is compared:\n%s", text)
	}
	a.Preview = &waybill.FleetPreview{Groups: []waybill.PreviewGroup{
		{Object: waybill.PreviewObject(a.Objects[0].ID), Level: "low"}, {Object: waybill.PreviewObject(a.Objects[0].ID), Level: "high"},
		{Object: waybill.PreviewObject(a.Objects[2].ID)}, {Object: waybill.PreviewObject{Kind: "Gone", Name: "x"}},
	}}
	text := mermaidOf(t, a)
	for _, want := range []string{"± high Kind0", "± Kind2", "style o0 stroke:#a1161c", "style o2 stroke:#2a5580"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if strings.Contains(text, "style o1") {
		t.Errorf("an object that stays the same is marked:\n%s", text)
	}
}

// TestRemoved draws the objects that no cluster receives any more: apart while there is room, or together, with the highest risk.
func TestRemoved(t *testing.T) {
	for count, want := range map[int][]string{
		5:  {`o3["± low removed: Kind0 ns/o003"]`, `o4["± high removed: Kind1 ns/o004"]`, "style o3 stroke:#2a5580", "style o4 stroke:#a1161c"},
		80: {`o3["± high removed: 77 objects"]`, "%% removed objects stand together", "style o3 stroke:#a1161c"},
	} {
		a := made(1, count, 2, func(_, o, _ int) bool { return o < 3 })
		a.Preview = &waybill.FleetPreview{}
		for o := 3; o < count; o++ {
			a.Preview.Groups = append(a.Preview.Groups, waybill.PreviewGroup{Object: waybill.PreviewObject(a.Objects[o].ID), Level: []string{"high", "low"}[o%2]})
		}
		text := mermaidOf(t, a)
		for _, want := range want {
			if !strings.Contains(text, want) {
				t.Errorf("%d objects: no %q in\n%s", count, want, text)
			}
		}
		if strings.Contains(text, "o3 -->") || strings.Contains(text, "--> o3") {
			t.Errorf("%d objects: an object that no cluster receives has an edge:\n%s", count, text)
		}
	}
	full := made(1, 36+1, 1, func(_, o, _ int) bool { return o < 36 })
	full.Preview = &waybill.FleetPreview{Groups: []waybill.PreviewGroup{{Object: waybill.PreviewObject(full.Objects[36].ID), Level: "high"}}}
	if text := mermaidOf(t, full); !strings.Contains(text, "± high removed: Kind0 ns/o036") {
		t.Errorf("objects that are delivered leave no room:\n%s", text)
	}
}
