package reconcile

import (
	"github.com/spf13/cobra"
	"k8s.io/client-go/rest"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// Repositories are those that hold package revisions.
type Repositories interface {
	snapshot.Repositories
	// Overlaps returns which of the opened Repository objects show the same revisions.
	Overlaps() []snapshot.Overlap
}

// PorchRepositories are those of a cluster whose revisions a Porch serves. Reread has each read again when it is used next.
type PorchRepositories interface {
	Repositories
	Reread()
}

// OpenPorch opens the repositories of a cluster with a Porch.
type OpenPorch func(cluster *rest.Config) (PorchRepositories, error)

// repositories are those of the files, or of a cluster with a Porch. Those of an earlier run stay open, and are read again.
func (r *command) repositories(cmd *cobra.Command, in *local.Input, before Repositories) (Repositories, error) {
	switch was := before.(type) {
	case *local.Repositories:
		return was.WithInput(in), nil
	case PorchRepositories:
		was.Reread()
		return was, nil
	}
	if r.revisions != cli.RevisionsInPorch {
		return ofFiles(cmd, in), nil
	}
	cfg, err := cli.Await(cmd.Context(), r.where.Config)
	if err != nil {
		return nil, err
	}
	return r.openPorch(cfg)
}

// ofFiles are the repositories of files. It prints warnings about them.
func ofFiles(cmd *cobra.Command, in *local.Input) *local.Repositories {
	repos := in.Repositories(nil)
	repos.Warn, repos.Registry.Client.Cache = cli.Warner(cmd), new(cli.CacheFlags).Registries(0)
	return repos
}
