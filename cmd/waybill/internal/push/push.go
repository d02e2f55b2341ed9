// Package push has the command `waybill push`, which plans and applies what Translations want of a backend.
package push

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	backendtable "github.com/waybill-dev/waybill/pkg/backend/table"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// NewCommand returns `waybill push`.
func NewCommand() *cobra.Command {
	cmd := cli.NewGroup("push", "Apply Translations to a backend with an HTTP API",
		newPlanCommand(), newApplyCommand(), newTablesCommand(), newTableCommand())
	cmd.Long = `A Translation lists the resources that a backend (a network, a DNS, a load balancer) should have for
one object. Plan compares Translations with an inventory of what was applied, and prints the
operations that lead from the one to the other. It contacts no server. Apply executes them, and
updates the inventory.

A BackendTable describes a backend: kinds of resources, their paths, and the meaning of status
codes. 'waybill push tables' lists the built-in tables; other tables are files.

The inventory decides what is deleted, so every place that pushes a package needs the same one. By
default it is DIR.BACKEND.inventory, beside the package and not in it, with a journal of changes
beside it.`
	return cmd
}

// describedTable validates a table and returns it as an object.
func describedTable(name string) (*waybillapi.BackendTable, []byte, error) {
	_, text, err := cli.ReadBackendTable(name)
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

func newTablesCommand() *cobra.Command {
	var out cli.Printer
	cmd := &cobra.Command{
		Use:     "tables",
		Short:   "List the built-in tables of backends",
		Example: "  waybill push tables",
		Args:    cli.Args(cli.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var tables []tableRow
			var rows [][]string
			for _, name := range backendtable.BuiltinNames() {
				table, _, err := describedTable(name)
				if err != nil {
					return err
				}
				row := rowOfTable(table)
				tables = append(tables, row)
				rows = append(rows, []string{row.Name, row.Auth, strconv.Itoa(len(row.Kinds))})
			}
			return out.Print(cmd.OutOrStdout(), cli.NewList("BackendTableList", tables), []string{"NAME", "AUTH", "KINDS"}, rows)
		},
	}
	out.Add(cmd)
	return cmd
}

func rowOfTable(t *waybillapi.BackendTable) tableRow {
	row := tableRow{Name: t.Name, Auth: cmp.Or(t.Spec.Auth.Type, waybillapi.AuthNone)}
	for _, k := range t.Spec.Kinds {
		row.Kinds = append(row.Kinds, k.Kind)
	}
	return row
}

func newTableCommand() *cobra.Command {
	var out cli.Printer
	cmd := &cobra.Command{
		Use:   "table NAME|FILE",
		Short: "Print a table of a backend: kinds and their paths",
		Long: `Table checks a built-in BackendTable or that in a file, and prints the paths of its kinds. With -o
yaml it prints the source of the table, as a start for your own.`,
		Example: `  # the API of MidoNet
  waybill push table midonet

  # write a table for your own backend, and check it
  waybill push table rest-example -o yaml >mine.yaml
  waybill push table mine.yaml`,
		Args:              cli.Args(cobra.ExactArgs(1)),
		ValidArgsFunction: cli.CompleteFirst(cli.Complete(cli.FindBackends, cobra.ShellCompDirectiveDefault)),
		RunE: func(cmd *cobra.Command, args []string) error {
			var text []byte
			table, err := cli.Await(cmd.Context(), func() (table *waybillapi.BackendTable, err error) {
				table, text, err = describedTable(args[0])
				return table, err
			})
			if err != nil {
				return err
			}
			if out.Format == "yaml" {
				_, err := cmd.OutOrStdout().Write(text)
				return err
			}
			return out.Print(cmd.OutOrStdout(), table, []string{"KIND", "ID", "CREATE", "REPLACE", "READ", "DELETE", "PARENTS"}, kindRows(table))
		},
	}
	out.Add(cmd)
	return cmd
}

func kindRows(t *waybillapi.BackendTable) (rows [][]string) {
	for _, k := range t.Spec.Kinds {
		var create []string
		for _, c := range k.Create {
			create = append(create, c.Path)
		}
		rows = append(rows, cli.SafeCells(k.Kind, cmp.Or(k.ID, "{id}"), strings.Join(create, " "), cli.OrDash(k.Replace), cli.OrDash(k.Read),
			k.Delete, cli.OrDash(strings.Join(k.Parents, " "))))
	}
	return rows
}
