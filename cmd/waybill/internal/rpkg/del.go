package rpkg

import (
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newProposeDeleteCommand() *cobra.Command {
	return newLifecycleCommand(lifecycleCommand{
		verb: "propose-delete", short: "Propose published revisions for deletion",
		step: sameStep(revision.OpProposeDeletion, "proposed for deletion"),
		long: `Propose-delete asks for the deletion of published revisions. They stay in use until 'waybill rpkg
del' deletes them; 'waybill rpkg reject' cancels the proposal.`,
	})
}

func newDelCommand() *cobra.Command {
	return newLifecycleCommand(lifecycleCommand{
		verb: "del", aliases: []string{"delete"}, short: "Delete drafts, proposals, and revisions proposed for deletion",
		long: `Del deletes the branches of drafts and proposals with all their commits, and the tags of revisions
whose deletion is proposed; the main branch keeps their content. For revision -1, the content of the
main branch, it removes that content.

Del refuses to delete the upstream of another revision in these repositories, which could not be
updated any more.`,
		step: sameStep(revision.OpDelete, "deleted"), check: checkDeletion,
	})
}

// checkDeletion refuses to delete published revisions, and revisions that others have as their upstream. Revisions deleted
// in the same push do not count as others.
func checkDeletion(chosen []revision.Known, others func() ([]revision.Known, error)) error {
	for _, r := range chosen {
		if r.Lifecycle == porch.Published {
			return fmt.Errorf("del %s: it is published: propose its deletion by 'waybill rpkg propose-delete', then delete it", r.Name)
		}
	}
	all, err := others()
	if err != nil {
		return err
	}
	for _, r := range chosen {
		remaining := slices.DeleteFunc(slices.Clone(all), func(o revision.Known) bool {
			return slices.ContainsFunc(chosen, func(c revision.Known) bool { return c.Store == r.Store && c.Store == o.Store && c.Name == o.Name })
		})
		if by, used := revision.Dependent(r, remaining); used {
			return fmt.Errorf("del %s: it is the upstream of %s/%s: delete or upgrade that one first", r.Name, by.Namespace, by.Name)
		}
	}
	return nil
}
