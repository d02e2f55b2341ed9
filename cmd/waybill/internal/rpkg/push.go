package rpkg

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

type pushCommand struct {
	draftCommand
	at string
}

func newPushCommand() *cobra.Command {
	var p pushCommand
	cmd := &cobra.Command{
		Use:     "push NAME DIR|-",
		Aliases: []string{"sink", "write"},
		Short:   "Replace the files of a draft by those of a folder",
		Long: `Push renders the package in DIR and adds a commit with its files to a draft. Files that DIR does
not have are deleted. DIR comes from 'waybill rpkg pull'; push refuses it if the draft has another
commit by now, so that no work of others is lost. --at names the commit for a folder of another
origin. The rendered files go to Git; DIR stays as it is.

With DIR -, push reads a ResourceList from stdin, as 'waybill rpkg pull NAME -' prints it and
'waybill fn eval -' changes it. Its objects replace those of the draft; files that hold no objects
stay, and so does the text of objects that are the same. --at is needed then.`,
		Example: `  waybill rpkg pull -f fleet deployments.eu.shop.prices
  waybill rpkg push -f fleet deployments.eu.shop.prices shop

  # without a folder; AT is the commit of 'waybill rpkg get NAME -o wide'
  waybill rpkg pull -f fleet deployments.eu.shop.prices - |
    waybill fn eval -i set-labels - -- tier=web |
    waybill rpkg push -f fleet deployments.eu.shop.prices - --at $AT`,
		Args: cli.Args(cobra.ExactArgs(2)),

		ValidArgsFunction: cli.CompleteFirst(p.repos.completeNames(porch.Draft), cli.CompleteFolders),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.run(cmd, args[0], args[1]); err != nil {
				return fmt.Errorf("push %s: %w", args[0], err)
			}
			return nil
		},
	}
	p.add(cmd)
	cmd.Flags().StringVar(&p.at, "at", "", "the `COMMIT` of the draft that DIR was made from, in full (default: that of the pull)")
	return cmd
}

func (p *pushCommand) run(cmd *cobra.Command, name, dir string) error {
	if dir == "-" {
		return p.runStdin(cmd, name)
	}
	if err := cli.FinishWrites(cmd.ErrOrStderr(), dir); err != nil {
		return err
	}
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		return err
	}
	s, to, err := p.find(cmd, name)
	if err != nil {
		return err
	}
	if err := p.check(to, tree, dir); err != nil {
		return err
	}
	return p.push(cmd, s, to, tree, dir)
}

// find finds the draft of a name.
func (p *pushCommand) find(cmd *cobra.Command, name string) (s session, to revision.Known, err error) {
	if s, err = p.begin(cmd, nameBegins(name)); err != nil {
		return s, to, err
	}
	to, err = s.one(name, func(r revision.Known) bool { return !r.Lifecycle.IsPublished() })
	return s, to, err
}

// check refuses what cannot be pushed to the draft, or would undo the work of others.
func (p *pushCommand) check(to revision.Known, tree pkgtree.Tree, dir string) error {
	if to.Lifecycle != porch.Draft {
		return fmt.Errorf("it is %s, and only drafts can be changed", to.Lifecycle)
	}
	from, err := originOf(tree)
	switch {
	case err != nil:
		return err
	case p.at != "":
		from = origin{Name: to.Name, Namespace: to.Namespace, Commit: p.at}
	case from.Commit == "":
		return fmt.Errorf("folder %q was not pulled from a draft: it has no file %s; pull the draft, or name the commit by --at",
			dir, originFile)
	case from.Name != to.Name || from.Namespace != to.Namespace:
		return fmt.Errorf("folder %q was pulled from %s", dir, cli.Qualified(from.Namespace, from.Name))
	}
	if from.Commit != to.Commit.String() {
		return fmt.Errorf("the draft moved from commit %.12s to %.12s since it was pulled: pull it to another folder, "+
			"and merge your changes into that", from.Commit, to.Commit)
	}
	return nil
}

func (p *pushCommand) push(cmd *cobra.Command, s session, to revision.Known, local pkgtree.Tree, dir string) error {
	tree, err := withoutOrigin(local)
	if err == nil {
		tree, err = renderWith(cmd.Context(), s.functions, tree)
	}
	if err != nil {
		return err
	}
	rev, err := to.Store.UpdateDraft(cmd.Context(), to.Revision, revision.Update{Content: tree, Stamp: s.by})
	if err != nil {
		return err
	}
	done, now := "pushed", revision.Known{Revision: rev, Namespace: to.Namespace}
	switch {
	case rev.Commit == to.Commit:
		done = "unchanged"
	case dir != "-":
		if err := noteOrigin(dir, local, now); err != nil {
			return fmt.Errorf("the draft was changed, and %s was not updated: %w", originFile, err)
		}
	}
	warnOfFailure(cmd.ErrOrStderr(), to.Name, draft.RenderFailure(tree))
	return p.print(cmd, now, done)
}

// runStdin pushes the objects of a ResourceList on stdin.
func (p *pushCommand) runStdin(cmd *cobra.Command, name string) error {
	switch {
	case slices.Contains(p.repos.files, "-"):
		return cli.Usagef("stdin cannot hold both the objects of --filename and the package")
	case p.at == "":
		return cli.Usagef("name the commit that was pulled by --at: a list on stdin does not have it")
	}
	data, err := io.ReadAll(io.LimitReader(cli.ContextReader(cmd.Context(), cmd.InOrStdin()), int64(krm.DefaultLimits.Bytes)+1))
	if err != nil {
		return err
	}
	s, to, err := p.find(cmd, name)
	if err != nil {
		return err
	}
	if err := p.check(to, pkgtree.Tree{}, "-"); err != nil {
		return err
	}
	tree, err := to.Store.Content(to.Revision)
	if err == nil {
		tree, err = withObjects(tree, data)
	}
	if err != nil {
		return err
	}
	return p.push(cmd, s, to, tree, "-")
}

// withObjects is a package whose objects are those of a ResourceList. Files of which the list says the same stay as they are.
func withObjects(tree pkgtree.Tree, list []byte) (pkgtree.Tree, error) {
	now, err := filesOf("stdin", list)
	if err != nil {
		return tree, err
	}
	var pulled bytes.Buffer
	if err := printPackage(&pulled, tree, "stdout"); err != nil {
		return tree, err
	}
	was, err := filesOf("the draft", pulled.Bytes())
	if err != nil {
		return tree, err
	}
	changes := map[string][]byte{}
	for _, file := range was.Diff(now) {
		switch blob := now.Blob(file); {
		case blob == nil:
			changes[file] = nil
		case was.Blob(file) == nil && tree.Blob(file) != nil:
			return tree, fmt.Errorf("an object is to be in %q, which is a file without objects", file)
		default:
			changes[file] = blob.Data()
		}
	}
	return tree.Apply(changes)
}

func filesOf(name string, list []byte) (pkgtree.Tree, error) {
	stream, err := render.ReadStream(name, list)
	if err != nil {
		return pkgtree.Tree{}, err
	}
	return stream.Files()
}
