package rpkg

import (
	"cmp"
	"fmt"
	"slices"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

type upgradeCommand struct {
	draftCommand
	number               int
	strategy, onConflict string
	discover             string
}

func newUpgradeCommand() *cobra.Command {
	var u upgradeCommand
	cmd := &cobra.Command{
		Use:   "upgrade NAME --workspace WORKSPACE",
		Short: "Make a draft that brings a package to a newer upstream",
		Long: `Upgrade makes a draft of the same package: what changed from the upstream that the Kptfile records
to a newer revision of it (default: the latest), merged with the local edits, and rendered. The
draft is one commit, in one push. A Repository in the same namespace must show the upstream.

--strategy says how to merge (default: what the Kptfile says, or else resource-merge). Where both
sides changed something, upgrade writes nothing and names the conflicts; --on-conflict chooses a
side for all of them.

With --discover upstream, upgrade lists which newer revisions there are of the upstreams of the
named revisions (default: of the latest published ones); with --discover downstream, which
packages were made of older revisions of the named packages (default: of all). It changes nothing.`,
		Example: `  waybill rpkg upgrade -f fleet --discover upstream
  waybill rpkg upgrade -f fleet deployments.eu.shop.packagevariant-1 --workspace spring --revision 3`,
		Args: cli.Args(u.checkArgs),

		ValidArgsFunction: u.repos.completeNames(porch.Published),
		RunE: func(cmd *cobra.Command, args []string) error {
			if u.discover != "" {
				return u.runDiscover(cmd, args)
			}
			if err := u.run(cmd, args[0]); err != nil {
				return fmt.Errorf("upgrade %s: %w", args[0], err)
			}
			return nil
		},
	}
	u.add(cmd)
	u.addWorkspace(cmd, "", "name of the draft's workspace; required")
	cmd.Flags().IntVar(&u.number, "revision", 0, "number of the upstream revision (default: the latest)")
	pkg.AddStrategy(cmd, &u.strategy, "", "how to merge (default: the strategy in the Kptfile)")
	pkg.AddOnConflict(cmd, &u.onConflict, merge.Fail)
	cli.AddChoice(cmd, &u.discover, "discover", "", "", "list the updates that there are: %s", "upstream", "downstream")
	return cmd
}

func (u *upgradeCommand) checkArgs(cmd *cobra.Command, args []string) error {
	if u.discover == "" {
		return cobra.ExactArgs(1)(cmd, args)
	}
	return nil
}

func (u *upgradeCommand) run(cmd *cobra.Command, name string) error {
	if err := cmp.Or(u.checkWorkspace(), pkg.CheckStrategy(u.strategy)); err != nil {
		return err
	}
	if u.number < 0 {
		return cli.Usagef("--revision %d: want the number of a published revision", u.number)
	}
	s, err := u.begin(cmd, nil)
	if err != nil {
		return err
	}
	local, err := s.one(name, isRelease)
	if err == nil {
		err = checkRelease(local)
	}
	if err != nil {
		return s.explain(err)
	}
	up, err := revision.UpstreamOf(local, s.revisions)
	if err != nil {
		return s.explain(err)
	}
	to, err := u.choose(up)
	if err != nil {
		return err
	}
	return u.upgrade(cmd, s, local, up, to)
}

// choose is the revision to upgrade to.
func (u *upgradeCommand) choose(up revision.Upstream) (revision.Known, error) {
	of := up.Lock.Directory
	if u.number == 0 {
		newer := up.Newer()
		if len(newer) == 0 {
			return revision.Known{}, fmt.Errorf("there is no newer published revision of upstream package %q", of)
		}
		return newer[len(newer)-1], nil
	}
	i := slices.IndexFunc(up.Published, func(k revision.Known) bool { return k.Revision.Revision == u.number })
	if i < 0 {
		return revision.Known{}, fmt.Errorf("upstream package %q has no published revision %d", of, u.number)
	}
	if u.number == up.Number {
		return revision.Known{}, fmt.Errorf("it is made of revision %d of upstream package %q already", u.number, of)
	}
	return up.Published[i], nil
}

func (u *upgradeCommand) upgrade(cmd *cobra.Command, s session, local revision.Known, up revision.Upstream, to revision.Known) error {
	ours, err := local.Store.Content(local.Revision)
	if err != nil {
		return err
	}
	theirs, err := to.Store.Content(to.Revision)
	if err != nil {
		return err
	}
	base, at, err := up.Base(s.revisions)
	if err != nil {
		return err
	}
	repo, err := s.repos.open(cmd.Context(), local.Namespace, local.Repository)
	if err != nil {
		return err
	}
	b := draft.NewByUser(local.Package, s.functions, draft.ByUser{
		Strategy: kptfilev1.UpdateStrategyType(u.strategy), Prefer: merge.Prefer(u.onConflict)})
	b.Revision, b.Deployment = local.Name, repo.Deployment
	old := up.Name()
	tree, by, err := b.Upgrade(cmd.Context(), draft.Source{Name: old, Tree: base, Lock: up.Lock, From: at},
		draft.Source{Name: to.Name, Tree: theirs, Lock: to.SelfLock(), From: to.SelfLock()}, ours, true)
	if err != nil {
		return err
	}
	task := porch.Task{Type: porch.TaskUpgrade, Upgrade: &porch.UpgradeTask{
		OldUpstream: porch.PackageRevisionRef{Name: old}, NewUpstream: porch.PackageRevisionRef{Name: to.Name},
		LocalPackageRevision: porch.PackageRevisionRef{Name: local.Name},
		Strategy:             string(by),
	}}
	return u.create(cmd, local, revision.DraftRequest{
		Package: local.Package, Workspace: u.workspace, Task: task, Content: tree, Stamp: s.by,
	})
}
