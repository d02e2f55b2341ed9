package main

import (
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// diffReport is what is different, as it is printed.
type diffReport struct {
	Package   string           `json:"package"`
	Type      string           `json:"type"`
	Changes   []diffRow        `json:"changes"`
	Conflicts []merge.Conflict `json:"conflicts"`
}

// diffRow is one difference. Of a 3way diff it says who made it: local or remote.
type diffRow struct {
	Side string `json:"side,omitempty"`
	diff.Change
}

func (r *diffReport) add(kind upstream.DiffType, changes []diff.Change) {
	for _, c := range changes {
		row := diffRow{Change: c}
		if r.Type == threeWay {
			row.Side = string(kind)
		}
		r.Changes = append(r.Changes, row)
	}
}

// print prints a table only if there is something in it.
func (r *diffReport) print(w io.Writer, out *printer) error {
	if out.format != "table" {
		return out.print(w, r, nil, nil)
	}
	header, rows := []string{"CHANGE", "FILE", "OBJECT", "FIELD", "FROM", "TO"}, [][]string{}
	for _, c := range r.Changes {
		rows = append(rows, c.cells(r.Type == threeWay))
	}
	if r.Type == threeWay {
		header = append([]string{"SIDE"}, header...)
	}
	if len(rows) > 0 {
		if err := out.print(w, nil, header, rows); err != nil {
			return err
		}
	}
	return printConflicts(w, r.Conflicts)
}

func (c diffRow) cells(side bool) []string {
	object := strings.TrimSpace(c.Object.Kind + " " + strings.TrimPrefix(c.Object.Namespace+"/"+c.Object.Name, "/"))
	cells := inertAll(string(c.Kind), c.File, orDash(object), orDash(c.Field), orDash(deref(c.From)), orDash(deref(c.To)))
	if side {
		cells = append([]string{c.Side}, cells...)
	}
	return cells
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (r *diffReport) verdict(talk *pkgProgress, exitCode bool) error {
	if len(r.Changes) == 0 {
		talk.say("Nothing is different.")
		return nil
	}
	talk.say("%d difference(s), %d conflict(s).", len(r.Changes), len(r.Conflicts))
	if exitCode {
		return &exitError{code: exitFailed}
	}
	return nil
}
