package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/waybill-dev/waybill/controllers/cluster"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/controllers/packagevariant"
)

// repositoryKey names a Repository object.
type repositoryKey = local.Key

// repositories are Repository objects, and open what they name: all that the verbs of rpkg know of where
// those objects come from.
type repositories interface {
	// Keys names the objects, sorted.
	Keys(ctx context.Context) ([]repositoryKey, error)
	// Repository opens the repository of one, at most once.
	Repository(ctx context.Context, namespace, name string) (*packagevariant.Repository, error)
}

// repositoryFlags say which repositories a command is about.
type repositoryFlags struct {
	files     []string
	where     clusterFlags
	namespace string
	all       bool
}

func (f *repositoryFlags) add(cmd *cobra.Command) {
	addFiles(cmd, &f.files)
	f.where.add(cmd)
	cmd.Flags().StringVarP(&f.namespace, "namespace", "n", "", "only the Repository objects of this namespace")
	cmd.Flags().BoolVarP(&f.all, "all-namespaces", "A", false, "those of all namespaces, which is the default; get prints the namespaces")
}

// open reads the Repository objects, those of --namespace only.
func (f *repositoryFlags) open(cmd *cobra.Command) (repositories, error) {
	all, err := f.openAll(cmd)
	if err != nil {
		return nil, err
	}
	return f.within(all), nil
}

// within leaves those of --namespace.
func (f *repositoryFlags) within(all repositories) repositories {
	if f.namespace == "" {
		return all
	}
	return ofNamespace{all, f.namespace}
}

// openAll reads the Repository objects of all namespaces: where they come from is decided here.
func (f *repositoryFlags) openAll(cmd *cobra.Command) (repositories, error) {
	if f.all && f.namespace != "" {
		return nil, usage("say either --namespace or --all-namespaces")
	}
	if len(f.files) == 0 {
		return f.openCluster(cmd)
	}
	if f.where.given() {
		return nil, usage("--filename reads files, --kubeconfig and --context a cluster: choose one")
	}
	in, err := untilEnd(cmd.Context(), func() (*local.Input, error) { return local.Read(f.files, cmd.InOrStdin()) })
	if err != nil {
		return nil, err
	}
	repos := in.Repositories(nil)
	if len(repos.Keys()) == 0 {
		return nil, fmt.Errorf("there is no Repository in what --filename names")
	}
	return filedRepositories{repos}, nil
}

// openCluster reads the Repository objects of a cluster, when one is named.
func (f *repositoryFlags) openCluster(cmd *cobra.Command) (repositories, error) {
	if !f.where.given() && os.Getenv(clientcmd.RecommendedConfigPathEnvVar) == "" {
		return nil, usage("name the files or folders with your Repository objects by --filename, or a cluster that has them by --kubeconfig")
	}
	cfg, err := untilEnd(cmd.Context(), f.where.config)
	if err != nil {
		return nil, err
	}
	reader, err := cluster.NewReader(cfg)
	if err != nil {
		return nil, err
	}
	return clusterRepositories{reader}, nil
}

// clusterRepositories are the Repository objects of a cluster.
type clusterRepositories struct{ *cluster.Reader }

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

// ofNamespace are those repositories that are of one namespace.
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

func addFiles(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringSliceVarP(files, "filename", "f", nil, "`PATH` of a file or folder of YAML objects, or - for stdin; repeatable")
	f := cmd.Flags().Lookup("filename")
	f.Value, f.DefValue = notEmpty{f.Value}, ""
}

// notEmpty refuses an empty value, such as that of a variable that is not set: a list of paths would be the shorter by one.
type notEmpty struct{ pflag.Value }

// String is what help shows as the default: nothing for an empty list.
func (v notEmpty) String() string { return strings.Trim(v.Value.String(), "[]") }

func (v notEmpty) Set(text string) error {
	if text == "" {
		return errors.New("the path is empty")
	}
	return v.Value.Set(text)
}
