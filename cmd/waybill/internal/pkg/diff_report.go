package pkg

import (
	"io"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// DiffReport is the output of a diff.
type DiffReport struct {
	Package   string           `json:"package"`
	Type      string           `json:"type"`
	Changes   []diffRow        `json:"changes"`
	Conflicts []merge.Conflict `json:"conflicts"`
}

// diffRow is one difference. In a 3way diff it says who made it: local or remote.
type diffRow struct {
	Side string `json:"side,omitempty"`
	diff.Change
}

func (r *DiffReport) add(kind upstream.DiffType, changes []diff.Change) {
	for _, c := range changes {
		row := diffRow{Change: c}
		if r.Type == threeWay {
			row.Side = string(kind)
		}
		r.Changes = append(r.Changes, row)
	}
}

// print prints no table without rows.
func (r *DiffReport) print(w io.Writer, out *cli.Printer) error {
	if out.Format != "table" {
		return out.Print(w, r, nil, nil)
	}
	header, rows := []string{"CHANGE", "FILE", "OBJECT", "FIELD", "FROM", "TO"}, [][]string{}
	for _, c := range r.Changes {
		rows = append(rows, c.cells(r.Type == threeWay))
	}
	if r.Type == threeWay {
		header = append([]string{"SIDE"}, header...)
	}
	if len(rows) > 0 {
		if err := out.Print(w, nil, header, rows); err != nil {
			return err
		}
	}
	return printConflicts(w, r.Conflicts)
}

func (c diffRow) cells(side bool) []string {
	object := strings.TrimSpace(c.Object.Kind + " " + strings.TrimPrefix(c.Object.Namespace+"/"+c.Object.Name, "/"))
	cells := cli.SafeCells(string(c.Kind), c.File, cli.OrDash(object), cli.OrDash(c.Field), ptr.Deref(c.From, "-"), ptr.Deref(c.To, "-"))
	if side {
		cells = append([]string{c.Side}, cells...)
	}
	return cells
}

func (r *DiffReport) exitError(progress *fetchProgress, exitCode bool) error {
	if len(r.Changes) == 0 {
		progress.printf("Nothing differs.")
		return nil
	}
	progress.printf("%d difference(s), %d conflict(s).", len(r.Changes), len(r.Conflicts))
	if exitCode {
		return &cli.ExitError{Code: cli.ExitFailed}
	}
	return nil
}
