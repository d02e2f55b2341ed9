package upstream

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Bounds on packages that contain others: a package may contain itself.
const (
	maxPackages = 1000
	maxNested   = 32
)

// LeftOut is something that a package cannot hold: a symbolic link, a submodule, or a temporary file of an
// interrupted write.
type LeftOut struct {
	Path string `json:"path"` // within the root
	Kind string `json:"kind"`
}

// workspace is a package that is being changed, with all its subpackages.
type workspace struct {
	src        Source
	observe    func(Event)
	tree       pkgtree.Tree
	fetched    int
	leftOut    []LeftOut
	executable []string
}

func newWorkspace(src Source, tree pkgtree.Tree, observe func(Event)) *workspace {
	if observe == nil {
		observe = func(Event) {}
	}
	return &workspace{src: src, tree: tree, observe: observe}
}

// emit calls the observer, without what may be a secret.
func (w *workspace) emit(e Event) {
	e.From.Repo = WithoutSecret(e.From.Repo)
	w.observe(e)
}

// kptfile is that of the package in dir.
func (w *workspace) kptfile(dir string) (*kptfile.File, error) {
	file := path.Join(dir, kptfile.Name)
	data, ok := w.tree.Get(file)
	if !ok {
		return nil, fmt.Errorf("not a package: there is no %s", file)
	}
	return kptfile.Parse(file, data)
}

func (w *workspace) setKptfile(dir string, k *kptfile.File) error {
	data, err := k.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", path.Join(dir, kptfile.Name), err)
	}
	w.tree, err = w.tree.Apply(map[string][]byte{path.Join(dir, kptfile.Name): data})
	return err
}

// put replaces the package in dir, with its subpackages.
func (w *workspace) put(dir string, pkg pkgtree.Tree) error {
	tree, err := graft(w.tree, dir, pkg)
	if err == nil {
		w.tree = tree
	}
	return err
}

func graft(tree pkgtree.Tree, dir string, pkg pkgtree.Tree) (pkgtree.Tree, error) {
	if dir == "." {
		return pkg, nil
	}
	blobs := map[string]*pkgtree.Blob{}
	for p, b := range tree.All() {
		if !strings.HasPrefix(p, dir+"/") {
			blobs[p] = b
		}
	}
	for p, b := range pkg.All() {
		blobs[path.Join(dir, p)] = b
	}
	return pkgtree.FromBlobs(blobs)
}

// subpackages are the topmost packages in dir, in path order.
func (w *workspace) subpackages(dir string) []string {
	packages := map[string]bool{}
	for _, p := range w.tree.Sub(dir).Paths() {
		if sub := path.Dir(p); path.Base(p) == kptfile.Name && sub != "." {
			packages[sub] = true
		}
	}
	var out []string
	for _, sub := range slices.Sorted(maps.Keys(packages)) {
		above := path.Dir(sub)
		for above != "." && !packages[above] {
			above = path.Dir(above)
		}
		if above == "." {
			out = append(out, path.Join(dir, sub))
		}
	}
	return out
}

// count counts a package to fetch at that depth.
func (w *workspace) count(dir string, nested int) error {
	if w.fetched++; nested > maxNested || w.fetched > maxPackages {
		return fmt.Errorf("package %q is nested more than %d deep, or is one of more than %d packages; it may contain itself; "+
			"remove it, or the package that contains it, upstream", dir, maxNested, maxPackages)
	}
	return nil
}

// fetch fetches the upstream of the package in dir.
func (w *workspace) fetch(ctx context.Context, dir string, from kptfilev1.Git) (*gitrepo.Fetched, error) {
	f, err := w.src.Fetch(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, l := range f.LeftOut {
		w.leftOut = append(w.leftOut, LeftOut{path.Join(dir, l.Path), l.Kind})
	}
	for _, p := range f.Executable {
		w.executable = append(w.executable, path.Join(dir, p))
	}
	return f, nil
}

// executables are the files of tree that are executable upstream, sorted.
func (w *workspace) executables(tree pkgtree.Tree) []string {
	there := slices.DeleteFunc(w.executable, func(p string) bool { return tree.Blob(p) == nil })
	slices.Sort(there)
	return slices.Compact(there)
}

// checkLocalSources refuses a subpackage that names a repository of this machine in a package from another machine: this or a later
// update would copy local files into it. by is where the Kptfile of the one in dir was fetched.
func checkLocalSources(dir string, by kptfilev1.Git, k *kptfile.File) error {
	if gitrepo.IsLocal(by.Repo) {
		return nil
	}
	for _, from := range reposIn(k) {
		if gitrepo.IsLocal(from.repo) {
			return fmt.Errorf("package %q: %s in %s is %q, a repository of this machine, but the package that contains it comes from "+
				"another machine, and may not copy local files: change it upstream, or clone the "+
				"repository of the outer package and get the package from the clone",
				dir, from.field, path.Join(dir, kptfile.Name), gitrepo.Redact(from.repo))
		}
	}
	return nil
}

type namedRepo struct{ field, repo string }

// reposIn are the repositories that a Kptfile names.
func reposIn(k *kptfile.File) (out []namedRepo) {
	if hasGit(k) {
		out = append(out, namedRepo{"upstream.git.repo", k.Spec.Upstream.Git.Repo})
	}
	if lock := k.Spec.UpstreamLock; lock != nil && lock.Git != nil {
		out = append(out, namedRepo{"upstreamLock.git.repo", lock.Git.Repo})
	}
	return out
}

// checkLock refuses a lock without a full commit id: kpt records whatever it was given.
func checkLock(dir string, lock kptfilev1.GitLock) error {
	if oci.IsURL(lock.Repo) {
		if !oci.IsDigest(lock.Commit) {
			return fmt.Errorf("%s: upstreamLock.git.commit is %q, and not the digest of an artifact: write sha256: and the 64 hex digits of "+
				"the artifact from which the package was fetched", path.Join(dir, kptfile.Name), lock.Commit)
		}
		return nil
	}
	if _, err := gitrepo.ParseHash(strings.ToLower(lock.Commit)); err != nil {
		return fmt.Errorf("%s: upstreamLock.git.commit is %q, and not the 40 hex digits of a commit: write those of the commit "+
			"from which the package was fetched (run git rev-parse %s in a clone)", path.Join(dir, kptfile.Name), lock.Commit, lock.Commit)
	}
	return nil
}

// recordedRef is the ref to record for the one that was asked for: the full id of a commit, since the beginning of an id may become
// ambiguous; the branch of HEAD; the tag of an artifact that was named by its digest, too.
func recordedRef(asked string, f *gitrepo.Fetched) string {
	if asked == "" || asked == "HEAD" || f.Digest != "" || f.Ref == f.Commit.String() && strings.HasPrefix(f.Ref, strings.ToLower(asked)) {
		return f.Ref
	}
	return asked
}

func inPackage(dir string, err error) error {
	if dir == "." {
		return err
	}
	return fmt.Errorf("package %q: %w", dir, err)
}

// locatorOf is the place of f for upstreamLock.
func locatorOf(from kptfilev1.Git, f *gitrepo.Fetched) kptfilev1.Locator {
	return kptfilev1.Locator{Type: kptfilev1.GitOrigin, Git: &kptfilev1.GitLock{
		Repo: WithoutSecret(from.Repo), Directory: from.Directory, Ref: f.Ref, Commit: f.Version(),
	}}
}
