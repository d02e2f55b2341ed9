package rpkg

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/repository"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// repositoryKey names a Repository object.
type repositoryKey = local.Key

// repositories are Repository objects, of files or of a cluster.
type repositories interface {
	// Keys names the objects, sorted.
	Keys(ctx context.Context) ([]repositoryKey, error)
	// Repository opens the repository of one object, at most once.
	Repository(ctx context.Context, namespace, name string) (*snapshot.Repository, error)
}

// repositoryFlags say which repositories a command uses.
type repositoryFlags struct {
	files     []string
	where     cli.ClusterFlags
	namespace string
	all       bool
}

func (f *repositoryFlags) add(cmd *cobra.Command) {
	cli.AddFiles(cmd, &f.files)
	f.where.Add(cmd)
	cmd.Flags().StringVarP(&f.namespace, "namespace", "n", "", "only the Repository objects of this namespace")
	cmd.Flags().BoolVarP(&f.all, "all-namespaces", "A", false, "those of all namespaces, which is the default; get prints the namespaces")
}

// open returns the Repository objects of --namespace.
func (f *repositoryFlags) open(cmd *cobra.Command) (repositories, error) {
	all, err := f.openAll(cmd)
	if err != nil {
		return nil, err
	}
	return f.within(all), nil
}

// within selects those of --namespace.
func (f *repositoryFlags) within(all repositories) repositories {
	if f.namespace == "" {
		return all
	}
	return ofNamespace{all, f.namespace}
}

// openAll returns the Repository objects of all namespaces, from files or a cluster.
func (f *repositoryFlags) openAll(cmd *cobra.Command) (repositories, error) {
	if f.all && f.namespace != "" {
		return nil, cli.Usagef("say either --namespace or --all-namespaces")
	}
	if len(f.files) == 0 {
		return f.openCluster(cmd)
	}
	if f.where.Given() {
		return nil, cli.Usagef("--filename reads files, --kubeconfig and --context a cluster: choose one")
	}
	in, err := cli.Await(cmd.Context(), func() (*local.Input, error) { return local.Read(f.files, cmd.InOrStdin()) })
	if err != nil {
		return nil, err
	}
	repos := in.Repositories(nil)
	if len(repos.Keys()) == 0 {
		return nil, fmt.Errorf("there is no Repository in what --filename names")
	}
	return filedRepositories{repos}, nil
}

// openCluster returns the Repository objects of the cluster that the user named.
func (f *repositoryFlags) openCluster(cmd *cobra.Command) (repositories, error) {
	if !f.where.Given() && os.Getenv(clientcmd.RecommendedConfigPathEnvVar) == "" {
		return nil, cli.Usagef("name the files or folders with your Repository objects by --filename, or a cluster that has them by --kubeconfig")
	}
	cfg, err := cli.Await(cmd.Context(), f.where.Config)
	if err != nil {
		return nil, err
	}
	reader, err := repository.NewReader(cfg)
	if err != nil {
		return nil, err
	}
	return clusterRepositories{reader}, nil
}

// clusterRepositories are the Repository objects of a cluster.
type clusterRepositories struct{ *repository.Reader }

func (r clusterRepositories) Keys(ctx context.Context) ([]repositoryKey, error) {
	names, err := r.Reader.Keys(ctx, "")
	if err == nil && len(names) == 0 {
		err = errors.New("there is no Repository in the cluster")
	}
	var out []repositoryKey
	for _, n := range names {
		out = append(out, repositoryKey{Namespace: n.Namespace, Name: n.Name})
	}
	return out, err
}

// filedRepositories are the Repository objects in files.
type filedRepositories struct{ *local.Repositories }

func (r filedRepositories) Keys(context.Context) ([]repositoryKey, error) {
	return r.Repositories.Keys(), nil
}

// ofNamespace are the repositories of one namespace.
type ofNamespace struct {
	repositories
	namespace string
}

func (r ofNamespace) Keys(ctx context.Context) ([]repositoryKey, error) {
	keys, err := r.repositories.Keys(ctx)
	if err != nil {
		return nil, err
	}
	var out []repositoryKey
	for _, key := range keys {
		if key.Namespace == r.namespace {
			out = append(out, key)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no Repository in namespace %q", r.namespace)
	}
	return out, nil
}
