package repo

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/cluster"
)

type syncCommand struct {
	placeFlags
	all bool
}

func newSyncCommand() *cobra.Command {
	var s syncCommand
	cmd := &cobra.Command{
		Use:   "sync NAME...",
		Short: "Have a cluster read repositories again now",
		Long: `Sync sets spec.sync.runOnceAt of Repository objects to the present time: Porch and Waybill's
controller then read the repository again. Commands with --filename always read it, so that sync
is for clusters.`,
		Example: `  waybill repo sync deployments -n fleet --kubeconfig admin.conf`,
		Args: cli.Args(func(cmd *cobra.Command, args []string) error {
			if s.all {
				return cobra.NoArgs(cmd, args)
			}
			return cobra.MinimumNArgs(1)(cmd, args)
		}),
		RunE: func(cmd *cobra.Command, names []string) error { return s.run(cmd, names) },
	}
	s.add(cmd)
	cmd.Flags().BoolVar(&s.all, "all", false, "all Repository objects of the namespace")
	return cmd
}

func (s *syncCommand) run(cmd *cobra.Command, names []string) error {
	if len(s.files) > 0 {
		return cli.Usagef("--filename: nothing keeps what it read of the repositories in files; sync is for a cluster")
	}
	if err := s.check(cmd); err != nil {
		return err
	}
	namespace, err := s.inNamespace()
	if err != nil {
		return err
	}
	c, err := s.cluster()
	if err != nil {
		return err
	}
	if s.all {
		objects, err := c.Repositories(cmd.Context(), namespace)
		if err != nil {
			return err
		}
		for _, obj := range objects {
			names = append(names, obj.Name)
		}
	}
	for _, name := range names {
		if err := touch(cmd.Context(), c, types.NamespacedName{Namespace: namespace, Name: name}); err != nil {
			return fmt.Errorf("sync %s: %w", name, err)
		}
		if _, err := fmt.Fprintf(cmd.OutOrStdout(), "%s will be read again\n", name); err != nil {
			return err
		}
	}
	return nil
}

// touch asks for another reading now.
func touch(ctx context.Context, c *cluster.Client, key types.NamespacedName) error {
	now := time.Now().UTC().Format(time.RFC3339)
	return c.PatchRepository(ctx, key, `{"spec":{"sync":{"runOnceAt":"`+now+`"}}}`)
}
