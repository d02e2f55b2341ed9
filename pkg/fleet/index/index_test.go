package index

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func treeOf(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func fleetOf(t testing.TB, tree pkgtree.Tree) *fleet.Fleet {
	t.Helper()
	f, err := fleet.Read(tree, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// indexOf is the index of some files, compared with others unless these are nil. It holds the laws.
func indexOf(t testing.TB, before, after map[string]string) *Index {
	t.Helper()
	tree := treeOf(t, after)
	f := fleetOf(t, tree)
	a, err := Of(tree, f, nil)
	if err == nil && before != nil {
		c, errCompare := fleet.Compare(fleetOf(t, treeOf(t, before)), f)
		if errCompare != nil {
			t.Fatal(errCompare)
		}
		a, err = Of(tree, f, c.Preview(""))
	}
	if err != nil {
		t.Fatal(err)
	}
	checkLaws(t, a, f)
	return a
}

// checkLaws holds an index to the fleet that it is of: every delivery is in it, no other is, and all is sorted.
func checkLaws(t testing.TB, a *Index, f *fleet.Fleet) {
	t.Helper()
	total := 0
	for i := range a.Clusters {
		c := &a.Clusters[i]
		want, got := delivered(t, f, c.Name), []string{}
		for j := range c.Loads {
			l := &c.Loads[j]
			total += a.Count(l)
			for _, item := range l.Items {
				o := &a.Objects[item.Object]
				got = append(got, fmt.Sprintf("%s %s %s %s %t\n%s", l.File, l.Work, a.Policies[l.Policy], o.ID, o.Itself, o.Texts[item.Text]))
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("cluster %s (-delivered +in the index):\n%s", c.Name, diff)
		}
	}
	if want := f.Objects(); total != want {
		t.Errorf("%d objects, want %d", total, want)
	}
	if !slices.IsSortedFunc(a.Clusters, func(x, y Cluster) int { return strings.Compare(x.Name, y.Name) }) || !slices.IsSorted(a.Policies) ||
		!slices.IsSortedFunc(a.Objects, func(x, y Object) int { return compareObjects(&x, &y) }) {
		t.Error("it is not sorted")
	}
}

func delivered(t testing.TB, f *fleet.Fleet, cluster string) []string {
	t.Helper()
	all, err := f.Delivered(cluster)
	if err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, d := range all {
		id, err := d.Content.ID()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, fmt.Sprintf("%s %s %s %s %t\n%s", d.File, d.Work, d.Binding, id, d.Itself, shownYAML(d.Content)))
	}
	slices.Sort(out)
	return out
}

const workHead = `apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata:
  namespace: %s
  name: %s
  labels:
    transport.kubestellar.io/originOwnerReferenceBindingKey: %s
spec:
  workload:
    manifests:
`

// work is a file as the bundler writes it.
func work(cluster, name, binding string, objects ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, workHead, cluster, name, binding)
	for _, o := range objects {
		b.WriteString("    - " + strings.ReplaceAll(strings.TrimSuffix(o, "\n"), "\n", "\n      ") + "\n")
	}
	return b.String()
}

func configMap(name, value string) string {
	return fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: shop\ndata:\n  k: %s\n", name, value)
}

const inventory = `apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: a
  labels:
    tier: prod
    site: edge
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata:
  name: idle
`

// describe is a short text for an index.
func describe(a *Index) (out []string) {
	for _, c := range a.Clusters {
		line := c.Name + " [" + strings.Join(c.Labels, " ") + "]"
		for _, l := range c.Loads {
			line += fmt.Sprintf(" %q/%s/%s:", a.Policies[l.Policy], l.Work, l.File)
			for _, i := range l.Items {
				line += fmt.Sprintf(" %s#%d", a.Objects[i.Object].Name, i.Text)
			}
		}
		out = append(out, line)
	}
	return out
}

func TestOf(t *testing.T) {
	both := map[string]string{"w/a.yaml": work("a", "w-0", "shop", configMap("x", "1"), configMap("y", "1")), "w/b.yaml": work("b", "w-0", "shop", configMap("x", "1"))}
	cases := map[string]struct {
		reason        string
		before, after map[string]string
		want          []string
	}{
		"Works":     {"by policy and work", nil, both, []string{`a [] "shop"/w-0/w/a.yaml: x#0 y#0 w-0#0`, `b [] "shop"/w-0/w/b.yaml: x#0 w-0#0`}},
		"Inventory": {"with clusters that receive nothing, and labels", nil, map[string]string{"inv.yaml": inventory, "w.yaml": work("a", "w", "p", configMap("x", "1"))}, []string{`a [site=edge tier=prod] "p"/w/w.yaml: x#0 w#0`, "idle []"}},
		"Plain":     {"objects of no policy", nil, map[string]string{"clusters/c/x.yaml": configMap("x", "1")}, []string{`c [] ""//clusters/c/x.yaml: x#0`}},
		"Texts": {"the commonest comes first", nil, map[string]string{
			"1.yaml": work("a", "w", "p", configMap("x", "odd")), "2.yaml": work("b", "w", "p", configMap("x", "z")), "3.yaml": work("c", "w", "p", configMap("x", "z")),
		}, []string{`a [] "p"/w/1.yaml: x#1 w#0`, `b [] "p"/w/2.yaml: x#0 w#0`, `c [] "p"/w/3.yaml: x#0 w#0`}},
		"Left":    {"a cluster that was there", both, map[string]string{"w/b.yaml": both["w/b.yaml"]}, []string{"a []", `b [] "shop"/w-0/w/b.yaml: x#0 w-0#0`}},
		"Nothing": {"an empty fleet", nil, map[string]string{}, nil},
		"Twice":   {"two of the same in a work", nil, map[string]string{"w.yaml": work("a", "w", "p", configMap("x", "1"), configMap("x", "2"))}, []string{`a [] "p"/w/w.yaml: x#0 x#1 w#0`}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, describe(indexOf(t, tc.before, tc.after))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestOfBadWork reads a work whose lines look like two manifests, and are one to a parser; and one that is broken.
func TestOfBadWork(t *testing.T) {
	lies := fmt.Sprintf(workHead, "a", "w", "p") + "    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: x\n      data:\n        k: \"one\n    - two\"\n"
	tree := treeOf(t, map[string]string{"w.yaml": lies})
	a, err := Of(tree, fleetOf(t, tree), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Objects) != 2 || a.Objects[0].Name != "x" {
		t.Errorf("want ConfigMap x and its work, got %v", a.Objects)
	}
}

// TestOfRandom draws fleets at random, and holds the laws on them; files in another order make no difference.
func TestOfRandom(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 40) {
		r := rand.New(rand.NewPCG(seed, 9)) // #nosec G404 -- made-up cases
		files := map[string]string{"inv.yaml": inventory}
		for n := range r.IntN(12) {
			var objects []string
			for range 1 + r.IntN(5) {
				objects = append(objects, configMap(fmt.Sprintf("x%d", r.IntN(4)), fmt.Sprintf("v%d", r.IntN(3))))
			}
			files[fmt.Sprintf("w/%d.yaml", n)] = work(fmt.Sprintf("c%d", r.IntN(5)), fmt.Sprintf("w%d", n), fmt.Sprintf("p%d", r.IntN(3)), objects...)
		}
		first, again := indexOf(t, nil, files), indexOf(t, nil, files)
		if diff := cmp.Diff(first, again); diff != "" {
			t.Errorf("seed %d: not the same the second time:\n%s", seed, diff)
		}
	}
}

// TestOfManyFiles has many files for one cluster, between a package and what lies in it.
func TestOfManyFiles(t *testing.T) {
	files := map[string]string{"sub/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n", "sub/clusters/c/x.yaml": configMap("x", "1")}
	for i := range 306 {
		files[fmt.Sprintf("sub/b%03d.yaml", i)] = work("c", fmt.Sprintf("w%03d", i), "p", configMap("y", "1"))
	}
	a := indexOf(t, nil, files)
	if len(a.Clusters) != 1 || len(a.Clusters[0].Loads) != 307 {
		t.Errorf("want one cluster with all files, got %v", a.Clusters)
	}
}
