// Package rpkg has the command `waybill rpkg`, which lists package revisions and moves them through their lifecycle.
package rpkg

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// NewCommand returns `waybill rpkg`.
func NewCommand() *cobra.Command {
	return cli.NewGroup("rpkg", "List package revisions in Git, and make, change and publish them",
		newGetCommand(), newInitCommand(), newCloneCommand(), newCopyCommand(), newPullCommand(), newPushCommand(), newUpgradeCommand(),
		newDiffCommand(), newProposeCommand(), newApproveCommand(), newRejectCommand(), newProposeDeleteCommand(), newDelCommand())
}

// nameBegins reports whether one of the names may be that of a revision in a repository. Others need not be opened.
func nameBegins(names ...string) func(repositoryKey) bool {
	return func(key repositoryKey) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return strings.HasPrefix(name, key.Name+".") || strings.HasPrefix(name, key.String()+".")
		})
	}
}

// ambiguousError says that several revisions have a name.
type ambiguousError struct {
	name string
	revs []revision.Known
}

func (e *ambiguousError) Error() string {
	advice := "use NAMESPACE/NAME, or name fewer files"
	if sameRepository(e.revs) { // a draft may have the workspace of a published revision
		var kinds []string
		for _, r := range e.revs {
			kinds = append(kinds, string(r.Lifecycle))
		}
		advice = "choose one by --lifecycle: " + strings.Join(kinds, " or ")
	}
	return fmt.Sprintf("there are %d package revisions %q; %s", len(e.revs), e.name, advice)
}

func sameRepository(revs []revision.Known) bool {
	return !slices.ContainsFunc(revs, func(r revision.Known) bool { return r.Store != revs[0].Store })
}

// pickNamed picks revisions by NAME or NAMESPACE/NAME.
func pickNamed(revs []revision.Known, names []string) ([]revision.Known, error) {
	chosen := make([]bool, len(revs))
	for _, name := range names {
		var found []revision.Known
		for i, r := range revs {
			if r.Name == name || r.Namespace+"/"+r.Name == name {
				chosen[i] = true
				found = append(found, r)
			}
		}
		switch {
		case len(found) == 0:
			return nil, fmt.Errorf("there is no package revision %q; 'waybill rpkg get' lists them", name)
		case len(found) > 1:
			return nil, &ambiguousError{name, found}
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
