package rpkg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/cluster"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/render/load"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/snapshot"
)

// repositoryKey names a Repository object.
type repositoryKey = local.Key

// repositories are Repository objects, of files or of a cluster.
type repositories struct {
	keys []repositoryKey // sorted
	// open opens the repository of one object, at most once.
	open func(ctx context.Context, namespace, name string) (*snapshot.Repository, error)
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
	cmd.Flags().BoolVarP(&f.all, "all-namespaces", "A", false, "the Repository objects of all namespaces (default); get prints namespaces")
	cli.CompleteFlag(cmd, "namespace", f.findNamespaces, cobra.ShellCompDirectiveNoFileComp)
}

// open returns the Repository objects of --namespace.
func (f *repositoryFlags) open(cmd *cobra.Command) (repositories, error) {
	all, err := f.openAll(cmd)
	if err != nil {
		return all, err
	}
	return f.within(all)
}

// within selects those of --namespace.
func (f *repositoryFlags) within(all repositories) (repositories, error) {
	if f.namespace == "" {
		return all, nil
	}
	all.keys = slices.DeleteFunc(slices.Clone(all.keys), func(key repositoryKey) bool { return key.Namespace != f.namespace })
	if len(all.keys) == 0 {
		return all, fmt.Errorf("there is no Repository in namespace %q", f.namespace)
	}
	return all, nil
}

// openAll returns the Repository objects of all namespaces, from files or a cluster.
func (f *repositoryFlags) openAll(cmd *cobra.Command) (repositories, error) {
	if f.all && f.namespace != "" {
		return repositories{}, cli.Usagef("use either --namespace or --all-namespaces")
	}
	if len(f.files) == 0 {
		return f.openCluster(cmd)
	}
	if f.where.Given() {
		return repositories{}, cli.Usagef("--filename reads files, --kubeconfig and --context read a cluster: use one of them")
	}
	for _, arg := range cmd.Flags().Args() {
		if info, err := os.Stat(arg); err == nil && info.Mode().IsRegular() && load.IsResourceFile(arg) {
			return repositories{}, cli.Usagef("%q is a file and no package revision: put a pattern for --filename in quotes", arg)
		}
	}
	in, err := cli.Await(cmd.Context(), func() (*local.Input, error) { return local.ReadRepositories(f.files, cmd.InOrStdin()) })
	if err != nil {
		return repositories{}, err
	}
	repos := in.Repositories(nil)
	repos.Warn, repos.Registry.Client.Cache = cli.Warner(cmd), new(cli.CacheFlags).Registries(0)
	if len(repos.Keys()) == 0 {
		return repositories{}, errors.New("--filename names no Repository")
	}
	return repositories{repos.Keys(), repos.Repository}, nil
}

// openCluster returns the Repository objects of the cluster that the user named.
func (f *repositoryFlags) openCluster(cmd *cobra.Command) (out repositories, err error) {
	if !f.where.Wanted(cmd) {
		return out, cli.Usagef("name the files or folders with your Repository objects by --filename, or their cluster by --kubeconfig")
	}
	cfg, err := cli.Await(cmd.Context(), f.where.Config)
	if err != nil {
		return out, err
	}
	client, err := cluster.NewClient(cfg)
	if err != nil {
		return out, err
	}
	objects, err := client.Repositories(cmd.Context(), "")
	if err == nil && len(objects) == 0 {
		err = errors.New("there is no Repository in the cluster")
	}
	for _, o := range objects {
		out.keys = append(out.keys, repositoryKey{Namespace: o.Namespace, Name: o.Name})
	}
	out.open = cluster.NewOpener(client).Repository
	return out, err
}

// listRevisions lists the revisions of the repositories for which use returns true, by name; nil uses all.
func listRevisions(ctx context.Context, repos repositories, use func(repositoryKey) bool) ([]revision.Known, error) {
	out, errs := listEach(ctx, repos, use, true)
	return out, errors.Join(errs...)
}

// listMade lists the revisions of all repositories but registries: what lies there is not upgraded there.
func listMade(ctx context.Context, repos repositories) (out []revision.Known, err error) {
	for _, key := range repos.keys {
		repo, err := repos.open(ctx, key.Namespace, key.Name)
		if registry := new(snapshot.UpstreamOnlyError); errors.As(err, &registry) || err == nil && repo.NoDrafts != "" {
			continue
		}
		revs, err := knownRevisions(ctx, repos, key)
		if err != nil {
			return nil, err
		}
		out = append(out, revs...)
	}
	sortByName(out)
	return out, nil
}

// branchError is what is wrong with the main branch of a repository.
type branchError struct{ error }

// listReadable lists the revisions of the readable repositories, and warns of the others, which the user did not name. It returns
// an error if none is readable, and beside the revisions if a main branch is wrong.
func listReadable(cmd *cobra.Command, repos repositories) ([]revision.Known, error) {
	out, errs := listEach(cmd.Context(), repos, nil, false)
	if out == nil && len(errs) < 2 {
		return nil, errors.Join(errs...)
	}
	var wrong []error
	for _, err := range errs {
		if _, isBranch := errors.AsType[branchError](err); isBranch {
			wrong = append(wrong, err)
			continue
		}
		cli.Warner(cmd)(cli.Message(err))
	}
	if out == nil {
		return nil, fmt.Errorf("%d repositories cannot be read", len(errs))
	}
	return out, errors.Join(wrong...)
}

// listEach lists the revisions of repositories, by name, and why others are unreadable. The revisions are nil if no
// repository is readable, or if one is not and all are needed.
func listEach(ctx context.Context, repos repositories, use func(repositoryKey) bool, all bool) (out []revision.Known, errs []error) {
	for _, key := range repos.keys {
		if use != nil && !use(key) {
			continue
		}
		revs, err := knownRevisions(ctx, repos, key)
		if err == nil && !all {
			errs = append(errs, checkBranch(ctx, repos, key)...)
		}
		switch {
		case err == nil && out == nil:
			out = revs
		case err == nil:
			out = append(out, revs...)
		default:
			if errs = append(errs, err); all || ctx.Err() != nil {
				return nil, errs
			}
		}
	}
	sortByName(out)
	return out, errs
}

func sortByName(revs []revision.Known) {
	slices.SortStableFunc(revs, func(a, b revision.Known) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Namespace, b.Namespace))
	})
}

// checkBranch says what is wrong with the main branch of a repository, whose revisions can be listed all the same.
func checkBranch(ctx context.Context, repos repositories, key repositoryKey) []error {
	repo, err := repos.open(ctx, key.Namespace, key.Name)
	if err == nil {
		err = repo.ForUsers.CheckBranch()
	}
	if err != nil {
		return []error{branchError{fmt.Errorf("repository %s: %w", key, err)}}
	}
	return nil
}

func knownRevisions(ctx context.Context, repos repositories, key repositoryKey) (out []revision.Known, err error) {
	repo, err := repos.open(ctx, key.Namespace, key.Name)
	if err != nil {
		return nil, err
	}
	revs, err := repo.Store.List()
	if err != nil {
		return nil, fmt.Errorf("repository %s: %w", key, err)
	}
	out = []revision.Known{} // not nil: an empty repository is readable
	for _, r := range revs {
		out = append(out, revision.Known{Revision: r, Namespace: key.Namespace, Store: repo.ForUsers, URL: repo.URL})
	}
	return out, nil
}
