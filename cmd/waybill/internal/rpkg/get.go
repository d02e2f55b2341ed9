package rpkg

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/revision"
)

type getCommand struct {
	repos repositoryFlags
	only  revisionSelector
	out   cli.Printer

	kptfile bool
}

func newGetCommand() *cobra.Command {
	var g getCommand
	cmd := &cobra.Command{
		Use:     "get [NAME...]",
		Aliases: []string{"list"},
		Short:   "List package revisions",
		Long: `Get lists the package revisions of every Repository in the files, or the named ones. A revision
must match all of --package, --workspace, --revision and --lifecycle; of several values of one
flag it must match one. Revision -1 is the content of the main branch, or a tag of a registry that
is not v1, v2 and so on; 0 is a draft or a proposal.
With --selector it must also match the labels in the metadata of its Kptfile, if that is readable;
the highest published revision of a package also has the label kpt.dev/latest-revision=true.

A Repository that cannot be read is a warning: the revisions of the others are listed all the same.
If none can be read, or the one that a NAME begins with, the exit code is 1; so it is if the branch
of a Repository is missing or has an illegal name.

-o wide adds the commit or digest, the object that the revision was made for, and who published it
when. -o name prints only names, for other commands; with -A they are NAMESPACE/NAME.
--show-kptfile prints the Kptfiles instead, as YAML documents.`,
		Example: `  waybill rpkg get -f fleet
  waybill rpkg get -f fleet deployments.eu.shop.packagevariant-1 -o yaml

  # the names of all proposals
  waybill rpkg get -f fleet --lifecycle Proposed -o name

  # the latest published revisions
  waybill rpkg get -f fleet -l kpt.dev/latest-revision=true`,
		ValidArgsFunction: g.repos.completeNames(),
		RunE:              func(cmd *cobra.Command, names []string) error { return g.run(cmd, names) },
	}
	g.repos.add(cmd)
	g.only.add(cmd, &g.repos)
	cmd.Flags().BoolVar(&g.kptfile, "show-kptfile", false, "print the Kptfile of each revision")
	cli.AddChoice(cmd, &g.out.Format, "output", "o", "table", "how to print: %s", "table", "wide", "name", "json", "yaml")
	return cmd
}

func (g *getCommand) run(cmd *cobra.Command, names []string) error {
	if err := g.only.check(); err != nil {
		return err
	}
	repos, err := g.repos.open(cmd)
	if err != nil {
		return err
	}
	if len(names) > 0 {
		revs, err := g.only.named(cmd.Context(), repos, names)
		if err != nil {
			return err
		}
		return g.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), revs)
	}
	revs, err := listReadable(cmd, repos)
	if revs == nil {
		return err
	}
	return cmp.Or(g.print(cmd.OutOrStdout(), cmd.ErrOrStderr(), g.only.filter(revs)), err)
}

// Row is a revision in the output.
type Row struct {
	Name        string `json:"name"`
	Namespace   string `json:"namespace,omitempty"`
	Package     string `json:"package"`
	Workspace   string `json:"workspaceName"`
	Revision    int    `json:"revision"`
	Latest      bool   `json:"latest"`
	Lifecycle   string `json:"lifecycle"`
	Repository  string `json:"repository"`
	Commit      string `json:"commit"`
	Owner       string `json:"owner,omitempty"`
	PublishedBy string `json:"publishedBy,omitempty"`
	PublishedAt string `json:"publishedAt,omitempty"`
	RenderError string `json:"renderError,omitempty"` // of a draft that was kept although it does not render
}

func newRow(r revision.Known) Row {
	row := Row{
		Name: r.Name, Namespace: r.Namespace, Package: r.Package, Workspace: r.Workspace, Revision: r.Revision.Revision,
		Latest: r.Latest, Lifecycle: string(r.Lifecycle), Repository: r.Repository, Commit: r.ID(),
		Owner: r.Owner.String(), PublishedBy: r.PublishedBy,
	}
	if !r.PublishedAt.IsZero() {
		row.PublishedAt = r.PublishedAt.UTC().Format(time.RFC3339)
	}
	return row
}

// printKptfiles prints Kptfiles as YAML documents.
func printKptfiles(w io.Writer, revs []revision.Known) error {
	for i, r := range revs {
		tree, err := r.Store.Content(r.Revision)
		if err != nil {
			return fmt.Errorf("%s: %w", r.Name, err)
		}
		data, _ := tree.Get(kptfile.Name)
		text := strings.TrimSuffix(string(data), "\n") + "\n"
		if i > 0 {
			text = "---\n" + text
		}
		if _, err := io.WriteString(w, text); err != nil {
			return err
		}
	}
	return nil
}

func (g *getCommand) print(w, stderr io.Writer, revs []revision.Known) error {
	if g.kptfile {
		return printKptfiles(w, revs)
	}
	rows := []Row{}
	for _, r := range revs {
		row := newRow(r)
		row.RenderError, _ = renderFailure(r) // one that cannot be read fails where it is used
		warnOfFailure(stderr, row.Name, row.RenderError)
		rows = append(rows, row)
	}
	if g.out.Format == "name" {
		return g.printNames(w, rows)
	}
	header := []string{"NAME", "PACKAGE", "WORKSPACENAME", "REVISION", "LATEST", "LIFECYCLE", "REPOSITORY"}
	if g.repos.all {
		header = append([]string{"NAMESPACE"}, header...)
	}
	if g.out.Format == "wide" {
		header = append(header, "COMMIT", "OWNER", "PUBLISHEDBY", "PUBLISHEDAT")
	}
	return g.out.Print(w, cli.NewList("PackageRevisionList", rows), header, cli.Rows(rows, g.cells))
}

func (g *getCommand) cells(row Row) []string {
	cells := []string{row.Name, row.Package, row.Workspace, strconv.Itoa(row.Revision), strconv.FormatBool(row.Latest),
		row.Lifecycle, row.Repository}
	if g.repos.all {
		cells = append([]string{row.Namespace}, cells...)
	}
	if g.out.Format == "wide" {
		cells = append(cells, row.Commit, cli.OrDash(row.Owner), cli.OrDash(row.PublishedBy), cli.OrDash(row.PublishedAt))
	}
	return cli.SafeCells(cells...)
}

func (g *getCommand) printNames(w io.Writer, rows []Row) error {
	for _, row := range rows {
		name := row.Name
		if g.repos.all {
			name = row.Namespace + "/" + name
		}
		if _, err := io.WriteString(w, cli.SafeText(name)+"\n"); err != nil {
			return err
		}
	}
	return nil
}
