package revision_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestAdopt has two owners adopt a published revision, one after the other: the newer record counts, and one that did not know the other is
// refused.
func TestAdopt(t *testing.T) {
	repo, store := newRepo(t, revision.Config{})
	rev, err := store.CreateDraft(ctx, initDraft(t, "eu/shop", "w1"))
	if err == nil {
		rev, err = store.Propose(ctx, rev)
	}
	if err == nil {
		rev, err = store.Approve(ctx, rev, revision.Stamp{})
	}
	if err != nil {
		t.Fatal(err)
	}
	labels := map[string]string{"team": "ran", "note": "two  words\u00a0and\na line", "kpt.dev/x": "Waybill-Owner: PackageVariant a/b"}
	adopt := func(rev revision.Revision, name string) error {
		return store.Adopt(ctx, []revision.Revision{rev}, revision.Adoption{
			Owner: revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: name}, Labels: labels,
			Trailers: revision.Trailers{{Key: revision.TrailerRepository, Value: "deployments"}},
		})
	}
	current := func(s *revision.Store) (found revision.Revision) {
		revs, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range revs {
			if r.Name == rev.Name && r.Revision > 0 {
				found = r
			}
		}
		return found
	}
	before := current(store)
	if err := adopt(before, "eu"); err != nil {
		t.Fatal(err)
	}
	var stale *gitrepo.StaleError
	if err := adopt(before, "us"); !errors.As(err, &stale) {
		t.Errorf("it was adopted meanwhile; got %v", err)
	}
	if err := adopt(before, "not/a/name"); err == nil {
		t.Error("an owner must be readable")
	}
	for _, name := range []string{"eu", "us"} {
		got := current(openStore(t, repo, revision.Config{}))
		if !got.Adopted || got.Owner.Name != name || got.Commit != rev.Commit || got.Target != rev.Target {
			t.Errorf("%s adopts it, and it stays; got %+v", name, got)
		}
		if diff := cmp.Diff(labels, got.Labels); diff != "" {
			t.Errorf("labels are as given (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(revision.Trailers{{Key: revision.TrailerRepository, Value: "deployments"}}, got.Trailers); diff != "" {
			t.Errorf("trailers say how it is owned (-want +got):\n%s", diff)
		}
		if name == "eu" {
			if err := adopt(current(store), "us"); err != nil {
				t.Fatal(err)
			}
		}
	}
}
