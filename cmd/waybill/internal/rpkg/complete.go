package rpkg

import (
	"context"
	"errors"
	"slices"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	commits "github.com/waybill-dev/waybill/pkg/gitrepo/snapshot"
	"github.com/waybill-dev/waybill/pkg/revision"
	"github.com/waybill-dev/waybill/pkg/variant/manifests"
)

// guess returns the revisions that Git repositories of this machine seem to hold, by name. It reads the Repository objects of
// files, not of stdin nor a cluster, and contacts no server.
func (f *repositoryFlags) guess(ctx context.Context) (out []revision.Known, err error) {
	objects, err := f.readFiles()
	var errs []error
	for key, obj := range objects {
		dir := local.Dir(obj)
		if dir == "" || f.namespace != "" && f.namespace != key.Namespace {
			continue
		}
		refs, err := commits.Refs(ctx, dir)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		revs, err := revision.Guess(revision.Config{Name: key.Name, Directory: obj.Spec.Git.Directory}, refs)
		errs = append(errs, err)
		for _, r := range revs {
			out = append(out, revision.Known{Revision: r, Namespace: key.Namespace})
		}
	}
	sortByName(out)
	return out, errors.Join(append(errs, err)...)
}

func (f *repositoryFlags) readFiles() (map[repositoryKey]*manifests.Repository, error) {
	files := slices.DeleteFunc(slices.Clone(f.files), func(file string) bool { return file == "-" })
	slices.Sort(files)
	in, err := manifests.Read(slices.Compact(files), nil) // cobra parses the flags twice
	if err != nil {
		return nil, err
	}
	return in.RepositoryObjects, nil
}

// completeNames completes the names of revisions at one of these stages of their lifecycle, or without stages at all of them.
// A name that several namespaces have is proposed with its namespace.
func (f *repositoryFlags) completeNames(stages ...porch.Lifecycle) cobra.CompletionFunc {
	return cli.Complete(func(ctx context.Context, args []string, _ string) (out []cli.Proposal, err error) {
		revs, err := f.guess(ctx)
		for i, r := range revs {
			name := r.Name
			if i > 0 && revs[i-1].Name == name || i+1 < len(revs) && revs[i+1].Name == name {
				name = r.Namespace + "/" + name
			}
			if matches(stages, r.Lifecycle) && !slices.Contains(args, name) {
				out = append(out, cli.Proposal{Text: name, About: string(r.Lifecycle)})
			}
		}
		return out, err
	}, cobra.ShellCompDirectiveNoFileComp)
}

// findValues finds the values that the revisions have.
func (f *repositoryFlags) findValues(value func(revision.Known) string) cli.Find {
	return func(ctx context.Context, _ []string, _ string) (out []cli.Proposal, err error) {
		revs, err := f.guess(ctx)
		for _, r := range revs {
			out = append(out, cli.Proposal{Text: value(r)})
		}
		return out, err
	}
}

// findNamespaces finds the namespaces of the Repository objects in files or, without files, of the contexts of the kubeconfig.
func (f *repositoryFlags) findNamespaces(context.Context, []string, string) (out []cli.Proposal, err error) {
	if len(f.files) == 0 {
		return cli.FindNamespaces(f.where.Kubeconfig)
	}
	objects, err := f.readFiles()
	for key := range objects {
		out = append(out, cli.Proposal{Text: key.Namespace})
	}
	return out, err
}
