package revision_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/revision"
)

// TestTrailers checks that a published revision has the trailers of its draft: nothing else holds these values
// after the owner is deleted.
func TestTrailers(t *testing.T) {
	_, store := newRepo(t, revision.Config{})
	trailers := revision.Trailers{
		{Key: revision.TrailerSet, Value: "fleet/edge"},
		{Key: revision.TrailerExceedsBudget, Value: "two\nlines: kpt:{} and\tmore"},
	}
	want := revision.Trailers{trailers[0], {Key: revision.TrailerExceedsBudget, Value: "two lines: kpt:{} and more"}}
	req := initDraft(t, "eu/shop", "w1")
	req.Owner = revision.Owner{Kind: "PackageVariant", Namespace: "fleet", Name: "eu"}
	req.Trailers = trailers
	rev, err := store.CreateDraft(ctx, req)
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []func(context.Context, revision.Revision) (revision.Revision, error){
		func(_ context.Context, rev revision.Revision) (revision.Revision, error) { return rev, nil },
		store.Propose,
		func(ctx context.Context, rev revision.Revision) (revision.Revision, error) {
			return store.Approve(ctx, rev, revision.Stamp{})
		},
	} {
		if rev, err = step(ctx, rev); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, rev.Trailers); diff != "" {
			t.Errorf("%s (-want +got):\n%s", rev.Lifecycle, diff)
		}
	}
	if got := rev.Trailers.Get(revision.TrailerDeletionPolicy); got != "" || strings.Contains(rev.Trailers.Get(revision.TrailerSet), " ") {
		t.Errorf("a trailer that was not set: %q", got)
	}
}
