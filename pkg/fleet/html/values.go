package html

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// Bounds of the values of one change in the summary: its ways and, of each, the rest.
const (
	mostWays     = 5
	mostValues   = 600 // bytes of fields
	mostFields   = 10
	mostExample  = 300 // characters
	mostNames    = 3   // clusters
	mostExamples = 3   // different values
)

// outline is a template for people, as the script shows it.
func outline(template string) string {
	parts := strings.Split(template, columnMark)
	for i := 1; i < len(parts); i += 2 {
		parts[i] = "‹value›"
	}
	return strings.ReplaceAll(strings.Join(parts, ""), nameMark, "‹cluster›")
}

// valueLines are the values of a way, one line for each field: once if they are the same on all clusters but for their names,
// and else with examples. With named set the first line begins with the clusters.
func (e *encoder) valueLines(w *way, encoded *changeWay, named bool) (lines []string) {
	varies := len(w.rows) > 1
	if !varies {
		lines = e.fieldsIn(w, 0, func(int) bool { return true })
	} else {
		lines = boundFields(encoded.Fields, outline)
	}
	if named && len(lines) > 0 {
		lines[0] = e.clustersOf(w.rows) + ": " + lines[0]
	}
	if varies {
		lines = append(lines, e.examples(w, encoded.Fields)...)
	}
	return lines
}

func hasColumn(field [4]*string) bool {
	return slices.ContainsFunc(field[:], func(v *string) bool { return v != nil && strings.Contains(*v, columnMark) })
}

// examples are the different values of the fields of a way that have columns, with the clusters that have them or, of many, the
// first.
func (e *encoder) examples(w *way, fields [][4]*string) (lines []string) {
	if !slices.ContainsFunc(fields, hasColumn) {
		return nil
	}
	at, order := map[string][]wayRow{}, []string{}
	for i, r := range w.rows {
		text := strings.Join(e.fieldsIn(w, i, func(f int) bool { return hasColumn(fields[f]) }), "; ")
		if at[text] == nil {
			order = append(order, text)
		}
		at[text] = append(at[text], r)
	}
	example := func(text string) string { return e.clustersOf(at[text]) + ": " + safetext.Short(text, mostExample) }
	if len(order) > mostExamples {
		return []string{"for example on " + example(order[0])}
	}
	for _, text := range order {
		lines = append(lines, "on "+example(text))
	}
	return lines
}

func (e *encoder) clustersOf(rows []wayRow) string {
	var names []string
	for _, r := range rows {
		names = append(names, e.names[r.cluster])
	}
	return format.Names(names, mostNames)
}

// fieldsIn are the fields of a row that are wanted.
func (e *encoder) fieldsIn(w *way, row int, wanted func(field int) bool) []string {
	r, fields := w.rows[row], [][4]*string{}
	for i := range w.fields {
		if f := &w.fields[i]; wanted(i) {
			fields = append(fields, [4]*string{&f.Field, &f.Change, r.texts[1+2*i], r.texts[2+2*i]})
		}
	}
	return boundFields(fields, func(text string) string { return strings.ReplaceAll(text, nameMark, e.names[r.cluster]) })
}

// boundFields are as many fields as there is room for, and how many more there are.
func boundFields(fields [][4]*string, shown func(string) string) (lines []string) {
	room := mostValues
	for i, f := range fields {
		line := format.Field(waybill.PreviewField{Field: shown(*f[0]), Change: *f[1],
			From: shownIfAny(f[2], shown), To: shownIfAny(f[3], shown)})
		if room -= len(line); i == mostFields || room < 0 && i > 0 {
			return append(lines, fmt.Sprintf("… %d more", len(fields)-i))
		}
		lines = append(lines, line)
	}
	return lines
}
