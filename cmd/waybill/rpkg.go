package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/revision"
)

func newRpkgCommand() *cobra.Command {
	return group("rpkg", "Package revisions in Git: list them and move them through their life",
		newRpkgGetCommand(), newRpkgPullCommand(), newRpkgProposeCommand(), newRpkgApproveCommand(), newRpkgRejectCommand(),
		newRpkgProposeDeleteCommand(), newRpkgDelCommand())
}

// listRevisions lists the revisions of the repositories that use wants, all if it is nil, by name.
func listRevisions(ctx context.Context, repos repositories, use func(repositoryKey) bool) ([]revision.Known, error) {
	keys, err := repos.Keys(ctx)
	if err != nil {
		return nil, err
	}
	var out []revision.Known
	for _, key := range keys {
		if use != nil && !use(key) {
			continue
		}
		repo, err := repos.Repository(ctx, key.Namespace, key.Name)
		if err != nil {
			return nil, err
		}
		revs, err := repo.Store.List()
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", key, err)
		}
		for _, r := range revs {
			out = append(out, revision.Known{Revision: r, Namespace: key.Namespace, Store: repo.Store, URL: repo.URL})
		}
	}
	slices.SortStableFunc(out, func(a, b revision.Known) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	})
	return out, nil
}

// namedRevisions are the revisions of these names, in their order by name. A name that fits no revision,
// or several, is an error. Only the repositories that the names begin with are opened.
func namedRevisions(ctx context.Context, repos repositories, names []string) ([]revision.Known, error) {
	revs, err := listRevisions(ctx, repos, func(key repositoryKey) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return strings.HasPrefix(name, key.Name+".") || strings.HasPrefix(name, key.String()+".")
		})
	})
	if err != nil {
		return nil, err
	}
	return pickNamed(revs, names)
}

// pickNamed picks revisions by name, NAME or NAMESPACE/NAME.
func pickNamed(revs []revision.Known, names []string) ([]revision.Known, error) {
	chosen := make([]bool, len(revs))
	for _, name := range names {
		n := 0
		for i, r := range revs {
			if r.Name == name || r.Namespace+"/"+r.Name == name {
				chosen[i] = true
				n++
			}
		}
		switch {
		case n == 0:
			return nil, fmt.Errorf("there is no package revision %q; 'waybill rpkg get' lists them", name)
		case n > 1:
			return nil, fmt.Errorf("package revision %q is there %d times; say NAMESPACE/NAME, or leave files out", name, n)
		}
	}
	var out []revision.Known
	for i, r := range revs {
		if chosen[i] {
			out = append(out, r)
		}
	}
	return out, nil
}
