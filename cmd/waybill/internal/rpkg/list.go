package rpkg

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// listRevisions lists the revisions of the repositories for which use returns true, by name; nil uses all.
func listRevisions(ctx context.Context, repos repositories, use func(repositoryKey) bool) ([]revision.Known, error) {
	var failed error
	out, err := eachRepository(ctx, repos, use, func(err error) bool { failed = err; return false })
	if err == nil {
		err = failed
	}
	return out, err
}

// listReadable lists the revisions of the readable repositories. It returns an error if one is unreadable; if several are,
// it prints why. The revisions are nil if no repository is readable.
func listReadable(ctx context.Context, repos repositories, stderr io.Writer) ([]revision.Known, error) {
	var errs []error
	out, err := eachRepository(ctx, repos, nil, func(err error) bool {
		errs = append(errs, err)
		return ctx.Err() == nil
	})
	if err != nil || len(errs) == 0 {
		return out, err
	}
	if len(errs) == 1 {
		return out, errs[0]
	}
	for _, err := range errs {
		fmt.Fprintf(stderr, "warning: %s\n", cli.Message(err))
	}
	return out, fmt.Errorf("%d repositories cannot be read", len(errs))
}

// eachRepository lists the revisions of repositories, by name. It calls without for an unreadable one, which says whether to
// go on. The revisions are nil if no repository is readable.
func eachRepository(
	ctx context.Context, repos repositories, use func(repositoryKey) bool, without func(error) bool,
) ([]revision.Known, error) {
	keys, err := repos.Keys(ctx)
	if err != nil {
		return nil, err
	}
	var out []revision.Known
	for _, key := range keys {
		if use != nil && !use(key) {
			continue
		}
		revs, err := knownRevisions(ctx, repos, key)
		switch {
		case err == nil && out == nil:
			out = revs
		case err == nil:
			out = append(out, revs...)
		case !without(err):
			return nil, nil
		}
	}
	slices.SortStableFunc(out, func(a, b revision.Known) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	})
	return out, nil
}

// knownRevisions lists the revisions of one repository.
func knownRevisions(ctx context.Context, repos repositories, key repositoryKey) (out []revision.Known, err error) {
	repo, err := repos.Repository(ctx, key.Namespace, key.Name)
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
