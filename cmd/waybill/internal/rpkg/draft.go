package rpkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// draftCommand is what the commands have in common that make or change a draft.
type draftCommand struct {
	repos     repositoryFlags
	user      userFlag
	functions cli.FunctionFlags
	out       cli.Printer

	workspace string
}

func (d *draftCommand) add(cmd *cobra.Command) {
	d.repos.add(cmd)
	d.user.add(cmd.Flags())
	d.functions.Add(cmd)
	cli.AddChoice(cmd, &d.out.Format, "output", "o", asText, "how to print: %s", asText, "json", "yaml")
}

func (d *draftCommand) addWorkspace(cmd *cobra.Command, value, does string) {
	cmd.Flags().StringVar(&d.workspace, "workspace", value, does)
}

// checkWorkspace wants --workspace, as porchctl does: Waybill does not invent names.
func (d *draftCommand) checkWorkspace() error {
	if d.workspace == "" {
		return cli.Usagef("name the workspace of the draft by --workspace")
	}
	return nil
}

// session is an invocation of a command that makes or changes a draft.
type session struct {
	repos     repositories
	revisions []revision.Known
	functions runner.Factory
	by        revision.Stamp
	unread    error // why some repositories cannot be read, if the command reads all of them
}

// begin reads what every such command needs. use says which repositories are read; nil reads all.
func (d *draftCommand) begin(cmd *cobra.Command, use func(repositoryKey) bool) (s session, err error) {
	if s.by.When, err = commitTime(os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return s, err
	}
	if s.functions, err = d.functions.NewFactory(); err != nil {
		return s, err
	}
	if s.repos, err = d.repos.open(cmd); err != nil {
		return s, err
	}
	if use == nil {
		var errs []error
		s.revisions, errs = listEach(cmd.Context(), s.repos, nil, false)
		s.unread = errors.Join(errs...)
	} else if s.revisions, err = listRevisions(cmd.Context(), s.repos, use); err != nil {
		return s, err
	}
	s.by.User, err = d.user.identity(cmd.Context(), &d.repos)
	return s, err
}

// create makes the draft in one push, and prints it.
func (d *draftCommand) create(cmd *cobra.Command, in revision.Known, req revision.DraftRequest) error {
	rev, err := in.Store.CreateDraft(cmd.Context(), req)
	if err != nil {
		return err
	}
	warnOfFailure(cmd.ErrOrStderr(), rev.Name, draft.RenderFailure(req.Content))
	return d.print(cmd, revision.Known{Revision: rev, Namespace: in.Namespace}, "created")
}

func (d *draftCommand) print(cmd *cobra.Command, r revision.Known, change string) error {
	if d.out.Format == asText {
		_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", r.Name, change)
		return err
	}
	changed := []Changed{{r.Name, r.Namespace, r.Package, r.Workspace, r.Repository, change}}
	return d.out.Print(cmd.OutOrStdout(), cli.NewList("PackageRevisionChangeList", changed), nil, nil)
}

// explain adds to the error of a search that some repositories cannot be read.
func (s session) explain(err error) error {
	if err == nil || s.unread == nil {
		return err
	}
	return fmt.Errorf("%w; some repositories cannot be read: %w", err, s.unread)
}

// one returns the revision of a name. If a draft and a published revision have the name, it is the one that fits.
func (s session) one(name string, fits func(revision.Known) bool) (revision.Known, error) {
	revs, err := pickNamed(s.revisions, []string{name})
	var several *ambiguousError
	if errors.As(err, &several) {
		revs = slices.DeleteFunc(several.revs, func(r revision.Known) bool { return !fits(r) })
		if len(revs) == 1 {
			return revs[0], nil
		}
	}
	if err != nil {
		return revision.Known{}, err
	}
	return revs[0], nil
}

// target finds the repository of a new package, by the name of its Repository object.
func (s session) target(ctx context.Context, name string) (in *snapshot.Repository, namespace string, err error) {
	if name == "" {
		return nil, "", cli.Usagef("name the Repository of the new package by --repository")
	}
	var found []repositoryKey
	for _, key := range s.repos.keys {
		if key.Name == name {
			found = append(found, key)
		}
	}
	switch len(found) {
	case 0:
		return nil, "", fmt.Errorf("there is no Repository %q; 'waybill repo get' lists them", name)
	case 1:
		if in, err = s.repos.open(ctx, found[0].Namespace, name); err == nil && in.NoDrafts != "" {
			err = errors.New(in.NoDrafts)
		}
		return in, found[0].Namespace, err
	}
	return nil, "", fmt.Errorf("%d namespaces have a Repository %q: name one by --namespace", len(found), name)
}

// renderWith runs the functions of a package.
func renderWith(ctx context.Context, functions runner.Factory, tree pkgtree.Tree) (pkgtree.Tree, error) {
	out, err := draft.Render(ctx, tree, render.Options{Functions: functions})
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("the package does not render, and nothing was written: %w", err)
	}
	return out, nil
}

// renderFailure is why a draft or proposal does not render, "" if it does. What is published counts as it is.
func renderFailure(r revision.Known) (string, error) {
	if r.Lifecycle.IsPublished() {
		return "", nil
	}
	tree, err := r.Store.Content(r.Revision)
	if err != nil {
		return "", fmt.Errorf("%s: %w", r.Name, err)
	}
	return draft.RenderFailure(tree), nil
}

// warnOfFailure warns of a draft that does not render; why is "" for one that does.
func warnOfFailure(stderr io.Writer, name, why string) {
	if why != "" {
		fmt.Fprintf(stderr, "warning: %s does not render: %s\n", cli.SafeText(name), cli.SafeText(why))
	}
}
