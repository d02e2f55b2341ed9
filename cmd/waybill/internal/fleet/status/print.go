package status

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/control"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/status/combine"
	"github.com/waybill-dev/waybill/pkg/style"
)

// List holds CombinedStatuses as kubectl prints several objects, and beside them what the table shows of every object.
type List struct {
	APIVersion string                    `json:"apiVersion"`
	Kind       string                    `json:"kind"`
	Items      []*control.CombinedStatus `json:"items"`
	Objects    []Object                  `json:"objects"`
	// UnappliedHandOvers are the clusters with a work that has not applied its hand-over: do not end hand-overs yet.
	UnappliedHandOvers []string `json:"unappliedHandOvers,omitempty"`
}

func (s *command) print(w io.Writer, objects []combine.Object) error {
	if s.out.Format != "table" {
		list := List{APIVersion: "v1", Kind: "List", Items: []*control.CombinedStatus{}, Objects: []Object{},
			UnappliedHandOvers: s.unapplied}
		for _, o := range objects {
			list.Objects = append(list.Objects, newObject(o))
			if o.Combined != nil {
				list.Items = append(list.Items, o.Combined)
			}
		}
		return s.out.Print(w, list, nil, nil)
	}
	for i, o := range objects {
		if i > 0 && (o.Combined != nil || objects[i-1].Combined != nil) {
			fmt.Fprintln(w)
		}
		if _, err := fmt.Fprintln(w, style.Of(w).Paint(style.Heading, cli.SafeText(headline(o)))); err != nil {
			return err
		}
		printProblems(w, o)
		if err := printResults(w, o); err != nil {
			return err
		}
	}
	return nil
}

// maxSilent limits how many clusters a line names.
const maxSilent = 5

// headline names the object and says how many of its clusters report.
func headline(o combine.Object) string {
	line := fmt.Sprintf("%s %s (%s): %d of %s reported", o.Subject.Kind, cli.Qualified(o.Subject.Namespace, o.Subject.Name), o.Subject.Policy,
		len(o.Reporting), selection.Count(len(o.Destinations), "cluster"))
	if silent := o.Silent(); len(silent) > 0 && len(silent) < len(o.Destinations) {
		line += ", not " + few(silent)
	}
	return line
}

// few names some of the clusters.
func few(clusters []string) string {
	line := strings.Join(clusters[:min(len(clusters), maxSilent)], ", ")
	if more := len(clusters) - maxSilent; more > 0 {
		line += fmt.Sprintf(" and %d more", more)
	}
	return line
}

// printResults prints what each collector found, as a table below its name.
func printResults(w io.Writer, o combine.Object) error {
	if o.Combined != nil {
		for _, r := range o.Combined.Results {
			fmt.Fprintf(w, "  %s\n", cell(r.Name))
			if err := printRows(w, r); err != nil {
				return err
			}
			for _, e := range r.RowErrors {
				if isProblem(o, e) {
					continue // printed below the object already
				}
				fmt.Fprintf(w, "    error in %s, %s: %s\n", cell(e.WEC.ClusterID), column(e.ColumnName), cell(e.Error))
			}
			for _, e := range r.AggregationErrors {
				fmt.Fprintf(w, "    error in %s: %s\n", column(e.ColumnName), cell(e.Error))
			}
		}
	}
	for _, name := range o.Missing {
		fmt.Fprintf(w, "  %s\n    missing or invalid\n", cell(name))
	}
	return nil
}

func column(name string) string {
	if name == "" {
		return "filter"
	}
	return "column " + cell(name)
}

func printRows(w io.Writer, r control.NamedStatusCombination) error {
	if len(r.ColumnNames) == 0 {
		return nil // without columns there is nothing to print
	}
	rows := [][]string{cells(r.ColumnNames, strings.ToUpper)}
	for _, row := range r.Rows {
		rows = append(rows, cells(row.Columns, valueText))
	}
	return cli.Table(w, 3, rows...)
}

// cells are an indented line of a table.
func cells[T any](values []T, text func(T) string) (out []string) {
	for _, v := range values {
		out = append(out, cell(text(v)))
	}
	out[0] = "    " + out[0]
	return out
}

// valueText is a value without its type; objects and lists are JSON.
func valueText(v control.Value) string {
	switch {
	case v.String != nil:
		return *v.String
	case v.Number != nil:
		return *v.Number
	case v.Bool != nil:
		return strconv.FormatBool(*v.Bool)
	case !v.Object.IsZero():
		return string(v.Object.Raw)
	case !v.Array.IsZero():
		return string(v.Array.Raw)
	}
	return "null"
}

// longestCell limits the length of a value in a table.
const longestCell = 160

// cell is text for a table: one line, shortened, and safe for a terminal.
func cell(text string) string {
	text = cli.SafeText(strings.ReplaceAll(text, "\n", " "))
	if runes := []rune(text); len(runes) > longestCell {
		return string(runes[:longestCell-1]) + "…"
	}
	return text
}
