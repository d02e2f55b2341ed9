package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func tree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	out, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func text(tr pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tr.All() {
		out[p] = string(b.Data())
	}
	return out
}

func TestFiles(t *testing.T) {
	type m = map[string]string
	cases := map[string]struct {
		reason                   string
		base, theirs, ours, want m
		conflicts                []Conflict
	}{
		"theirs": {"what only upstream changed, added or deleted is taken",
			m{"a": "1", "b": "1"}, m{"a": "2", "c": "1"}, m{"a": "1", "b": "1"}, m{"a": "2", "c": "1"}, nil},
		"ours": {"what only we changed, added or deleted stays",
			m{"a": "1", "b": "1"}, m{"a": "1", "b": "1"}, m{"a": "2", "c": "1"}, m{"a": "2", "c": "1"}, nil},
		"agree": {"the same change on both sides is no conflict",
			m{"a": "1", "b": "1"}, m{"a": "2"}, m{"a": "2"}, m{"a": "2"}, nil},
		"changed": {"two different changes conflict; ours stands",
			m{"a": "1"}, m{"a": "2"}, m{"a": "3"}, m{"a": "3"}, []Conflict{{"a", Changed, Changed}}},
		"deleted here": {"a file deleted here and changed upstream stays deleted, and says so",
			m{"a": "1"}, m{"a": "2"}, m{}, m{}, []Conflict{{"a", Changed, Deleted}}},
		"deleted there": {"a file deleted upstream and changed here stays, and says so",
			m{"a": "1"}, m{}, m{"a": "2"}, m{"a": "2"}, []Conflict{{"a", Deleted, Changed}}},
		"added twice": {"two different files of one name conflict",
			m{}, m{"a": "1"}, m{"a": "2"}, m{"a": "2"}, []Conflict{{"a", Added, Added}}},
		"file and directory": {"a file cannot stand where the other side has a directory",
			m{}, m{"a": "1"}, m{"a/b": "1"}, m{"a/b": "1"}, []Conflict{{"a/b", Added, Added}}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			base, theirs, ours := tree(t, c.base), tree(t, c.theirs), tree(t, c.ours)
			got, conflicts := Files(base, theirs, ours)
			if d := cmp.Diff(c.want, text(got)); d != "" {
				t.Errorf("%s: files (-want +got):\n%s", c.reason, d)
			}
			if d := cmp.Diff(c.conflicts, conflicts); d != "" {
				t.Errorf("%s: conflicts (-want +got):\n%s", c.reason, d)
			}
			checkLaws(t, base, theirs, ours)
		})
	}
}

// checkLaws holds for every triple.
func checkLaws(t interface{ Errorf(string, ...any) }, base, theirs, ours pkgtree.Tree) {
	do := func(b, t, o pkgtree.Tree) map[string]string { m, _ := Files(b, t, o); return text(m) }
	law := func(name string, got, want map[string]string) {
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("law broken: %s (-want +got):\n%s", name, d)
		}
	}
	law("a quiet upstream keeps ours", do(base, base, ours), text(ours))
	law("an untouched copy takes upstream", do(base, theirs, base), text(theirs))
	law("agreement keeps what is agreed", do(base, theirs, theirs), text(theirs))
	merged, conflicts := Files(base, theirs, ours)
	law("a repeated merge changes nothing", do(base, theirs, merged), text(merged))
	if len(conflicts) == 0 {
		law("neither side loses in silence", do(base, ours, theirs), text(merged))
	}
}

func TestLawsOnRandomTriples(t *testing.T) {
	files := rapid.MapOfN(rapid.SampledFrom([]string{"a", "b", "c", "d/e", "d/f"}), rapid.SampledFrom([]string{"1", "2", "3"}), 0, 5)
	rapid.Check(t, func(rt *rapid.T) {
		checkLaws(rt, tree(t, files.Draw(rt, "base")), tree(t, files.Draw(rt, "theirs")), tree(t, files.Draw(rt, "ours")))
	})
}
