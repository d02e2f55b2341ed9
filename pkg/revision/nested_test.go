package revision_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestApproveNested approves drafts after packages above or below them were published.
func TestApproveNested(t *testing.T) {
	onMain := func(files ...string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			all := map[string]string{}
			for _, f := range files {
				all[f] = ""
			}
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(all)})
		}
	}
	for name, tc := range map[string]struct {
		reason string
		first  string // package that is published first, "" for none
		by     func(t *testing.T, dir string)
		then   string // package to publish then
		err    string
	}{
		"inside":       {reason: "a package above was published first", first: "net", then: "net/upf", err: `it would lie inside package "net"`},
		"above":        {reason: "a package below was published first", first: "net/upf", then: "net", err: `package "net/upf" lies inside it`},
		"far inside":   {reason: "a package far above was published first", first: "net", then: "net/a/b/upf", err: `it would lie inside package "net"`},
		"put on main":  {reason: "a user committed a package above to main after the last refresh", by: onMain("net/Kptfile"), then: "net/a/b", err: `it would lie inside package "net"`},
		"put below":    {reason: "a user committed a package below to main after the last refresh", by: onMain("net/upf/Kptfile"), then: "net", err: `package "net/upf" lies inside it`},
		"beside":       {reason: "names that begin alike are not nested", first: "net", then: "net-2/upf"},
		"folder":       {reason: "a folder without Kptfile is no package", by: onMain("net/README.md"), then: "net/upf"},
		"subpackage":   {reason: "a package inside the same package on main is a subpackage", by: onMain("net/Kptfile", "net/sub/Kptfile"), then: "net"},
		"next of same": {reason: "another revision of the same package", first: "net", then: "net"},
	} {
		t.Run(name, func(t *testing.T) {
			dir, s := newRepo(t, revision.Config{})
			blind := openStore(t, dir, revision.Config{}) // does not see the drafts of the other store
			if tc.first != "" {
				must(t)(s.Propose(ctx, must(t)(s.CreateDraft(ctx, initDraft(t, tc.first, "w1")))))
			}
			rev := must(t)(blind.Propose(ctx, must(t)(blind.CreateDraft(ctx, initDraft(t, tc.then, "w2")))))
			if err := s.Refresh(ctx); err != nil {
				t.Fatal(err)
			}
			both := []revision.Change{{Op: revision.OpApprove, Revision: rev}}
			if tc.first != "" {
				both = append([]revision.Change{{Op: revision.OpApprove, Revision: byWorkspace(t, s)["w1"]}}, both...)
				checkUnmoved(t, tc.err == "", dir, func() { checkNested(t, "at once: "+tc.reason, s, both, tc.err) })
			}
			if tc.err == "" && tc.first != "" {
				return // both in one push
			}
			if tc.first != "" {
				must(t)(s.Approve(ctx, both[0].Revision, later(3)))
			}
			if tc.by != nil {
				tc.by(t, dir)
			}
			checkUnmoved(t, tc.err == "", dir, func() { checkNested(t, tc.reason, s, both[len(both)-1:], tc.err) })
		})
	}
}

func checkNested(t *testing.T, reason string, s *revision.Store, changes []revision.Change, want string) {
	t.Helper()
	_, err := s.ChangeAll(ctx, changes, later(4))
	var refused *revision.RefusedError
	if want == "" && err != nil || want != "" && (!errors.As(err, &refused) || !strings.Contains(err.Error(), want)) {
		t.Errorf("%s: got %v, want %q", reason, err, want)
	}
}

// checkUnmoved runs f, which must not move a ref unless may is set.
func checkUnmoved(t *testing.T, may bool, dir string, f func()) {
	t.Helper()
	if may {
		f()
		gittest.Fsck(t, dir)
		return
	}
	unchanged(t, "a refused approval", dir, f)
}
