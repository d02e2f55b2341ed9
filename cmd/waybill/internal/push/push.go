// Package push has the command `waybill push`, which plans and applies what Translations want of a backend.
package push

import (
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// NewCommand returns `waybill push`.
func NewCommand() *cobra.Command {
	cmd := cli.NewGroup("push", "Make something with an HTTP API hold what Translations ask for",
		newPlanCommand(), newApplyCommand(), newTablesCommand(), newTableCommand())
	cmd.Long = `A Translation lists the resources that a backend (a network, a DNS, a load balancer) should have for
one object. Plan compares Translations with an inventory of what was applied, and says which
operations lead from there to here. It contacts no server. Apply carries them out, and keeps the
inventory.

A backend is described by a BackendTable: kinds of resources, their paths, what status codes mean.
'waybill push tables' lists those that come along; others are files.

The inventory decides what is deleted, so every place that pushes a package needs the same one. By
default it is DIR.BACKEND.inventory, beside the package and not in it; a journal of what changes is
beside that.`
	return cmd
}
