package rpkg

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/api/porch"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/upstream"
	"github.com/waybill-dev/waybill/pkg/variant/draft"
)

// isURL reports whether a source is the URL or path of a repository, and not the name of a revision.
func isURL(source string) bool {
	return strings.ContainsAny(strings.TrimPrefix(source, namespaceOf(source)+"/"), "/:")
}

// namespaceOf is the namespace in NAMESPACE/NAME.
func namespaceOf(source string) string {
	before, after, found := strings.Cut(source, "/")
	if !found || before == "" || strings.ContainsAny(before, ":.@") || strings.Contains(after, "/") || !strings.Contains(after, ".") {
		return ""
	}
	return before
}

// source reads the package to clone, and says how it was found.
func (c *cloneCommand) source(ctx context.Context, s session, source, namespace string) (from draft.Source, task porch.Task, err error) {
	clone := &porch.CloneTask{Strategy: c.strategy}
	task = porch.Task{Type: porch.TaskClone, Clone: clone}
	if clone.Strategy == "" {
		clone.Strategy = string(merge.ResourceMerge)
	}
	if isURL(source) {
		from, clone.Upstream, err = c.fetch(ctx, source)
		return from, task, err
	}
	rev, err := s.one(source, isRelease)
	if err == nil {
		err = checkRelease(rev)
	}
	if err == nil && rev.Namespace != namespace {
		err = fmt.Errorf("it is in namespace %q and the Repository %q in %q: both must be in one", rev.Namespace, c.repository, namespace)
	}
	if err != nil {
		return from, task, err
	}
	clone.Upstream.UpstreamRef = &porch.PackageRevisionRef{Name: rev.Name}
	from = draft.Source{Name: rev.Name, Lock: rev.SelfLock(), From: rev.SelfLock()}
	from.Tree, err = rev.Store.Content(rev.Revision)
	return from, task, err
}

// fetch fetches the package at a URL.
func (c *cloneCommand) fetch(ctx context.Context, source string) (from draft.Source, as porch.UpstreamPackage, err error) {
	at, err := c.place(source)
	if err != nil {
		return from, as, err
	}
	src, err := pkg.Source(&c.functions.CacheFlags, &pkg.RegistryFlags{})
	if err != nil {
		return from, as, err
	}
	got, err := src.Fetch(ctx, at)
	if err != nil {
		return from, as, err
	}
	repo := upstream.WithoutSecret(at.Repo)
	lock := kptfilev1.GitLock{Repo: repo, Directory: strings.Trim(at.Directory, "/"), Ref: got.Ref, Commit: got.Version()}
	from = draft.Source{Name: repo, Tree: got.Tree, Lock: lock, From: lock}
	return from, c.upstream(lock), nil
}

// upstream is what a lock names, as tasks record it.
func (c *cloneCommand) upstream(lock kptfilev1.GitLock) porch.UpstreamPackage {
	if image, isOCI := strings.CutPrefix(lock.Repo, oci.Scheme); isOCI {
		return porch.UpstreamPackage{Type: porch.RepositoryOCI, OCI: &porch.OCIPackage{Image: image + "@" + lock.Commit}}
	}
	git := &porch.GitPackage{Repo: lock.Repo, Ref: lock.Ref, Directory: lock.Directory}
	if c.secret != "" {
		git.SecretRef = &porch.SecretRef{Name: c.secret}
	}
	return porch.UpstreamPackage{Type: porch.RepositoryGit, Git: git}
}

// place is the package that a URL and the flags name.
func (c *cloneCommand) place(source string) (kptfilev1.Git, error) {
	if oci.IsURL(source) && c.secret != "" {
		return kptfilev1.Git{}, cli.Usagef("--secret-ref is for Git repositories: log in to the registry with docker or podman")
	}
	from, err := upstream.ParseTarget(source)
	switch {
	case err == nil:
	case c.directory != "": // it says where the repository ends
		from = kptfilev1.Git{Repo: source, Directory: "/"}
	default:
		return from, cli.Usagef("%w", err)
	}
	if c.directory != "" {
		if from.Directory != "/" && from.Directory != "" {
			return from, cli.Usagef("use either --directory or a folder in the URL")
		}
		from.Directory = "/" + strings.Trim(c.directory, "/")
	}
	if c.ref != "" {
		if from.Ref != "" {
			return from, cli.Usagef("use either --ref or a ref in the URL")
		}
		from.Ref = c.ref
	}
	if !strings.Contains(from.Repo, "://") && gitrepo.IsLocal(from.Repo) {
		from.Repo, err = filepath.Abs(from.Repo)
		return from, err
	}
	return from, nil
}
