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

// GetOptions say what to make of a package.
type GetOptions struct {
	// Name is what it is called here; "" is the last part of its directory.
	Name string
	// Strategy is how it is to be updated; "" is resource-merge.
	Strategy merge.Strategy
	// Deployment says that it is meant for a cluster: it gets a package context.
	Deployment bool
	// PackagePath is the context's package-path, "" when it is not known.
	PackagePath string
	// Observe, when set, is told of everything just before it is done.
	Observe func(Event)
}

// Got is a package, and how it came about.
type Got struct {
	Tree       pkgtree.Tree
	Packages   []Fetched // in the order they were fetched, the root first
	LeftOut    []LeftOut
	Executable []string // files that Git has as programs, sorted
}

// Fetched is where a package was fetched.
type Fetched struct {
	Package string            `json:"package"` // its folder, "." for the root
	Lock    kptfilev1.GitLock `json:"lock"`
}

// getting is a package on its way.
type getting struct {
	*work
	from kptfilev1.Git
	got  []Fetched
}

// Get makes a package of what is at from: with a Kptfile, made if there is none, that says where it came
// from, with merge marks on its objects, and with what its subpackages say is to be fetched for them. What
// from.Repo tells of credentials is not written down.
func Get(ctx context.Context, src Source, from kptfilev1.Git, o GetOptions) (*Got, error) {
	if o.Strategy = cmp.Or(o.Strategy, merge.ResourceMerge); !o.Strategy.Known() {
		return nil, merge.UnknownStrategy(o.Strategy)
	}
	g := &getting{work: newWork(src, pkgtree.Tree{}, o.Observe), from: from}
	if err := g.root(ctx, o); err != nil {
		return nil, err
	}
	if err := g.fill(ctx, ".", from, 1); err != nil {
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
	return &Got{Tree: g.tree, Packages: g.got, LeftOut: g.leftOut, Executable: g.programs(g.tree)}, nil
}

// root fetches the package itself.
func (g *getting) root(ctx context.Context, o GetOptions) error {
	from := g.from
	from.Repo = WithoutSecret(from.Repo)
	g.tell(Event{Package: ".", Did: Fetching, From: from})
	f, err := g.fetch(ctx, ".", g.from)
	if err != nil {
		return err
	}
	g.tell(Event{Package: ".", Did: Adding, From: from})
	from.Ref = settled(from.Ref, f)
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

// lock writes down what was fetched.
func (g *getting) lock(dir string, k *kptfile.File, at kptfilev1.Locator) error {
	k.SetUpstreamLock(at)
	g.got = append(g.got, Fetched{Package: dir, Lock: *at.Git})
	return g.setKptfile(dir, k)
}

// withKptfile gives a folder that is no package the least Kptfile that makes it one.
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

// fill fetches what the packages in dir, which was fetched from by, say is their upstream and nobody has fetched yet.
func (g *getting) fill(ctx context.Context, dir string, by kptfilev1.Git, nested int) error {
	for _, sub := range g.subpackages(dir) {
		k, err := g.kptfile(sub)
		if err != nil {
			return err
		}
		if err := mayBring(sub, by, k); err != nil {
			return err
		}
		within := by
		if hasGit(k) && k.Spec.UpstreamLock == nil {
			within = *k.Spec.Upstream.Git
			if err := g.fillOne(ctx, sub, within, nested); err != nil {
				return err
			}
		}
		if err := g.fill(ctx, sub, within, nested+1); err != nil {
			return err
		}
	}
	return nil
}

// fillOne fetches a subpackage. What was there gives way to a file of the same name, but for the Kptfile.
func (g *getting) fillOne(ctx context.Context, dir string, from kptfilev1.Git, nested int) error {
	if err := g.count(dir, nested); err != nil {
		return err
	}
	g.tell(Event{Package: dir, Did: Fetching, From: from})
	f, err := g.fetch(ctx, dir, from)
	if err != nil {
		return inPackage(dir, err)
	}
	g.tell(Event{Package: dir, Did: Adding, From: from})
	res, err := merge.Packages(pkgtree.Tree{}, f.Tree, g.tree.Sub(dir), merge.Options{Strategy: merge.CopyMerge})
	if err != nil {
		return inPackage(dir, err)
	}
	k, err := g.kptfile(dir) // ours still: its upstream is not theirs to say
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

// NameOf is what a package is called that nobody has named: the last part of its directory, or else of its
// repository.
func NameOf(from kptfilev1.Git) string {
	if name := path.Base(path.Clean("/" + from.Directory)); name != "/" {
		return name
	}
	return path.Base(WithoutSecret(from.Repo))
}
