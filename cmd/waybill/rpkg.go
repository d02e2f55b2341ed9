package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newRpkgCommand() *cobra.Command {
	return group("rpkg", "Package revisions in Git: list them and move them through their life",
		newRpkgGetCommand(), newRpkgProposeCommand(), newRpkgApproveCommand(), newRpkgRejectCommand())
}

// found is a revision and the repository it was found in.
type found struct {
	revision.Revision
	namespace string
	repo      *packagevariant.Repository
}

// allRevisions lists the revisions of every Repository in the files, by name.
func allRevisions(cmd *cobra.Command, files []string) ([]found, error) {
	if len(files) == 0 {
		return nil, usage("name the files or folders with your Repository objects by --filename")
	}
	in, err := local.Read(files, cmd.InOrStdin())
	if err != nil {
		return nil, err
	}
	repos := in.Repositories(nil)
	keys := repos.Keys()
	if len(keys) == 0 {
		return nil, fmt.Errorf("there is no Repository in what --filename names")
	}
	slices.SortFunc(keys, func(a, b local.Key) int { return strings.Compare(a.String(), b.String()) })
	var out []found
	for _, key := range keys {
		repo, err := repos.Repository(cmd.Context(), key.Namespace, key.Name)
		if err != nil {
			return nil, err
		}
		revs, err := repo.Store.List()
		if err != nil {
			return nil, fmt.Errorf("repository %s: %w", key, err)
		}
		for _, r := range revs {
			out = append(out, found{r, key.Namespace, repo})
		}
	}
	slices.SortFunc(out, func(a, b found) int { return strings.Compare(a.Name+"\x00"+a.namespace, b.Name+"\x00"+b.namespace) })
	return out, nil
}

// revisionRow is a revision as it is printed.
type revisionRow struct {
	Name       string `json:"name"`
	Namespace  string `json:"namespace,omitempty"`
	Package    string `json:"package"`
	Workspace  string `json:"workspaceName"`
	Revision   int    `json:"revision"`
	Latest     bool   `json:"latest"`
	Lifecycle  string `json:"lifecycle"`
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Owner      string `json:"owner,omitempty"`
}

func newRpkgGetCommand() *cobra.Command {
	var files []string
	var out printer
	cmd := &cobra.Command{
		Use:   "get [NAME...]",
		Short: "List package revisions",
		Long: `Get lists the package revisions of every Repository in the files, or those that are named.
Revision -1 is what the main branch holds; 0 is a draft or a proposal.`,
		Example: `  waybill rpkg get -f fleet
  waybill rpkg get -f fleet deployments.eu.shop.packagevariant-1 -o yaml`,
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := out.check(); err != nil {
				return err
			}
			revs, err := chosenRevisions(cmd, files, names)
			if err != nil {
				return err
			}
			return printRevisions(cmd.OutOrStdout(), &out, revs)
		},
	}
	addFiles(cmd, &files)
	out.add(cmd)
	return cmd
}

func printRevisions(w io.Writer, out *printer, revs []found) error {
	rows, table := []revisionRow{}, [][]string{}
	for _, r := range revs {
		rows = append(rows, revisionRow{r.Name, r.namespace, r.Package, r.Workspace, r.Revision.Revision,
			r.Latest, string(r.Lifecycle), r.Repository, r.Commit.String(), r.Owner.String()})
		table = append(table, []string{r.Name, r.Package, r.Workspace, strconv.Itoa(r.Revision.Revision),
			strconv.FormatBool(r.Latest), string(r.Lifecycle), r.Repository})
	}
	return out.print(w, rows,
		[]string{"NAME", "PACKAGE", "WORKSPACENAME", "REVISION", "LATEST", "LIFECYCLE", "REPOSITORY"}, table)
}

func addFiles(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringSliceVarP(files, "filename", "f", nil, "`PATH` of a file or folder of YAML objects, or - for stdin; repeatable")
}
