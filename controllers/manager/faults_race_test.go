package manager_test

import (
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestRaces has another client write to the deployments during a push of the controller: after
// it has read the refs, and before they move. In the local fleet the two do not meet.
func TestRaces(t *testing.T) {
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\n"
	const branch = "drafts/eu/shop/packagevariant-1"
	nothing := func(*fleet) {}
	change := func(f *fleet) { f.put("eu", f.variant("eu")+"  packageContext:\n    data:\n      region: emea\n") }
	cases := map[string]struct {
		reason string
		begins bool // with drafts
		change func(*fleet)
		rival  func(*fleet, string)
		states string
		kept   [2]string // what he wrote: a ref and a file
	}{
		"main": {
			"an approval of something else", false, nothing,
			func(f *fleet, dir string) {
				if dir == f.local.dir { // a draft stays on the main branch that it began on
					f.local.reconcile()
				}
				f.commit(dir, "main", "notes.txt", "hello")
			},
			drafted("eu", "fr"), [2]string{"main", "notes.txt"},
		},
		"same draft": {
			"a draft of the same name is his, and others are not held up", false, nothing,
			func(f *fleet, dir string) { f.commit(dir, branch, "eu/shop/Kptfile", kptfile) },
			"eu; Stalled False Valid: all validation checks passed; Ready False Error: downstream package \"eu/shop\" exists already in repo \"deployments\" " +
				"(revision \"" + first + "\"): spec.adoptionPolicy \"adoptExisting\" takes it over\n" + drafted("fr"),
			[2]string{branch, "eu/shop/Kptfile"},
		},
		"edit": {
			"an edit of the draft that is being updated", true, change,
			func(f *fleet, dir string) { f.commit(dir, branch, "eu/shop/notes.txt", "mine") },
			drafted("eu", "fr"), [2]string{branch, "eu/shop/notes.txt"},
		},
		"approval": {
			"an approval of the draft that is being updated: what is wanted goes into the next", true, change,
			func(f *fleet, dir string) { f.approve(dir, first) },
			well("eu", second) + "\n" + drafted("fr"), [2]string{"eu/shop/v1", "eu/shop/app.yaml"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var rival atomic.Pointer[func()]
			f := newFleet(t, []string{"eu", "fr"}, gittest.BeforeReceive(func() {
				if now := rival.Swap(nil); now != nil {
					(*now)()
				}
			}))
			if tc.begins {
				f.launch(setup{}).settledOnce(drafted("eu", "fr"))
			}
			now := func() { tc.rival(f, f.dirs["deployments"]) }
			rival.Store(&now)
			tc.rival(f, f.local.dir)
			tc.change(f)
			p := f.launch(setup{})
			f.await(tc.reason, "true", func() string { return fmt.Sprint(rival.Load() == nil) })
			f.settled(p, tc.states)
			if f.show(tc.kept[0], tc.kept[1]) == "" {
				t.Errorf("%s: %s is lost from %s", tc.reason, tc.kept[1], tc.kept[0])
			}
		})
	}
}

// settledOnce waits until there is what files give, and ends the controller.
func (p *process) settledOnce(states string) {
	p.Helper()
	p.await("it begins well", p.local.reconcile(), p.allRefs)
	p.await("and is known to", states, p.states)
	p.end()
}

// commit puts a file onto a branch of a repository.
func (f *fleet) commit(dir, branch, file, text string) {
	gittest.Commit(f, dir, gittest.Change{Branch: branch, Files: gittest.Files(map[string]string{file: text})})
}

// approve publishes a draft of a repository as a user at a command line does.
func (f *fleet) approve(dir, name string) {
	repo, err := gitrepo.Open(f.Context(), dir, gitrepo.Options{})
	if err != nil {
		f.Error(err)
		return
	}
	store, err := revision.New(repo, revision.Config{Name: "deployments"})
	if err != nil {
		f.Error(err)
		return
	}
	revisions, err := store.List()
	for _, rev := range revisions {
		if rev.Name != name {
			continue
		}
		if rev, err = store.Propose(f.Context(), rev); err == nil {
			_, err = store.Approve(f.Context(), rev, revision.Stamp{})
		}
	}
	if err != nil {
		f.Error(err)
	}
}
