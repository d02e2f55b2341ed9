package root

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/doctor"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fleet"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/fn"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/helm"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/image"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/publish"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/push"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/reconcile"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/repo"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/rpkg"
)

// Parts are what programs link in different ways.
type Parts struct {
	Controller func() *cobra.Command // `waybill controller`
	OpenPorch  reconcile.OpenPorch   // for `waybill reconcile --revisions porch`
}

// group is a command directly below `waybill`, which may hold others.
type group struct {
	name string
	make func() *cobra.Command
}

func groups(parts Parts) []group {
	return []group{
		{"reconcile", func() *cobra.Command { return reconcile.NewCommand(parts.OpenPorch) }},
		{"controller", parts.Controller},
		{"fn", fn.NewCommand},
		{"pkg", pkg.NewCommand},
		{"rpkg", rpkg.NewCommand},
		{"repo", repo.NewCommand},
		{"helm", helm.NewCommand},
		{"fleet", fleet.NewCommand},
		{"publish", publish.NewCommand},
		{"push", push.NewCommand},
		{"image", image.NewCommand},
		{"doctor", doctor.NewCommand},
		{"version", newVersionCommand},
	}
}

// commandFor returns `waybill` with the group of the command that args run, or with all groups unless args begin with the name of a
// command that runs: to make all commands takes as long as a small render. A command acts the same without those of other groups.
func commandFor(parts Parts, args []string) *cobra.Command {
	all := groups(parts)
	i := slices.IndexFunc(all, func(g group) bool { return len(args) > 0 && g.name == args[0] })
	if i < 0 {
		return NewCommand(parts)
	}
	root := newRoot()
	root.CompletionOptions.DisableDefaultCmd = true
	root.AddCommand(all[i].make())
	if found, _, err := root.Find(args); err != nil || found.HasSubCommands() {
		return NewCommand(parts) // it prints what there is, or what was meant
	}
	return root
}
