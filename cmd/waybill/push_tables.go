package main

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// readTable reads a table that comes along, or else a file.
func readTable(name string) (*table.Table, []byte, error) {
	if slices.Contains(table.BuiltinNames(), name) {
		return table.Builtin(name)
	}
	text, err := os.ReadFile(name) // #nosec G304 -- the file that the user names
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, usage("backend %q: no table of this name comes along (%s), and there is no such file", name,
			strings.Join(table.BuiltinNames(), ", "))
	}
	if err != nil {
		return nil, nil, err
	}
	table, err := table.Read(name, text)
	return table, text, err
}

// describedTable is a table as an object, once it has been found to be right.
func describedTable(name string) (*waybillapi.BackendTable, []byte, error) {
	_, text, err := readTable(name)
	if err != nil {
		return nil, nil, err
	}
	objects, err := krm.Read(name, text, krm.Limits{})
	if err != nil {
		return nil, nil, err
	}
	object, err := waybillapi.ReadBackendTable(objects[0])
	return object, text, err
}

// tableRow is a table in the list of tables.
type tableRow struct {
	Name  string   `json:"name"`
	Auth  string   `json:"auth"`
	Kinds []string `json:"kinds"`
}

func newPushTablesCommand() *cobra.Command {
	var out printer
	cmd := &cobra.Command{
		Use:     "tables",
		Short:   "List the tables of backends that come along",
		Example: "  waybill push tables",
		Args:    usageArgs(noArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.check(); err != nil {
				return err
			}
			var tables []tableRow
			var rows [][]string
			for _, name := range table.BuiltinNames() {
				table, _, err := describedTable(name)
				if err != nil {
					return err
				}
				row := rowOfTable(table)
				tables = append(tables, row)
				rows = append(rows, []string{row.Name, row.Auth, strconv.Itoa(len(row.Kinds))})
			}
			return out.print(cmd.OutOrStdout(), tables, []string{"NAME", "AUTH", "KINDS"}, rows)
		},
	}
	out.add(cmd)
	return cmd
}

func rowOfTable(t *waybillapi.BackendTable) tableRow {
	row := tableRow{Name: t.Name, Auth: t.Spec.Auth.Type}
	if row.Auth == "" {
		row.Auth = waybillapi.AuthNone
	}
	for _, k := range t.Spec.Kinds {
		row.Kinds = append(row.Kinds, k.Kind)
	}
	return row
}

func newPushTableCommand() *cobra.Command {
	var out printer
	cmd := &cobra.Command{
		Use:   "table NAME|FILE",
		Short: "Print a table of a backend: kinds and their paths",
		Long: `Table checks a BackendTable, one that comes along or that of a file, and prints the paths of its
kinds; with -o yaml its text as it is written, which is a start for a table of your own.`,
		Example: `  # how MidoNet is spoken to
  waybill push table midonet

  # a start for a backend of your own, and whether what became of it is right
  waybill push table rest-example -o yaml >mine.yaml
  waybill push table mine.yaml`,
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := out.check(); err != nil {
				return err
			}
			var text []byte
			table, err := untilEnd(cmd.Context(), func() (table *waybillapi.BackendTable, err error) {
				table, text, err = describedTable(args[0])
				return table, err
			})
			if err != nil {
				return err
			}
			if out.format == "yaml" {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			return out.print(cmd.OutOrStdout(), table, []string{"KIND", "ID", "CREATE", "REPLACE", "READ", "DELETE", "PARENTS"}, kindRows(table))
		},
	}
	out.add(cmd)
	return cmd
}

func kindRows(t *waybillapi.BackendTable) (rows [][]string) {
	for _, k := range t.Spec.Kinds {
		var create []string
		for _, c := range k.Create {
			create = append(create, c.Path)
		}
		id := k.ID
		if id == "" {
			id = "{id}"
		}
		rows = append(rows, inertAll(k.Kind, id, strings.Join(create, " "), orDash(k.Replace), orDash(k.Read), k.Delete,
			orDash(strings.Join(k.Parents, " "))))
	}
	return rows
}
