// Package fleet has the command `waybill fleet`; each verb has a package of its own.
package fleet

import (
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/adopt"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/explain"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/preview"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/report"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/status"
)

// NewCommand returns `waybill fleet`.
func NewCommand() *cobra.Command {
	return cli.NewGroup("fleet", "Questions about a whole fleet", adopt.NewCommand(), explain.NewCommand(), preview.NewCommand(),
		report.NewCommand(), status.NewCommand())
}
