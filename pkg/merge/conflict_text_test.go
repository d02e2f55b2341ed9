package merge

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestConflictString(t *testing.T) {
	web := krm.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}
	replicas := func(c Conflict) Conflict {
		c.Package, c.File, c.Object, c.Field = ".", "web.yaml", web, "spec.replicas"
		return c
	}
	whole := func(pkg, file string, id krm.ID, c Conflict) Conflict {
		c.Package, c.File, c.Object = pkg, file, id
		return c
	}
	for name, c := range map[string]struct {
		reason string
		in     Conflict
		want   string
	}{
		"field":      {"it says what each has, and whose stays", replicas(Conflict{Base: word("3"), Theirs: word("5"), Ours: word("4"), Chosen: word("5"), Winner: UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → upstream's"},
		"local":      {"or is ours", replicas(Conflict{Base: word("3"), Theirs: word("5"), Ours: word("4"), Chosen: word("4"), Winner: LocalWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → local's"},
		"both":       {"what both made is shown", replicas(Conflict{Base: word("{a: 1, b: 1}"), Ours: word("{a: 1, b: 2}"), Chosen: word("{b: 2}"), Winner: BothWon}), "web.yaml Deployment shop/web spec.replicas: base {a: 1, b: 1}, upstream (none), local {a: 1, b: 2} → both: {b: 2}"},
		"undecided":  {"nobody was preferred", replicas(Conflict{Base: word("3"), Theirs: word("5"), Ours: word("4")}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → undecided"},
		"dropped":    {"upstream dropped a field, and that it is gone is told from that nothing was decided", replicas(Conflict{Base: word("3"), Ours: word("4"), Winner: UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream (none), local 4 → upstream's"},
		"added":      {"there was none before", replicas(Conflict{Theirs: word("5"), Ours: word("4"), Chosen: word("5"), Winner: UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base (none), upstream 5, local 4 → upstream's"},
		"hidden":     {"whose it is shows even where no value does", whole(".", "s.yaml", krm.ID{Kind: "Secret", Name: "s"}, Conflict{Field: "data.a", Base: word(hidden), Theirs: word(hidden), Ours: word(hidden), Chosen: word(hidden), Winner: LocalWon}), "s.yaml Secret s data.a: base (hidden), upstream (hidden), local (hidden) → local's"},
		"object":     {"an object is deleted, changed or added", whole(".", "web.yaml", web, Conflict{Base: word(present), Ours: word(changed), Chosen: word(chosenOurs), Winner: LocalWon}), "web.yaml Deployment shop/web: upstream deleted it, local changed it → local's"},
		"file":       {"so is a file", whole(".", "a.txt", krm.ID{}, Conflict{Theirs: word(added), Ours: word(added), Chosen: word(chosenOurs), Winner: LocalWon}), "a.txt: upstream added it, local added it → local's"},
		"no file":    {"a file of Git's that is not taken", whole(".", ".gitignore", krm.ID{}, Conflict{Theirs: word(added), Winner: LocalWon}), ".gitignore: upstream added it, local has none → local's"},
		"kept":       {"a Kptfile that goes upstream", whole(".", "Kptfile", krm.ID{}, Conflict{Base: word(present), Ours: word(present), Chosen: word(chosenOurs), Winner: LocalWon}), "Kptfile: upstream deleted it, local kept it → local's"},
		"subpackage": {"a subpackage is a folder", whole("sub/db", "sub/db", krm.ID{}, Conflict{Base: word(present), Theirs: word(changed), Winner: LocalWon}), "package sub/db: upstream changed it, local deleted it → local's"},
		"Kptfile":    {"a Kptfile is known by its file", whole("sub", "sub/Kptfile", krm.ID{Group: "kpt.dev", Kind: "Kptfile", Name: "x"}, Conflict{Field: "info.site", Theirs: word("a"), Ours: word("b"), Chosen: word("a"), Winner: UpstreamWon}), "sub/Kptfile info.site: base (none), upstream a, local b → upstream's"},
		"one line":   {"names may be anything", whole(".", "a.yaml", krm.ID{Kind: "A", Name: "x\n\x1b[31m"}, Conflict{Field: "a\u202eb", Theirs: word("1"), Ours: word("2")}), `a.yaml A x\n\x1b[31m a\u202eb: base (none), upstream 1, local 2 → undecided`},
		"no name":    {"nor must there be one", whole(".", "a.yaml", krm.ID{Kind: "A"}, Conflict{Field: "a", Theirs: word("1"), Ours: word("2")}), "a.yaml A a: base (none), upstream 1, local 2 → undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, c.in.String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// TestWinners: every conflict of a merge that prefers somebody says who won, the value that was chosen is
// the winner's, and who is preferred loses no field.
func TestWinners(t *testing.T) {
	won := map[Winner]int{}
	check := func(t *testing.T, base, theirs, ours pkgtree.Tree, s Strategy) {
		for _, prefer := range []Prefer{Upstream, Local, Fail} {
			r, err := Packages(base, theirs, ours, Options{Strategy: s, Prefer: prefer})
			if err != nil {
				continue
			}
			for _, c := range r.Conflicts {
				won[c.Winner]++
				if why := wrongWinner(c, prefer); why != "" {
					t.Errorf("prefer %s: %s: %s", prefer, why, line(c))
				}
			}
		}
	}
	for _, g := range goldens(t, "testdata") {
		t.Run(g.name(), func(t *testing.T) { check(t, g.base, g.theirs, g.ours, options(g).Strategy) })
	}
	for _, seed := range testenv.Seeds(t, 40) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			p := generate(t, seed, false)
			check(t, p.base, p.theirs, p.ours, ResourceMerge)
		})
	}
	for _, w := range []Winner{UpstreamWon, LocalWon, BothWon, ""} {
		if won[w] == 0 {
			t.Errorf("no case in which %q wins", w)
		}
	}
}

func wrongWinner(c Conflict, prefer Prefer) string {
	is := func(side *string, name string) bool {
		switch {
		case c.Chosen == nil:
			return side == nil || *side == "null"
		case c.Field == "":
			return *c.Chosen == name
		}
		return side != nil && *side == *c.Chosen
	}
	switch {
	case (c.Winner == "") != (prefer == Fail):
		return "somebody wins unless nobody is preferred"
	case c.Winner == UpstreamWon && !is(c.Theirs, chosenTheirs), c.Winner == LocalWon && !is(c.Ours, chosenOurs):
		return "what was chosen is the winner's"
	case c.Winner == BothWon && prefer == Local:
		return "with ours preferred, ours is kept as it is"
	case strings.HasSuffix(c.String(), "undecided") != (prefer == Fail):
		return "the line says so"
	}
	return ""
}
