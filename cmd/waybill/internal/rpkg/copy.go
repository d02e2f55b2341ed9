package rpkg

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newCopyCommand() *cobra.Command {
	var d draftCommand
	cmd := &cobra.Command{
		Use:     "copy NAME --workspace WORKSPACE",
		Aliases: []string{"edit"},
		Short:   "Make a draft that continues a published revision",
		Long: `Copy makes a draft of the same package with the files of a published revision, rendered. To change
the files, use 'waybill rpkg pull' and 'waybill rpkg push'. The draft is one commit, in one push.`,
		Example: `  waybill rpkg copy -f fleet deployments.eu.shop.packagevariant-1 --workspace prices`,
		Args:    cli.Args(cobra.ExactArgs(1)),

		ValidArgsFunction: d.repos.completeNames(porch.Published),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := runCopy(cmd, &d, args[0]); err != nil {
				return fmt.Errorf("copy %s: %w", args[0], err)
			}
			return nil
		},
	}
	d.add(cmd)
	d.addWorkspace(cmd, "", "name of the draft's workspace; required")
	return cmd
}

func runCopy(cmd *cobra.Command, d *draftCommand, name string) error {
	if err := d.checkWorkspace(); err != nil {
		return err
	}
	s, err := d.begin(cmd, nameBegins(name))
	if err != nil {
		return err
	}
	from, err := s.one(name, isRelease)
	if err != nil {
		return err
	}
	if err := checkRelease(from); err != nil {
		return err
	}
	tree, err := from.Store.Content(from.Revision)
	if err == nil {
		tree, err = renderWith(cmd.Context(), s.functions, tree)
	}
	if err != nil {
		return err
	}
	task := porch.Task{Type: porch.TaskEdit, Edit: &porch.EditTask{Source: &porch.PackageRevisionRef{Name: from.Name}}}
	return d.create(cmd, from, revision.DraftRequest{
		Package: from.Package, Workspace: d.workspace, Task: task, Content: tree, Stamp: s.by,
	})
}

// isRelease reports whether a revision is published under a number.
func isRelease(r revision.Known) bool { return r.Lifecycle.IsPublished() && r.Revision.Revision > 0 }

// checkRelease refuses what is not: a draft may be deleted, and the main branch moves.
func checkRelease(r revision.Known) error {
	switch {
	case isRelease(r):
		return nil
	case r.Lifecycle.IsPublished():
		return fmt.Errorf("it is the content of a branch, and has no number: use a numbered revision of %s", r.Package)
	}
	return fmt.Errorf("it is %s, and not published: approve it first", r.Lifecycle)
}
