package main

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
	"github.com/waybill-dev/waybill/pkg/revision"
)

func newRpkgCommand() *cobra.Command {
	return group("rpkg", "Package revisions in Git: list them and move them through their life",
		newRpkgGetCommand(),
		newRpkgChange("propose", "Propose drafts for approval", "proposed", func(ctx context.Context, s *revision.Store, r revision.Revision, _ revision.Stamp) (revision.Revision, error) {
			return s.Propose(ctx, r)
		}),
		newRpkgChange("approve", "Publish proposals: merge them into the main branch and tag them", "approved", func(ctx context.Context, s *revision.Store, r revision.Revision, by revision.Stamp) (revision.Revision, error) {
			return s.Approve(ctx, r, by)
		}),
		newRpkgChange("reject", "Make proposals drafts again", "rejected", func(ctx context.Context, s *revision.Store, r revision.Revision, _ revision.Stamp) (revision.Revision, error) {
			return s.Reject(ctx, r)
		}),
	)
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
	var out []found
	for _, key := range repos.Keys() {
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
		Use:     "get [NAME...]",
		Short:   "List package revisions",
		Example: "  waybill rpkg get -f fleet",
		RunE: func(cmd *cobra.Command, names []string) error {
			if err := out.check(); err != nil {
				return err
			}
			revs, err := allRevisions(cmd, files)
			if err != nil {
				return err
			}
			if revs, err = named(revs, names); err != nil {
				return err
			}
			rows, table := []revisionRow{}, [][]string{}
			for _, r := range revs {
				rows = append(rows, revisionRow{r.Name, r.namespace, r.Package, r.Workspace, r.Revision.Revision,
					r.Latest, string(r.Lifecycle), r.Repository, r.Commit.String(), r.Owner.String()})
				table = append(table, []string{r.Name, r.Package, r.Workspace, fmt.Sprint(r.Revision.Revision),
					fmt.Sprint(r.Latest), string(r.Lifecycle), r.Repository})
			}
			return out.print(cmd.OutOrStdout(), rows,
				[]string{"NAME", "PACKAGE", "WORKSPACENAME", "REVISION", "LATEST", "LIFECYCLE", "REPOSITORY"}, table)
		},
	}
	addFiles(cmd, &files)
	out.add(cmd)
	return cmd
}

// named returns the revisions of these names, all when there are none. A name that fits no
// revision is an error.
func named(revs []found, names []string) ([]found, error) {
	if len(names) == 0 {
		return revs, nil
	}
	var out []found
	for _, name := range names {
		i := slices.IndexFunc(revs, func(f found) bool { return f.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no package revision %q; 'waybill rpkg get' lists them", name)
		}
		out = append(out, revs[i])
	}
	return out, nil
}

// change moves one revision through its life.
type change func(context.Context, *revision.Store, revision.Revision, revision.Stamp) (revision.Revision, error)

func newRpkgChange(verb, short, done string, do change) *cobra.Command {
	var files []string
	cmd := &cobra.Command{
		Use:     verb + " NAME...",
		Short:   short,
		Example: "  waybill rpkg " + verb + " -f fleet deployments.eu.shop.packagevariant-1",
		Args:    usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, names []string) error {
			revs, err := allRevisions(cmd, files)
			if err != nil {
				return err
			}
			if revs, err = named(revs, names); err != nil {
				return err
			}
			for _, r := range revs {
				// An act of a person has a time; what a controller does is dated by its inputs.
				now, err := do(cmd.Context(), r.repo.Store, r.Revision, revision.Stamp{When: time.Now()})
				if err != nil {
					return fmt.Errorf("%s %s: %w", verb, r.Name, err)
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%s %s\n", now.Name, done)
			}
			return nil
		},
	}
	addFiles(cmd, &files)
	return cmd
}

func addFiles(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringSliceVarP(files, "filename", "f", nil, "`PATH` of a file or folder of YAML objects, or - for stdin; repeatable")
}
