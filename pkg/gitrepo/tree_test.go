package gitrepo

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func names(entries []entry) string {
	var out []string
	for _, e := range entries {
		out = append(out, e.sortKey())
	}
	return strings.Join(out, " ")
}

func TestWith(t *testing.T) {
	id := Hash{1}
	dir := func(n string) entry { return entry{mode: modeDir, name: n, id: id} }
	file := func(n string) entry { return entry{mode: modeFile, name: n, id: id} }
	for name, tc := range map[string]struct {
		reason  string
		entries []entry
		put     entry
		want    string
	}{
		"first":          {reason: "an empty tree takes an entry", put: file("a"), want: "a"},
		"dir after dash": {reason: "a directory sorts as if it ended in a slash", entries: []entry{file("a-b"), file("a0")}, put: dir("a"), want: "a-b a/ a0"},
		"file first":     {reason: "a file of the same name sorts before", entries: []entry{file("a-b"), file("a0")}, put: file("a"), want: "a a-b a0"},
		"replace":        {reason: "an entry takes the place of its namesake, whatever that is", entries: []entry{file("a"), file("a-b")}, put: dir("a"), want: "a-b a/"},
		"remove":         {reason: "a zero id takes the entry out", entries: []entry{dir("a"), file("b")}, put: entry{mode: modeDir, name: "a"}, want: "b"},
	} {
		t.Run(name, func(t *testing.T) {
			before := slices.Clone(tc.entries)
			if diff := cmp.Diff(tc.want, names(with(tc.entries, tc.put))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if !slices.Equal(before, tc.entries) {
				t.Errorf("%s: the entries given were changed", tc.reason)
			}
		})
	}
}

func FuzzParseTree(f *testing.F) {
	id := strings.Repeat("\x07", 20)
	for _, s := range []string{"", "100644 a\x00" + id, "40000 d\x00" + id + "100664 e\x00" + id, "100644 a", " \x00", "100644 a\x00short"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		entries, err := parseTree(data)
		if err == nil && !bytes.Equal(encodeTree(entries), data) {
			t.Errorf("reading and writing %q gives %q", data, encodeTree(entries))
		}
	})
}
