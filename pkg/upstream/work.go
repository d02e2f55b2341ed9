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
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Bounds on packages that bring in others: one may well name itself.
const (
	mostPackages = 1000
	mostNested   = 32
)

// LeftOut is something that a package cannot hold: a symbolic link, a submodule, what a write that was
// killed has left.
type LeftOut struct {
	Path string `json:"path"` // within the root
	Kind string `json:"kind"`
}

// work is a package in the making, with all subpackages in it.
type work struct {
	src        Source
	observe    func(Event)
	tree       pkgtree.Tree
	fetched    int
	leftOut    []LeftOut
	executable []string
}

func newWork(src Source, tree pkgtree.Tree, observe func(Event)) *work {
	if observe == nil {
		observe = func(Event) {}
	}
	return &work{src: src, tree: tree, observe: observe}
}

// tell tells of e, without what may be a secret.
func (w *work) tell(e Event) {
	e.From.Repo = WithoutSecret(e.From.Repo)
	w.observe(e)
}

// kptfile is that of the package in dir.
func (w *work) kptfile(dir string) (*kptfile.File, error) {
	file := path.Join(dir, kptfile.Name)
	data, ok := w.tree.Get(file)
	if !ok {
		return nil, fmt.Errorf("not a package: there is no %s", file)
	}
	return kptfile.Parse(file, data)
}

func (w *work) setKptfile(dir string, k *kptfile.File) error {
	data, err := k.Bytes()
	if err != nil {
		return fmt.Errorf("%s: %w", path.Join(dir, kptfile.Name), err)
	}
	w.tree, err = w.tree.Apply(map[string][]byte{path.Join(dir, kptfile.Name): data})
	return err
}

// put puts a package in the place of the one in dir, with its subpackages.
func (w *work) put(dir string, pkg pkgtree.Tree) error {
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

// subpackages are the packages in dir that are in no other package in it, in path order.
func (w *work) subpackages(dir string) []string {
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

// count counts a package that is to be fetched, nested so many deep.
func (w *work) count(dir string, nested int) error {
	if w.fetched++; nested > mostNested || w.fetched > mostPackages {
		return fmt.Errorf("package %q: it is nested more than %d deep, or one of more than %d, and may well contain itself; "+
			"take it, or what brings it in, out of upstream", dir, mostNested, mostPackages)
	}
	return nil
}

// fetch asks what upstream has for the package in dir now.
func (w *work) fetch(ctx context.Context, dir string, from kptfilev1.Git) (*gitrepo.Fetched, error) {
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

// programs are the files of tree that are programs upstream, sorted.
func (w *work) programs(tree pkgtree.Tree) []string {
	there := slices.DeleteFunc(w.executable, func(p string) bool { return tree.Blob(p) == nil })
	slices.Sort(there)
	return slices.Compact(there)
}

// mayBring refuses subpackages that would bring what is on this machine into a package from elsewhere, now or with a later
// update. by is where the Kptfile of the one in dir was fetched.
func mayBring(dir string, by kptfilev1.Git, k *kptfile.File) error {
	if gitrepo.IsLocal(by.Repo) {
		return nil
	}
	for _, from := range namedIn(k) {
		if gitrepo.IsLocal(from.repo) {
			return fmt.Errorf("package %q: %s in %s is %q, a repository of this machine, and the package around it comes from "+
				"elsewhere; nothing of this machine is taken on the word of another: have it changed there, or clone the "+
				"repository and take the package from the clone", dir, from.field, path.Join(dir, kptfile.Name), gitrepo.Redact(from.repo))
		}
	}
	return nil
}

type namedRepo struct{ field, repo string }

// namedIn are the repositories that a Kptfile has us ask.
func namedIn(k *kptfile.File) (out []namedRepo) {
	if hasGit(k) {
		out = append(out, namedRepo{"upstream.git.repo", k.Spec.Upstream.Git.Repo})
	}
	if lock := k.Spec.UpstreamLock; lock != nil && lock.Git != nil {
		out = append(out, namedRepo{"upstreamLock.git.repo", lock.Git.Repo})
	}
	return out
}

// checkLock refuses what is no whole commit in a lock: kpt writes down whatever it was given.
func checkLock(dir string, lock kptfilev1.GitLock) error {
	if _, err := gitrepo.ParseHash(strings.ToLower(lock.Commit)); err != nil {
		return fmt.Errorf("%s: upstreamLock.git.commit is %q, and not the 40 hex digits of a commit: write down those of the commit "+
			"that the package was taken from (git rev-parse %s says which, in a clone)", path.Join(dir, kptfile.Name), lock.Commit, lock.Commit)
	}
	return nil
}

// settled is the ref to write down for one that was asked for: a commit by its whole id, as its beginning may one day mean
// others or none; the branch that HEAD was.
func settled(asked string, f *gitrepo.Fetched) string {
	if asked == "" || asked == "HEAD" || f.Ref == f.Commit.String() && strings.HasPrefix(f.Ref, strings.ToLower(asked)) {
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

// locatorOf is where f was fetched, as it is written down.
func locatorOf(from kptfilev1.Git, f *gitrepo.Fetched) kptfilev1.Locator {
	return kptfilev1.Locator{Type: kptfilev1.GitOrigin, Git: &kptfilev1.GitLock{
		Repo: WithoutSecret(from.Repo), Directory: from.Directory, Ref: f.Ref, Commit: f.Commit.String(),
	}}
}
