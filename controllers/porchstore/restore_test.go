package porchstore_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/controllers/porchstore"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot/storetest"
)

// TestRestore: Porch forgets a draft, as when it sees a part of the branches, and finds it again without metadata. The store that made
// it gives the metadata back, whether or not it noticed meanwhile; a store that did not know the draft changes nothing.
func TestRestore(t *testing.T) {
	f := start(t)
	for pkg, noticed := range map[string]bool{"noticed": true, "unnoticed": false} {
		t.Run(pkg, func(t *testing.T) {
			s := f.open(t)
			made := f.draft(t, s, pkg)
			before := f.Await(t, "default", made.Name, "Draft").Object
			f.forget(t, made, func() {
				if noticed && listed(t, s)[made.Name].Name != "" {
					t.Error("the store has what Porch forgot")
				}
			})
			if now := listed(t, f.open(t))[made.Name]; now.Owner != (revision.Owner{}) {
				t.Fatalf("Porch is expected to lose the owner; another store has %+v", now)
			}
			restored := listed(t, s)[made.Name]
			for _, now := range []revision.Revision{restored, listed(t, f.open(t))[made.Name], listed(t, s)[made.Name]} {
				if now.Owner != made.Owner || now.Foreign || now.Trailers.Get(revision.TrailerSet) != "default/edge" {
					t.Errorf("the draft is not as it was made: %+v", now)
				}
				if now.Target != restored.Target {
					t.Errorf("what was restored is written again: %+v", now)
				}
			}
			after := f.Await(t, "default", made.Name, "Draft").Object
			if diff := cmp.Diff(before.GetAnnotations(), after.GetAnnotations()); diff != "" {
				t.Errorf("annotations (-before +after):\n%s", diff)
			}
			if diff := cmp.Diff(before.GetLabels(), after.GetLabels()); diff != "" {
				t.Errorf("labels (-before +after):\n%s", diff)
			}
		})
	}
}

func (f *fixture) draft(t *testing.T, s *porchstore.Store, pkg string) revision.Revision {
	t.Helper()
	content, err := pkgtree.New(map[string][]byte{"Kptfile": []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n")})
	if err != nil {
		t.Fatal(err)
	}
	rev, err := s.CreateDraft(t.Context(), revision.DraftRequest{Package: pkg, Workspace: "w1", Content: content,
		Owner: revision.Owner{Kind: "PackageVariant", Namespace: "default", Name: pkg}, Labels: map[string]string{"team": "ran"},
		Trailers: revision.Trailers{{Key: revision.TrailerSet, Value: "default/edge"}},
		Task:     porch.Task{Type: porch.TaskInit, Init: &porch.InitTask{Description: "a package"}}})
	if err != nil {
		t.Fatal(err)
	}
	return rev
}

// forget has Porch see the repository without a draft, and later with it again.
func (f *fixture) forget(t *testing.T, rev revision.Revision, meanwhile func()) {
	t.Helper()
	ref := "refs/heads/drafts/" + storetest.Directory + "/" + rev.Package + "/w1"
	commit := gittest.Git(t, f.dir, "rev-parse", ref)
	gittest.Git(t, f.dir, "update-ref", "-d", ref)
	f.AwaitGone(t, "default", rev.Name)
	meanwhile()
	gittest.Git(t, f.dir, "update-ref", ref, commit)
	f.Await(t, "default", rev.Name, "Draft")
}

// listed is what a store lists after a Refresh, by name.
func listed(t *testing.T, s *porchstore.Store) map[string]revision.Revision {
	t.Helper()
	if err := s.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	revs, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	byName := map[string]revision.Revision{}
	for _, rev := range revs {
		byName[rev.Name] = rev
	}
	return byName
}
