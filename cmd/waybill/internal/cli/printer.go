package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"golang.org/x/term"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/style"
)

// Printer prints data as a table, JSON or YAML.
type Printer struct{ Format string }

// Add adds --output.
func (p *Printer) Add(cmd *cobra.Command) { p.AddAs(cmd, "output", "o", "how to print: %s") }

// AddAs adds the flag of the format under another name.
func (p *Printer) AddAs(cmd *cobra.Command, flag, short, does string) {
	AddChoice(cmd, &p.Format, flag, short, "table", does, "table", "json", "yaml")
}

// Print prints data, or header and rows as a table. header may be nil.
func (p *Printer) Print(w io.Writer, data any, header []string, rows [][]string) error {
	switch p.Format {
	case "json":
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(data)
	case "yaml":
		out, err := yaml.Marshal(data)
		if err != nil {
			return err
		}
		_, err = w.Write(out)
		return err
	}
	if header == nil {
		return Table(w, 3, rows...)
	}
	return HeadedTable(w, 3, header, rows)
}

// HeadedTable is Table with a header, in the colours of w.
func HeadedTable(w io.Writer, apart int, header []string, rows [][]string) error {
	var table strings.Builder
	if err := Table(&table, apart, append([][]string{header}, rows...)...); err != nil {
		return err
	}
	text := table.String()
	if colors := style.Of(w); colors {
		text = paintTable(colors, header, text)
	}
	_, err := io.WriteString(w, text)
	return err
}

// List is several things as -o json and yaml print them.
type List[T any] struct {
	metav1.TypeMeta `json:",inline"`
	Items           []T `json:"items"`
}

// NewList returns a list of a kind of this command line.
func NewList[T any](kind string, items []T) List[T] {
	return List[T]{TypeMeta(kind), append([]T{}, items...)}
}

// TypeMeta is the apiVersion and kind of output of this command line.
func TypeMeta(kind string) metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: waybill.APIVersion, Kind: kind}
}

// Rows returns a row for each item.
func Rows[T any](items []T, cells func(T) []string) (rows [][]string) {
	for _, item := range items {
		rows = append(rows, cells(item))
	}
	return rows
}

// Table prints rows as columns that are this many spaces apart.
func Table(w io.Writer, apart int, rows ...[]string) error {
	tw := tabwriter.NewWriter(w, 0, 0, apart, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(tw, strings.Join(row, "\t"))
	}
	return tw.Flush()
}

// Qualified returns NAMESPACE/NAME, or the name alone without a namespace.
func Qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// OrDash returns s, or "-" for an empty cell.
func OrDash(s string) string { return cmp.Or(s, "-") }

// Terminal returns the terminal that an output is, or nil.
func Terminal(out io.Writer) *os.File {
	if s, ok := out.(interface{ file() *os.File }); ok {
		return s.file()
	}
	if f, ok := out.(*os.File); ok && term.IsTerminal(int(f.Fd())) { // #nosec G115 -- a file descriptor
		return f
	}
	return nil
}
