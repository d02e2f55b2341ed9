package fleet

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// checkSharing holds for every two fleets: it makes no difference whether they share what is the same, nor whether only the items of a
// work that differ are compared, or all.
func checkSharing(t testing.TB, before, after pkgtree.Tree) {
	t.Helper()
	was, err := Read(before, nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := Read(after, nil)
	if err != nil {
		t.Fatal(err)
	}
	apart, err := Compare(was, is)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(apart.Preview(""), compared(t, before, after).Preview("")); diff != "" {
		t.Errorf("two fleets that share what is the same have another preview (-apart +sharing):\n%s", diff)
	}
	is, err = Read(after, was)
	if err != nil {
		t.Fatal(err)
	}
	ids := &idCache{}
	for _, cluster := range differing(was, is) {
		changed, err := cluster.compare(ids, false)
		all, errAll := cluster.compareAll(ids, false)
		if diff := cmp.Diff(textOf(all, errAll), textOf(changed, err)); diff != "" {
			t.Errorf("%s: what differs is not found (-all items +those that differ):\n%s", cluster.cluster, diff)
		}
	}
}

// textOf has what callers see of changes.
func textOf(changes []Change, err error) []string {
	out := []string{fmt.Sprint(err)}
	for _, c := range changes {
		text := fmt.Sprint(c.ID, c.Outcome, c.deletion)
		for _, d := range []*Delivery{c.Before, c.After} {
			if d != nil {
				text += fmt.Sprintf(", %s %s %s %t %t %x", d.Cluster, d.Work, d.File, d.Itself, d.HandOver, d.Content.Hash)
			} else {
				text += ", none"
			}
		}
		out = append(out, text)
	}
	return out
}

// TestScanLike takes works apart beside other works: the same contents are found.
func TestScanLike(t *testing.T) {
	item := func(name, more string) string {
		return "    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: " + name + "\n" + more
	}
	a, b, long := item("a", ""), item("b", ""), item("a", "\n      data:\n        x: y\n")
	works := map[string]*scanned{}
	c := newContents()
	for _, items := range []string{a, b, a + b, b + a, a + a, a + b + a, a + a + b, long, long + b, a + long, b + long + a} {
		for _, rest := range []string{"", "  deleteOption:\n    propagationPolicy: Orphan\n"} {
			text := workHead + "  namespace: c\n  name: w\n" + manifestsHead + items + rest
			works[text] = c.scan([]byte(text), nil)
		}
	}
	for text, want := range works {
		for other, like := range works {
			if got := c.scan([]byte(text), like); want == nil || !reflect.DeepEqual(got, want) {
				t.Errorf("beside\n%sthis is taken apart in another way:\n%s", other, text)
			}
		}
		if n := strings.Count(text, "    - "); len(want.items) != n {
			t.Errorf("%d items, want %d:\n%s", len(want.items), n, text)
		}
	}
}

// TestChangedItems compares works whose items come twice, move, come and go.
func TestChangedItems(t *testing.T) {
	one, two, other := object("v1", "ConfigMap", "data:\n  a: \"1\"\n"), object("v1", "ConfigMap", "data:\n  a: \"2\"\n"), object("v1", "Secret", "")
	lists := [][]string{{one}, {two}, {one, other}, {other, one}, {one, one}, {one, two}, {one, two, one}, {other, one, two, other}, {one, other, one}, {two, other, two}}
	for _, before := range lists {
		for _, after := range lists {
			for _, settings := range []string{"", "  deleteOption:\n    propagationPolicy: Orphan\n"} {
				checkSharing(t, treeOf(t, workFile("", before...)), treeOf(t, workFile(settings, after...)))
			}
		}
	}
}
