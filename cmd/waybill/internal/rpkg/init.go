package rpkg

import (
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

type initCommand struct {
	draftCommand
	repository string
	task       porch.InitTask
}

func newInitCommand() *cobra.Command {
	var c initCommand
	cmd := &cobra.Command{
		Use:   "init PACKAGE --repository REPOSITORY --workspace WORKSPACE",
		Short: "Make a draft of a new package with no objects",
		Long: `Init makes a draft of a new package: a Kptfile with the description, a README.md, and a package
context. The package must not exist. The draft is one commit, in one push.`,
		Example: `  waybill rpkg init shop -f fleet --repository blueprints --workspace first --description web`,
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.run(cmd, args[0]); err != nil {
				return fmt.Errorf("init %s: %w", args[0], err)
			}
			return nil
		},
	}
	c.add(cmd)
	c.addWorkspace(cmd, "", "name of the draft's workspace; required")
	flags := cmd.Flags()
	flags.StringVar(&c.repository, "repository", "", "name of the Repository of the package; required")
	flags.StringVar(&c.task.Description, "description", "", "what the package is, in a few words")
	flags.StringSliceVar(&c.task.Keywords, "keywords", nil, "words to find the package by; repeatable")
	flags.StringVar(&c.task.Site, "site", "", "address of a page about the package")
	return cmd
}

func (c *initCommand) run(cmd *cobra.Command, pkg string) error {
	if err := c.checkWorkspace(); err != nil {
		return err
	}
	s, err := c.begin(cmd, func(key repositoryKey) bool { return key.Name == c.repository })
	if err != nil {
		return err
	}
	in, namespace, err := s.target(cmd.Context(), c.repository)
	if err != nil {
		return err
	}
	tree, err := upstream.New(pkg, kptfilev1.PackageInfo{Description: c.task.Description, Keywords: c.task.Keywords, Site: c.task.Site})
	if err != nil {
		return err
	}
	return c.create(cmd, revision.Known{Namespace: namespace, Store: in.ForUsers}, revision.DraftRequest{
		New: true, Package: pkg, Workspace: c.workspace, Task: porch.Task{Type: porch.TaskInit, Init: &c.task}, Content: tree, Stamp: s.by,
	})
}
