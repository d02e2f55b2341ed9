package rpkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// listRevisions lists the revisions of the repositories for which use returns true, by name; nil uses all.
func listRevisions(ctx context.Context, repos repositories, use func(repositoryKey) bool) ([]revision.Known, error) {
	out, errs := listEach(ctx, repos, use, true)
	return out, errors.Join(errs...)
}

// listReadable lists the revisions of the readable repositories. It returns an error if one is unreadable; if several are,
// it prints why. The revisions are nil if no repository is readable.
func listReadable(ctx context.Context, repos repositories, stderr io.Writer) ([]revision.Known, error) {
	out, errs := listEach(ctx, repos, nil, false)
	if len(errs) < 2 {
		return out, errors.Join(errs...)
	}
	for _, err := range errs {
		fmt.Fprintf(stderr, "warning: %s\n", cli.Message(err))
	}
	return out, fmt.Errorf("%d repositories cannot be read", len(errs))
}

// listEach lists the revisions of repositories, by name, and why others are unreadable. The revisions are nil if no
// repository is readable, or if one is not and all are needed.
func listEach(ctx context.Context, repos repositories, use func(repositoryKey) bool, all bool) (out []revision.Known, errs []error) {
	for _, key := range repos.keys {
		if use != nil && !use(key) {
			continue
		}
		revs, err := knownRevisions(ctx, repos, key)
		switch {
		case err == nil && out == nil:
			out = revs
		case err == nil:
			out = append(out, revs...)
		default:
			if errs = append(errs, err); all || ctx.Err() != nil {
				return nil, errs
			}
		}
	}
	slices.SortStableFunc(out, func(a, b revision.Known) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	})
	return out, errs
}

func knownRevisions(ctx context.Context, repos repositories, key repositoryKey) (out []revision.Known, err error) {
	repo, err := repos.open(ctx, key.Namespace, key.Name)
	if err != nil {
		return nil, err
	}
	revs, err := repo.Store.List()
	if err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, err)
	}
	out = []revision.Known{} // not nil: an empty repository is readable
	for _, r := range revs {
		out = append(out, revision.Known{Revision: r, Namespace: key.Namespace, Store: repo.Store, URL: repo.URL})
	}
	return out, nil
}
