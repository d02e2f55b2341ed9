package merge

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestConflictString(t *testing.T) {
	web := krm.ID{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web"}
	replicas := func(c object.Conflict) object.Conflict {
		c.Package, c.File, c.Object, c.Field = ".", "web.yaml", web, "spec.replicas"
		return c
	}
	whole := func(pkg, file string, id krm.ID, c object.Conflict) object.Conflict {
		c.Package, c.File, c.Object = pkg, file, id
		return c
	}
	for name, c := range map[string]struct {
		reason string
		in     object.Conflict
		want   string
	}{
		"field":      {"it says what each has, and whose stays", replicas(object.Conflict{Base: object.ValueOf("3"), Theirs: object.ValueOf("5"), Ours: object.ValueOf("4"), Chosen: object.ValueOf("5"), Winner: object.UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → upstream's"},
		"local":      {"or is ours", replicas(object.Conflict{Base: object.ValueOf("3"), Theirs: object.ValueOf("5"), Ours: object.ValueOf("4"), Chosen: object.ValueOf("4"), Winner: object.LocalWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → local's"},
		"both":       {"what both made is shown", replicas(object.Conflict{Base: object.ValueOf("{a: 1, b: 1}"), Ours: object.ValueOf("{a: 1, b: 2}"), Chosen: object.ValueOf("{b: 2}"), Winner: object.BothWon}), "web.yaml Deployment shop/web spec.replicas: base {a: 1, b: 1}, upstream (none), local {a: 1, b: 2} → both: {b: 2}"},
		"undecided":  {"no side was preferred", replicas(object.Conflict{Base: object.ValueOf("3"), Theirs: object.ValueOf("5"), Ours: object.ValueOf("4")}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream 5, local 4 → undecided"},
		"dropped":    {"upstream dropped a field, and that it is gone is told from that nothing was decided", replicas(object.Conflict{Base: object.ValueOf("3"), Ours: object.ValueOf("4"), Winner: object.UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base 3, upstream (none), local 4 → upstream's"},
		"added":      {"there was none before", replicas(object.Conflict{Theirs: object.ValueOf("5"), Ours: object.ValueOf("4"), Chosen: object.ValueOf("5"), Winner: object.UpstreamWon}), "web.yaml Deployment shop/web spec.replicas: base (none), upstream 5, local 4 → upstream's"},
		"hidden":     {"whose it is shows even where no value does", whole(".", "s.yaml", krm.ID{Kind: "Secret", Name: "s"}, object.Conflict{Field: "data.a", Base: object.ValueOf(object.Hidden), Theirs: object.ValueOf(object.Hidden), Ours: object.ValueOf(object.Hidden), Chosen: object.ValueOf(object.Hidden), Winner: object.LocalWon}), "s.yaml Secret s data.a: base (hidden), upstream (hidden), local (hidden) → local's"},
		"object":     {"an object is deleted, changed or added", whole(".", "web.yaml", web, object.Conflict{Base: object.ValueOf(object.Present), Ours: object.ValueOf(object.Changed), Chosen: object.ValueOf(object.ChosenOurs), Winner: object.LocalWon}), "web.yaml Deployment shop/web: upstream deleted it, local changed it → local's"},
		"file":       {"so is a file", whole(".", "a.txt", krm.ID{}, object.Conflict{Theirs: object.ValueOf(object.Added), Ours: object.ValueOf(object.Added), Chosen: object.ValueOf(object.ChosenOurs), Winner: object.LocalWon}), "a.txt: upstream added it, local added it → local's"},
		"no file":    {"a file of Git's that is not taken", whole(".", ".gitignore", krm.ID{}, object.Conflict{Theirs: object.ValueOf(object.Added), Winner: object.LocalWon}), ".gitignore: upstream added it, local has none → local's"},
		"kept":       {"a Kptfile that goes upstream", whole(".", "Kptfile", krm.ID{}, object.Conflict{Base: object.ValueOf(object.Present), Ours: object.ValueOf(object.Present), Chosen: object.ValueOf(object.ChosenOurs), Winner: object.LocalWon}), "Kptfile: upstream deleted it, local kept it → local's"},
		"subpackage": {"a subpackage is a folder", whole("sub/db", "sub/db", krm.ID{}, object.Conflict{Base: object.ValueOf(object.Present), Theirs: object.ValueOf(object.Changed), Winner: object.LocalWon}), "package sub/db: upstream changed it, local deleted it → local's"},
		"Kptfile":    {"a Kptfile is known by its file", whole("sub", "sub/Kptfile", krm.ID{Group: "kpt.dev", Kind: "Kptfile", Name: "x"}, object.Conflict{Field: "info.site", Theirs: object.ValueOf("a"), Ours: object.ValueOf("b"), Chosen: object.ValueOf("a"), Winner: object.UpstreamWon}), "sub/Kptfile info.site: base (none), upstream a, local b → upstream's"},
		"one line":   {"names may be anything", whole(".", "a.yaml", krm.ID{Kind: "A", Name: "x\n\x1b[31m"}, object.Conflict{Field: "a\u202eb", Theirs: object.ValueOf("1"), Ours: object.ValueOf("2")}), `a.yaml A x\n\x1b[31m a\u202eb: base (none), upstream 1, local 2 → undecided`},
		"no name":    {"nor must there be one", whole(".", "a.yaml", krm.ID{Kind: "A"}, object.Conflict{Field: "a", Theirs: object.ValueOf("1"), Ours: object.ValueOf("2")}), "a.yaml A a: base (none), upstream 1, local 2 → undecided"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, c.in.String()); d != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, d)
			}
		})
	}
}

// TestWinners: every conflict of a merge that prefers a side names the winner, the value that was chosen is
// the winner's, and who is preferred loses no field.
func TestWinners(t *testing.T) {
	won := map[object.Winner]int{}
	check := func(t *testing.T, base, theirs, ours pkgtree.Tree, s Strategy) {
		for _, prefer := range []object.Prefer{object.Upstream, object.Local, object.Fail} {
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
	for _, g := range mergetest.Goldens(t, "testdata") {
		t.Run(g.Name(), func(t *testing.T) { check(t, g.Base, g.Theirs, g.Ours, options(g).Strategy) })
	}
	for _, seed := range testenv.Seeds(t, 40) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			p := mergetest.Generate(t, seed, false)
			check(t, p.Base, p.Theirs, p.Ours, ResourceMerge)
		})
	}
	for _, w := range []object.Winner{object.UpstreamWon, object.LocalWon, object.BothWon, ""} {
		if won[w] == 0 {
			t.Errorf("no case in which %q wins", w)
		}
	}
}

func wrongWinner(c object.Conflict, prefer object.Prefer) string {
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
	case (c.Winner == "") != (prefer == object.Fail):
		return "one side wins unless none is preferred"
	case c.Winner == object.UpstreamWon && !is(c.Theirs, object.ChosenTheirs), c.Winner == object.LocalWon && !is(c.Ours, object.ChosenOurs):
		return "what was chosen is the winner's"
	case c.Winner == object.BothWon && prefer == object.Local:
		return "with ours preferred, ours is kept as it is"
	case strings.HasSuffix(c.String(), "undecided") != (prefer == object.Fail):
		return "the line says so"
	}
	return ""
}
