package main

import "github.com/spf13/cobra"

func newFleetCommand() *cobra.Command {
	return group("fleet", "Questions about a whole fleet", newFleetExplainCommand(), newFleetPreviewCommand(), newFleetReportCommand(),
		newFleetStatusCommand())
}
