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

// listRevisions lists the revisions of the repositories that use wants, all if it is nil, by name.
func listRevisions(ctx context.Context, repos repositories, use func(repositoryKey) bool) ([]revision.Known, error) {
	var failed error
	out, err := eachRepository(ctx, repos, use, func(err error) bool { failed = err; return false })
	if err == nil {
		err = failed
	}
	return out, err
}

// listReadable lists the revisions of those repositories that can be read. An error says that some cannot:
// of one alone why, of several how many; stderr is told then why of each. Without revisions there is
// nothing that can be read.
func listReadable(ctx context.Context, repos repositories, stderr io.Writer) ([]revision.Known, error) {
	var troubles []error
	out, err := eachRepository(ctx, repos, nil, func(err error) bool {
		troubles = append(troubles, err)
		return ctx.Err() == nil
	})
	if err != nil || len(troubles) == 0 {
		return out, err
	}
	if len(troubles) == 1 {
		return out, troubles[0]
	}
	for _, trouble := range troubles {
		fmt.Fprintf(stderr, "warning: %s\n", cli.Message(trouble))
	}
	return out, fmt.Errorf("%d repositories cannot be read", len(troubles))
}

// eachRepository lists the revisions of repositories, by name. Of one that cannot be read it asks whether to go
// on without. The revisions are nil when no repository can be read.
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
	out = []revision.Known{} // one without revisions can be read, too
	for _, r := range revs {
		out = append(out, revision.Known{Revision: r, Namespace: key.Namespace, Store: repo.Store, URL: repo.URL})
	}
	return out, nil
}
