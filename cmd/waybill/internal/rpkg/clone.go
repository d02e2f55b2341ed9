package rpkg

import (
	"fmt"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

type cloneCommand struct {
	draftCommand
	repository, strategy, directory, ref, secret string
}

func newCloneCommand() *cobra.Command {
	var c cloneCommand
	cmd := &cobra.Command{
		Use:   "clone SOURCE PACKAGE --repository REPOSITORY",
		Short: "Make a draft of a new package from a published revision or from a URL",
		Long: `Clone makes a draft of a new package, which must not exist, with the files of SOURCE:

  a name   a published revision of a Repository in the same namespace
  a URL    a folder of any Git repository, REPO[.git]/DIR[@REF], or with --directory and --ref,
           which need no ".git"; or an artifact of a registry, oci://HOST/REPO:TAG

The Kptfile records where the files come from, so that 'waybill rpkg upgrade' can bring the
package to a newer revision. In a deployment repository the package gets a package context. The
functions of the package run. The draft is one commit, in one push, with the commit message that
Porch would write. A name and password in the URL are used and not stored.

With --strategy, the Kptfile records how upgrades merge.`,
		Example: `  waybill rpkg clone -f fleet blueprints.shop.v1 eu/shop --repository deployments --workspace first

  # from a repository that is no Repository object
  waybill rpkg clone -f fleet https://git.example.com/base.git/shop@v1 us/shop --repository prod`,
		Args: cli.Args(cobra.ExactArgs(2)),

		ValidArgsFunction: cli.CompleteFirst(c.repos.completeNames(porch.Published)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := c.run(cmd, args[0], args[1]); err != nil {
				return fmt.Errorf("clone %s: %w", gitrepo.Redact(args[0]), err)
			}
			return nil
		},
	}
	c.add(cmd)
	c.addWorkspace(cmd, "v1", "name of the draft's workspace")
	flags := cmd.Flags()
	flags.StringVar(&c.repository, "repository", "", "name of the Repository of the new package; required")
	flags.StringVar(&c.directory, "directory", "", "folder of the package in the repository of the URL")
	flags.StringVar(&c.ref, "ref", "", "tag, branch or commit in the repository of the URL (default: the default branch)")
	flags.StringVar(&c.secret, "secret-ref", "",
		"`NAME` of the Secret by which Porch logs in to the URL; waybill records it and uses Git's credentials")
	pkg.AddStrategy(cmd, &c.strategy, "", "how later upgrades merge; recorded in the Kptfile")
	return cmd
}

func (c *cloneCommand) run(cmd *cobra.Command, source, name string) error {
	if err := c.check(isURL(source)); err != nil {
		return err
	}
	s, err := c.begin(cmd, func(key repositoryKey) bool { return key.Name == c.repository || nameBegins(source)(key) })
	if err != nil {
		return err
	}
	in, namespace, err := s.target(cmd.Context(), c.repository)
	if err != nil {
		return err
	}
	from, task, err := c.source(cmd.Context(), s, source, namespace)
	if err != nil {
		return err
	}
	b := draft.NewByUser(name, s.functions, draft.ByUser{Strategy: kptfilev1.UpdateStrategyType(c.strategy)})
	b.Deployment = in.Deployment
	tree, err := b.Clone(cmd.Context(), from)
	if err != nil {
		return err
	}
	return c.create(cmd, revision.Known{Namespace: namespace, Store: in.ForUsers}, revision.DraftRequest{
		Package: name, Workspace: c.workspace, Task: task, Content: tree, Stamp: s.by,
	})
}

func (c *cloneCommand) check(remote bool) error {
	if err := pkg.CheckStrategy(c.strategy); err != nil {
		return err
	}
	for _, f := range []struct{ name, value string }{{"directory", c.directory}, {"ref", c.ref}, {"secret-ref", c.secret}} {
		if f.value != "" && !remote {
			return cli.Usagef("--%s is for a Git URL, and SOURCE is the name of a revision", f.name)
		}
	}
	return c.checkWorkspace()
}
