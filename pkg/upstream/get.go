package upstream

import (
	"cmp"
	"context"
	"path"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// GetOptions say how to get a package.
type GetOptions struct {
	// Name is the name of the package here; "" is the last part of its directory.
	Name string
	// Strategy is the strategy of later updates; "" is resource-merge.
	Strategy merge.Strategy
	// Deployment says that the package is for a cluster: it gets a package context.
	Deployment bool
	// PackagePath is the package-path of that context, "" when it is not known.
	PackagePath string
	// Observe, when set, is called before each action.
	Observe func(Event)
}

// GetResult is a package and where it comes from.
type GetResult struct {
	Tree       pkgtree.Tree
	Packages   []Fetched // in the order they were fetched, the root first
	LeftOut    []LeftOut
	Executable []string // files that are executable in Git, sorted
}

// Fetched is where a package was fetched.
type Fetched struct {
	Package string            `json:"package"` // its folder, "." for the root
	Lock    kptfilev1.GitLock `json:"lock"`
}

// getter gets one package.
type getter struct {
	*workspace
	from kptfilev1.Git
	got  []Fetched
}

// Get makes a package from the folder at from: with a Kptfile that names its upstream,
// with merge marks on its objects, and with the content of subpackages that have an upstream and were not fetched.
// The credentials in from.Repo are not recorded.
func Get(ctx context.Context, src Source, from kptfilev1.Git, o GetOptions) (*GetResult, error) {
	if o.Strategy = cmp.Or(o.Strategy, merge.ResourceMerge); !o.Strategy.Known() {
		return nil, merge.UnknownStrategy(o.Strategy)
	}
	g := &getter{workspace: newWorkspace(src, pkgtree.Tree{}, o.Observe), from: from}
	if err := g.root(ctx, o); err != nil {
		return nil, err
	}
	if err := g.fetchSubpackages(ctx, ".", from, 1); err != nil {
		return nil, err
	}
	var err error
	if g.tree, err = MarkCloned(merge.AddMarks(g.tree)); err != nil {
		return nil, err
	}
	if o.Deployment {
		if g.tree, err = AddContext(g.tree, o.Name, o.PackagePath); err != nil {
			return nil, err
		}
	}
	return &GetResult{Tree: g.tree, Packages: g.got, LeftOut: g.leftOut, Executable: g.executables(g.tree)}, nil
}

// root fetches the package itself.
func (g *getter) root(ctx context.Context, o GetOptions) error {
	from := g.from
	from.Repo = WithoutSecret(from.Repo)
	g.emit(Event{Package: ".", Action: Fetching, From: from})
	f, err := g.fetch(ctx, ".", g.from)
	if err != nil {
		return err
	}
	g.emit(Event{Package: ".", Action: Adding, From: from})
	from.Ref = recordedRef(from.Ref, f)
	if g.tree, err = withKptfile(f.Tree, o.Name); err != nil {
		return err
	}
	k, err := g.kptfile(".")
	if err != nil {
		return err
	}
	k.SetName(o.Name)
	k.SetUpstream(kptfilev1.Upstream{Type: kptfilev1.GitOrigin, Git: &from, UpdateStrategy: kptfilev1.UpdateStrategyType(o.Strategy)})
	return g.lock(".", k, locatorOf(from, f))
}

// lock records what was fetched.
func (g *getter) lock(dir string, k *kptfile.File, at kptfilev1.Locator) error {
	k.SetUpstreamLock(at)
	g.got = append(g.got, Fetched{Package: dir, Lock: *at.Git})
	return g.setKptfile(dir, k)
}

// withKptfile adds a minimal Kptfile to a folder that has none.
func withKptfile(tree pkgtree.Tree, name string) (pkgtree.Tree, error) {
	if tree.Blob(kptfile.Name) != nil {
		return tree, nil
	}
	data, err := kptfile.New(name).Bytes()
	if err != nil {
		return tree, err
	}
	return tree.Apply(map[string][]byte{kptfile.Name: data})
}

// fetchSubpackages fetches the packages in dir that have an upstream and were not fetched yet. by is where dir was fetched.
func (g *getter) fetchSubpackages(ctx context.Context, dir string, by kptfilev1.Git, nested int) error {
	for _, sub := range g.subpackages(dir) {
		k, err := g.kptfile(sub)
		if err != nil {
			return err
		}
		if err := checkLocalSources(sub, by, k); err != nil {
			return err
		}
		within := by
		if hasGit(k) && k.Spec.UpstreamLock == nil {
			within = *k.Spec.Upstream.Git
			if err := g.fetchSubpackage(ctx, sub, within, nested); err != nil {
				return err
			}
		}
		if err := g.fetchSubpackages(ctx, sub, within, nested+1); err != nil {
			return err
		}
	}
	return nil
}

// fetchSubpackage fetches a subpackage. Its files replace those of the same name, except the Kptfile.
func (g *getter) fetchSubpackage(ctx context.Context, dir string, from kptfilev1.Git, nested int) error {
	if err := g.count(dir, nested); err != nil {
		return err
	}
	g.emit(Event{Package: dir, Action: Fetching, From: from})
	f, err := g.fetch(ctx, dir, from)
	if err != nil {
		return inPackage(dir, err)
	}
	g.emit(Event{Package: dir, Action: Adding, From: from})
	res, err := merge.Packages(pkgtree.Tree{}, f.Tree, g.tree.Sub(dir), merge.Options{Strategy: merge.CopyMerge})
	if err != nil {
		return inPackage(dir, err)
	}
	k, err := g.kptfile(dir) // still ours, which names the upstream
	if err == nil {
		err = g.put(dir, res.Tree)
	}
	if err != nil {
		return err
	}
	up := *k.Spec.Upstream
	if k, err = g.kptfile(dir); err != nil {
		return err
	}
	k.SetUpstream(up)
	return g.lock(dir, k, locatorOf(from, f))
}

// NameOf is the default name of a package: the last part of its directory, or else of its
// repository.
func NameOf(from kptfilev1.Git) string {
	if name := path.Base(path.Clean("/" + from.Directory)); name != "/" {
		return name
	}
	return path.Base(WithoutSecret(from.Repo))
}
