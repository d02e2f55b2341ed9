package local_test

import (
	"context"
	"slices"
	"testing"

	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// reserving are repositories in which the first two workspaces of each package are reserved.
type reserving struct{ snapshot.Repositories }

type reservingStore struct{ snapshot.Store }

func (reservingStore) Reserved(pkg string) []string {
	if pkg != "eu/shop" {
		return nil
	}
	return []string{"packagevariant-1", "packagevariant-2"}
}

func (r reserving) Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error) {
	repo, err := r.Repositories.Repository(ctx, namespace, name)
	if err != nil {
		return nil, err
	}
	with := *repo
	with.Store = reservingStore{repo.Store}
	return &with, nil
}

// TestReserved: a draft is not made in a workspace in which others may have work that the store does not list.
func TestReserved(t *testing.T) {
	f := newFleet(t)
	in, r := f.open(nil)
	r.Repositories = reserving{r.Repositories}
	want := []string{"eu created: deployments.eu.shop.packagevariant-3: cloned from blueprints.shop.v1"}
	if got := lines(all(in, r)); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
