package snapshot_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot/storetest"
)

// TestGitStore: a repository that real git serves does what a Store has to.
func TestGitStore(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "hello\n"})})
	open := func(t *testing.T) *revision.Store {
		t.Helper()
		repo, err := gitrepo.Open(t.Context(), dir, gitrepo.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := revision.New(repo, revision.Config{Name: storetest.Repository, Directory: storetest.Directory})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	person := func(do func(s *revision.Store, rev revision.Revision) error) func(t *testing.T, rev revision.Revision) {
		return func(t *testing.T, rev revision.Revision) {
			t.Helper()
			s := open(t)
			revs, err := s.List()
			if err != nil {
				t.Fatal(err)
			}
			for _, is := range revs {
				if is.Name == rev.Name {
					rev = is
				}
			}
			if err := do(s, rev); err != nil {
				t.Fatal(err)
			}
		}
	}
	storetest.Run(t, storetest.Env{
		Open: func(t *testing.T) snapshot.Store { return open(t) },
		Propose: person(func(s *revision.Store, rev revision.Revision) error {
			_, err := s.Propose(t.Context(), rev)
			return err
		}),
		Approve: person(func(s *revision.Store, rev revision.Revision) error {
			_, err := s.Approve(t.Context(), rev, revision.Stamp{})
			return err
		}),
		Edit: func(t *testing.T, rev revision.Revision, file, text string) {
			person(func(s *revision.Store, rev revision.Revision) error {
				tree, err := s.Content(rev)
				if err != nil {
					return err
				}
				if tree, err = tree.Apply(map[string][]byte{file: []byte(text)}); err == nil {
					_, err = s.UpdateDraft(t.Context(), rev, revision.Update{Content: tree})
				}
				return err
			})(t, rev)
		},
	})
}
