package rpkg

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// UpdateRow is a package and the newer revisions of its upstream, in the output.
type UpdateRow struct {
	Name         string   `json:"name"`
	Namespace    string   `json:"namespace,omitempty"`
	Package      string   `json:"package"`
	Upstream     string   `json:"upstream"` // the revision that it was made of, or the ref
	UpstreamRepo string   `json:"upstreamRepository"`
	Updates      []string `json:"updates"` // names of newer revisions, in order
}

// runDiscover lists updates, and changes nothing.
func (u *upgradeCommand) runDiscover(cmd *cobra.Command, names []string) error {
	repos, err := u.repos.open(cmd)
	if err != nil {
		return err
	}
	all, err := listRevisions(cmd.Context(), repos, nil)
	if err != nil {
		return err
	}
	rows, err := discover(all, names, u.discover == "downstream")
	if err != nil {
		return err
	}
	if u.out.Format != asText {
		return u.out.Print(cmd.OutOrStdout(), cli.NewList("PackageUpdateList", rows), nil, nil)
	}
	return cli.HeadedTable(cmd.OutOrStdout(), 3, []string{"PACKAGE REVISION", "UPSTREAM", "UPSTREAM REPOSITORY", "UPSTREAM UPDATES"},
		cli.Rows(rows, updateCells))
}

func updateCells(r UpdateRow) []string {
	updates := "no update available"
	if len(r.Updates) > 0 {
		updates = strings.Join(r.Updates, ", ")
	}
	return cli.SafeCells(r.Name, r.Upstream, r.UpstreamRepo, updates)
}

// discover finds the updates of the named revisions, or of the latest ones, or with below of the packages made of the named ones.
func discover(all []revision.Known, names []string, below bool) ([]UpdateRow, error) {
	named, err := pickNamed(all, names)
	if err != nil {
		return nil, err
	}
	rows := []UpdateRow{}
	for _, r := range all {
		if !below && len(names) > 0 && !holds(named, r) || (below || len(names) == 0) && (!r.Latest || r.Commit.IsZero()) {
			continue // also what lies in a registry, where it cannot be upgraded
		}
		up, err := revision.UpstreamOf(r, all)
		if err != nil || len(up.Published) == 0 {
			if holds(named, r) && !below {
				return nil, noUpstream(r, err)
			}
			continue // it has no upstream, or none that can be seen
		}
		row := updateRow(r, up)
		if below && (len(row.Updates) == 0 || len(names) > 0 && !slices.ContainsFunc(named, func(n revision.Known) bool { return isOf(n, up) })) {
			continue
		}
		rows = append(rows, row)
	}
	return rows, nil
}

func noUpstream(r revision.Known, err error) error {
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: no revision of its upstream is published", r.Name)
}

func updateRow(r revision.Known, up revision.Upstream) UpdateRow {
	row := UpdateRow{Name: r.Name, Namespace: r.Namespace, Package: r.Package, Upstream: up.Name(),
		UpstreamRepo: up.Published[0].Repository, Updates: []string{}}
	for _, k := range up.Newer() {
		row.Updates = append(row.Updates, "v"+strconv.Itoa(k.Revision.Revision))
	}
	return row
}

// isOf reports whether r is a revision of an upstream package.
func isOf(r revision.Known, up revision.Upstream) bool {
	return r.Store == up.Published[0].Store && r.Package == up.Published[0].Package
}

func holds(revs []revision.Known, r revision.Known) bool {
	return slices.ContainsFunc(revs, func(k revision.Known) bool { return k.Store == r.Store && k.Ref == r.Ref && k.Path == r.Path })
}
