// Package repo has the command `waybill repo`, which writes, lists and removes Repository objects, in files or in a cluster.
package repo

import (
	"github.com/spf13/cobra"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/cluster"
)

// NewCommand returns `waybill repo`.
func NewCommand() *cobra.Command {
	return cli.NewGroup("repo", "Register repositories of package revisions",
		newRegCommand(), newGetCommand(), newSyncCommand(), newUnregCommand())
}

// placeFlags say where the Repository objects are.
type placeFlags struct {
	files     []string
	where     cli.ClusterFlags
	namespace string
}

func (f *placeFlags) add(cmd *cobra.Command) {
	cli.AddFiles(cmd, &f.files)
	f.where.Add(cmd)
	cmd.Flags().StringVarP(&f.namespace, "namespace", "n", "", "namespace of the Repository objects")
}

// check wants files or a cluster, and not both.
func (f *placeFlags) check(cmd *cobra.Command) error {
	switch {
	case len(f.files) > 0 && f.where.Given():
		return cli.Usagef("--filename is for files, --kubeconfig and --context are for a cluster: use one of them")
	case len(f.files) == 0 && !f.where.Wanted(cmd):
		return cli.Usagef("name the file of the Repository objects by --filename, or their cluster by --kubeconfig")
	}
	return nil
}

// inNamespace is the namespace of one object: --namespace, or that of the kubeconfig's context, or "default" in files.
func (f *placeFlags) inNamespace() (string, error) {
	switch {
	case f.namespace != "":
		return f.namespace, nil
	case len(f.files) > 0:
		return metav1.NamespaceDefault, nil
	}
	return f.where.Namespace()
}

// cluster returns a client of the cluster.
func (f *placeFlags) cluster() (*cluster.Client, error) {
	cfg, err := f.where.Config()
	if err != nil {
		return nil, err
	}
	return cluster.NewClient(cfg)
}
