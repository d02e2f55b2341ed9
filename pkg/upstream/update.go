package upstream

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// UpdateOptions say how to update a package. The zero UpdateOptions do as the Kptfile says.
type UpdateOptions struct {
	// Ref is the new upstream.git.ref, Strategy the new upstream.updateStrategy; "" leaves them.
	Ref      string
	Strategy merge.Strategy
	// Prefer is who has their way in a conflict. With Fail and a conflict anywhere, nothing is updated.
	Prefer merge.Prefer
	// Render, when set, has what functions changed not count as changed here: see MergeRendered.
	Render Render
	// Observe, when set, is told of everything just before it is done.
	Observe func(Event)
}

// Updated is a package brought up to date, and how it came about.
type Updated struct {
	Tree       pkgtree.Tree
	Packages   []Moved // in the order they were updated, the root first
	Conflicts  []merge.Conflict
	LeftOut    []LeftOut
	Generated  []string // files whose generated objects upstream changed, which stay as they are here; sorted
	Executable []string // files of upstream that Git has as programs, sorted
}

// Moved is what became of one package.
type Moved struct {
	Package  string             `json:"package"` // its folder, "." for the root
	Strategy merge.Strategy     `json:"strategy"`
	From     *kptfilev1.GitLock `json:"from,omitempty"` // nil if it was never fetched
	To       kptfilev1.GitLock  `json:"to"`
}

// updating is a package on its way.
type updating struct {
	*work
	UpdateOptions
	ours pkgtree.Tree  // as it was
	root kptfilev1.Git // its upstream
	did  Updated
}

// Update brings ours to what its upstream has now, and then each subpackage that has an upstream of its
// own to what that has. Ref and Strategy hold for the root, and for those that were taken from the same
// place with it. Upstream is what ours says, before or after, never what upstream says. Objects that functions generated stay
// as they are here, as Merge says.
func Update(ctx context.Context, src Source, ours pkgtree.Tree, o UpdateOptions) (*Updated, error) {
	u := &updating{work: newWork(src, ours, o.Observe), UpdateOptions: o, ours: ours}
	k, err := u.kptfile(".")
	if err != nil {
		return nil, err
	}
	if !hasGit(k) {
		return nil, errNoUpstream
	}
	u.root = *k.Spec.Upstream.Git
	if err := u.ask(".", k); err != nil {
		return nil, err
	}
	if err := u.update(ctx, ".", 0); err != nil {
		return nil, err
	}
	if u.did.Tree = u.tree; o.Prefer == merge.Fail && len(u.did.Conflicts) > 0 {
		u.did.Tree = ours
	}
	u.did.LeftOut, u.did.Executable = u.leftOut, u.programs(u.did.Tree)
	object.SortConflicts(u.did.Conflicts)
	slices.Sort(u.did.Generated)
	u.did.Generated = slices.Compact(u.did.Generated)
	return &u.did, nil
}

func hasGit(k *kptfile.File) bool { return k.Spec.Upstream != nil && k.Spec.Upstream.Git != nil }

// ask writes into a Kptfile what was asked for.
func (u *updating) ask(dir string, k *kptfile.File) error {
	if u.Ref == "" && u.Strategy == "" {
		return nil
	}
	up := k.Spec.Upstream.DeepCopy()
	up.Git.Ref = cmp.Or(u.Ref, up.Git.Ref)
	up.UpdateStrategy = cmp.Or(kptfilev1.UpdateStrategyType(u.Strategy), up.UpdateStrategy)
	k.SetUpstream(*up)
	return u.setKptfile(dir, k)
}

// update updates the package in dir, and then those in it.
func (u *updating) update(ctx context.Context, dir string, nested int) error {
	k, err := u.kptfile(dir)
	if err != nil {
		return err
	}
	if err := u.merge(ctx, dir, k); err != nil {
		return inPackage(dir, err)
	}
	return u.updateBelow(ctx, dir, *k.Spec.Upstream.Git, nested)
}

// updateBelow updates the packages in dir, which came from by, that have an upstream of their own, those in a subpackage that has
// none included: what the merge made of their Kptfiles has to be followed there, too.
func (u *updating) updateBelow(ctx context.Context, dir string, by kptfilev1.Git, nested int) error {
	for _, sub := range u.subpackages(dir) {
		k, err := u.kptfile(sub)
		switch {
		case err != nil:
		case hasGit(k):
			err = u.updateSub(ctx, sub, by, k, nested)
		default:
			err = u.updateBelow(ctx, sub, by, nested)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// updateSub updates a subpackage from its own upstream.
func (u *updating) updateSub(ctx context.Context, sub string, by kptfilev1.Git, k *kptfile.File, nested int) error {
	if err := cmp.Or(u.mayFollow(sub, by, k), u.count(sub, nested)); err != nil {
		return err
	}
	if follows(u.root, *k.Spec.Upstream.Git) {
		if err := u.ask(sub, k); err != nil {
			return err
		}
	}
	return u.update(ctx, sub, nested+1)
}

// mayFollow refuses an upstream that came from upstream and is on this machine. One that was here before is
// the user's own word: Get lets none in.
func (u *updating) mayFollow(dir string, by kptfilev1.Git, k *kptfile.File) error {
	data, ok := u.ours.Get(path.Join(dir, kptfile.Name))
	if before, err := kptfile.Parse(kptfile.Name, data); ok && err == nil && slices.Equal(namedIn(before), namedIn(k)) {
		return nil
	}
	return mayBring(dir, by, k)
}

// follows reports whether a subpackage was taken from the same place as the root, at the same ref.
func follows(root, sub kptfilev1.Git) bool {
	return sub.Repo == root.Repo && sub.Ref == root.Ref &&
		strings.HasPrefix(path.Clean(sub.Directory), path.Clean(root.Directory))
}

// merge brings one package to its upstream.
func (u *updating) merge(ctx context.Context, dir string, k *kptfile.File) error {
	up := *k.Spec.Upstream
	strategy := cmp.Or(merge.Strategy(up.UpdateStrategy), merge.ResourceMerge)
	if !strategy.Known() {
		return merge.UnknownStrategy(strategy)
	}
	now, then, err := u.fetchBoth(ctx, dir, k)
	if err == nil {
		err = check(*up.Git, then, u.tree.Sub(dir), now)
	}
	if err != nil {
		return err
	}
	u.tell(Event{Package: dir, Did: Updating, From: *up.Git, Strategy: string(strategy)})
	res, err := u.mergeTrees(ctx, dir, then, now.Tree, merge.Options{Strategy: strategy, Prefer: u.Prefer})
	if err != nil {
		return err
	}
	if up.Git.Ref != "" {
		up.Git.Ref = settled(up.Git.Ref, now)
	}
	u.note(dir, k, strategy, now, res.Conflicts)
	return u.settle(dir, res.Tree, up, locatorOf(*up.Git, now))
}

// fetchBoth fetches what upstream has now and what it had when the package was fetched: nothing, if it
// never was.
func (u *updating) fetchBoth(ctx context.Context, dir string, k *kptfile.File) (now *gitrepo.Fetched, then pkgtree.Tree, err error) {
	up := *k.Spec.Upstream.Git
	u.tell(Event{Package: dir, Did: Fetching, From: up})
	lock, ok := lockOf(k)
	if !ok {
		now, err = u.fetch(ctx, dir, up)
		return now, then, err
	}
	if err := checkLock(dir, lock); err != nil {
		return nil, then, err
	}
	u.tell(Event{Package: dir, Did: FetchingOrigin, From: placeOf(lock)})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	type origin struct {
		f   *gitrepo.Fetched
		err error
	}
	origins := make(chan origin, 1)
	go func() {
		f, err := u.src.FetchLocked(ctx, lock)
		origins <- origin{f, err}
	}()
	now, err = u.fetch(ctx, dir, up)
	if err != nil {
		return nil, then, err
	}
	o := <-origins
	if o.err != nil {
		return nil, then, o.err
	}
	return now, o.f.Tree, nil
}

// lockOf is where a package was fetched. What its upstream has of a secret is not written down in the lock,
// and serves for it, too.
func lockOf(k *kptfile.File) (lock kptfilev1.GitLock, ok bool) {
	if k.Spec.UpstreamLock == nil || k.Spec.UpstreamLock.Git == nil {
		return lock, false
	}
	lock = *k.Spec.UpstreamLock.Git
	if hasGit(k) && WithoutSecret(k.Spec.Upstream.Git.Repo) == lock.Repo {
		lock.Repo = k.Spec.Upstream.Git.Repo
	}
	return lock, true
}

// placeOf is where a lock says that a package was fetched.
func placeOf(lock kptfilev1.GitLock) kptfilev1.Git {
	return kptfilev1.Git{Repo: lock.Repo, Directory: lock.Directory, Ref: lock.Ref}
}

func (u *updating) mergeTrees(ctx context.Context, dir string, base, theirs pkgtree.Tree, opts merge.Options) (*merge.Result, error) {
	ours := u.tree.Sub(dir)
	runs := hasMutators(u.tree) || hasMutators(theirs)
	if runs {
		u.noteGenerated(dir, base, theirs, ours)
	}
	switch {
	case u.Render == nil && runs:
		return mergeOwnGenerated(base, theirs, ours, opts)
	case u.Render == nil:
		return merge.Packages(base, theirs, ours, opts)
	case dir != "." && hasMutators(u.tree): // of what is around it, maybe
		return mergeAsRendered(ctx, base, theirs, ours, opts, u.renderIn(dir))
	}
	return MergeRendered(ctx, base, theirs, ours, opts, u.renderIn(dir))
}

// noteGenerated writes down which generated objects of upstream are left out.
func (u *updating) noteGenerated(dir string, base, theirs, ours pkgtree.Tree) {
	for _, p := range generatedChanges(base, theirs, ours) {
		u.did.Generated = append(u.did.Generated, path.Join(dir, p))
	}
}

// renderIn renders a package in the place of the one in dir: what is around it has functions, too.
func (u *updating) renderIn(dir string) Render {
	if dir == "." {
		return u.Render
	}
	around := u.tree
	return func(ctx context.Context, pkg pkgtree.Tree) (pkgtree.Tree, error) {
		whole, err := graft(around, dir, pkg)
		if err == nil {
			whole, err = u.Render(ctx, whole)
		}
		return whole.Sub(dir), err
	}
}

// note writes down what became of a package.
func (u *updating) note(dir string, k *kptfile.File, s merge.Strategy, now *gitrepo.Fetched, conflicts []merge.Conflict) {
	m := Moved{Package: dir, Strategy: s, To: *locatorOf(*k.Spec.Upstream.Git, now).Git}
	if lock := k.Spec.UpstreamLock; lock != nil && lock.Git != nil {
		m.From = lock.Git.DeepCopy()
		m.From.Repo = WithoutSecret(m.From.Repo)
	}
	u.did.Packages = append(u.did.Packages, m)
	for _, c := range conflicts {
		c.Package, c.File = path.Join(dir, c.Package), path.Join(dir, c.File)
		u.did.Conflicts = append(u.did.Conflicts, c)
	}
}

// settle puts what was merged into its place, and says in it where it came from.
func (u *updating) settle(dir string, merged pkgtree.Tree, up kptfilev1.Upstream, at kptfilev1.Locator) error {
	before := u.tree.Sub(dir)
	if err := u.put(dir, merged); err != nil {
		return err
	}
	k, err := u.kptfile(dir)
	if err != nil {
		return err
	}
	k.SetUpstream(up)
	k.SetUpstreamLock(at)
	if err := u.setKptfile(dir, k); err != nil {
		return err
	}
	after, err := KeepOrigin(before, u.tree.Sub(dir))
	if err != nil {
		return err
	}
	return u.put(dir, after)
}
