package fleet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestTwins takes one of two files away that hold the same work, alone or while the other changes.
func TestTwins(t *testing.T) {
	text := listedWork + "    - {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n    - {apiVersion: v1, kind: ConfigMap, metadata: {name: c}, data: {a: one}}\n"
	other := strings.Replace(text, "one", "two", 1)
	two := map[string][]byte{"w.yaml": []byte(text), "old/w.yaml": []byte(text)}
	cases := map[string]struct {
		reason        string
		before, after map[string][]byte
		want          string
	}{
		"Goes":      {"one file goes", two, map[string][]byte{"w.yaml": []byte(text)}, ""},
		"Comes":     {"one file comes", map[string][]byte{"w.yaml": []byte(text)}, two, ""},
		"Changes":   {"one goes, and the other is changed", two, map[string][]byte{"w.yaml": []byte(other)}, "changed c"},
		"Renamed":   {"one that is called otherwise", map[string][]byte{"a.yaml": []byte(text)}, map[string][]byte{"w.yaml": []byte(text)}, ""},
		"Both":      {"both go", two, map[string][]byte{}, "removed c removed c removed w removed w removed x removed x"},
		"Remaining": {"what is in neither file any more goes", two, map[string][]byte{"w.yaml": []byte(strings.SplitAfter(text, "{name: x}}\n")[0])}, "removed c removed c"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, ch := range compared(t, treeOf(t, tc.before), treeOf(t, tc.after)).Changes {
				got = append(got, string(ch.Kind())+" "+ch.ID.Name)
			}
			if got := strings.Join(got, " "); len(strings.Fields(got)) != len(strings.Fields(tc.want)) || !sameWords(got, tc.want) {
				t.Errorf("%s: %s, want %s", tc.reason, got, tc.want)
			}
		})
	}
	c := compared(t, treeOf(t, two), treeOf(t, map[string][]byte{"w.yaml": []byte(text)}))
	if diff := cmp.Diff([]Duplicate{{"a", "w", []string{"old/w.yaml", "w.yaml"}}}, c.Before.Duplicates()); diff != "" || c.After.Duplicates() != nil {
		t.Errorf("(-want +got):\n%s %v", diff, c.After.Duplicates())
	}
}

// sameWords reports whether two texts have the same words, in any order.
func sameWords(a, b string) bool {
	count := map[string]int{}
	for _, w := range strings.Fields(a) {
		count[w]++
	}
	for _, w := range strings.Fields(b) {
		count[w]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
