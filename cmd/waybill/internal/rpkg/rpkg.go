// Package rpkg has the command `waybill rpkg`, which lists package revisions and moves them through their lifecycle.
package rpkg

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// NewCommand returns `waybill rpkg`.
func NewCommand() *cobra.Command {
	return cli.NewGroup("rpkg", "Package revisions in Git: list them and move them through their life",
		newGetCommand(), newPullCommand(), newProposeCommand(), newApproveCommand(), newRejectCommand(),
		newProposeDeleteCommand(), newDelCommand())
}

// namedRevisions returns the revisions of these names, sorted by name. A name of no revision, or of several, is an error.
// Only repositories that a name begins with are opened.
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

// pickNamed picks revisions by NAME or NAMESPACE/NAME.
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
