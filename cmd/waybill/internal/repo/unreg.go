package repo

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"k8s.io/apimachinery/pkg/types"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/api/porchconfig"
	"github.com/waybill-dev/waybill/pkg/variant/registry"
)

type unregCommand struct {
	placeFlags
	keepSecret bool
}

func newUnregCommand() *cobra.Command {
	var u unregCommand
	cmd := &cobra.Command{
		Use:     "unreg NAME",
		Aliases: []string{"unregister"},
		Short:   "Remove a Repository object; the Git repository stays as it is",
		Long: `Unreg removes a Repository object from the files of --filename or from a cluster. A file with
nothing else in it is deleted. In a cluster, the Secret NAME-auth that 'waybill repo reg' made
goes as well, unless another Repository uses it. Nothing changes in Git.`,
		Example: `  waybill repo unreg deployments -f fleet -n fleet`,
		Args:    cli.Args(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := u.run(cmd, args[0]); err != nil {
				return fmt.Errorf("unregister %s: %w", args[0], err)
			}
			return nil
		},
	}
	u.add(cmd)
	cmd.Flags().BoolVar(&u.keepSecret, "keep-auth-secret", false, "keep the Secret")
	return cmd
}

func (u *unregCommand) run(cmd *cobra.Command, name string) error {
	if err := u.check(cmd); err != nil {
		return err
	}
	if slices.Contains(u.files, "-") {
		return cli.Usagef("--filename -: nothing can be removed from stdin")
	}
	namespace, err := u.inNamespace()
	if err != nil {
		return err
	}
	key := types.NamespacedName{Namespace: namespace, Name: name}
	if len(u.files) > 0 {
		file, err := removeFromFile(u.files, key)
		if err == nil {
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s unregistered from %s\n", name, cli.SafeText(file))
		}
		return err
	}
	if err := u.removeFromCluster(cmd.Context(), key); err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s unregistered\n", name)
	return err
}

func (u *unregCommand) removeFromCluster(ctx context.Context, key types.NamespacedName) error {
	c, err := u.cluster()
	if err != nil {
		return err
	}
	obj, err := c.Repository(ctx, key)
	if err != nil {
		return err
	}
	if err := c.DeleteRepository(ctx, key); err != nil {
		return err
	}
	own := secretName(key.Name)
	if u.keepSecret || registry.SecretName(obj) != own {
		return nil
	}
	others, err := c.Repositories(ctx, key.Namespace)
	if err != nil || slices.ContainsFunc(others, func(o *porchconfig.Repository) bool {
		return o.Name != key.Name && registry.SecretName(o) == own
	}) {
		return err
	}
	return c.DeleteSecret(ctx, types.NamespacedName{Namespace: key.Namespace, Name: own})
}
