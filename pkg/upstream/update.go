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

// UpdateOptions say how to update a package. The zero UpdateOptions use the settings in the Kptfile.
type UpdateOptions struct {
	// Ref is the new upstream.git.ref, Strategy the new upstream.updateStrategy; "" keeps them.
	Ref      string
	Strategy merge.Strategy
	// Prefer is the side that wins a conflict. With Fail and a conflict anywhere, nothing is updated.
	Prefer merge.Prefer
	// Render, when set, renders both sides, so that changes by functions are not local edits: see MergeRendered.
	Render Render
	// Observe, when set, is called before each action.
	Observe func(Event)
}

// UpdateResult is an updated package, and what the update did.
type UpdateResult struct {
	Tree       pkgtree.Tree
	Packages   []PackageUpdate // in the order they were updated, the root first
	Conflicts  []merge.Conflict
	LeftOut    []LeftOut
	Generated  []string // files whose generated objects upstream changed; those of ours stay; sorted
	Executable []string // files of upstream that are executable in Git, sorted
}

// PackageUpdate is the update of one package.
type PackageUpdate struct {
	Package  string             `json:"package"` // its folder, "." for the root
	Strategy merge.Strategy     `json:"strategy"`
	From     *kptfilev1.GitLock `json:"from,omitempty"` // nil if it was not fetched before
	To       kptfilev1.GitLock  `json:"to"`
}

// updater updates one package.
type updater struct {
	*workspace
	UpdateOptions
	ours   pkgtree.Tree  // as it was
	root   kptfilev1.Git // its upstream
	result UpdateResult
}

// Update updates ours from its upstream, and then each subpackage from its own upstream, if it has
// one. Ref and Strategy apply to the root, and to subpackages from the same
// repository and ref. The upstream is the one in ours, never the one in the fetched Kptfile. Generated objects of ours stay
// as they are, see Merge.
func Update(ctx context.Context, src Source, ours pkgtree.Tree, o UpdateOptions) (*UpdateResult, error) {
	u := &updater{workspace: newWorkspace(src, ours, o.Observe), UpdateOptions: o, ours: ours}
	k, err := u.kptfile(".")
	if err != nil {
		return nil, err
	}
	if !hasGit(k) {
		return nil, errNoUpstream
	}
	u.root = *k.Spec.Upstream.Git
	if err := u.setOptions(".", k); err != nil {
		return nil, err
	}
	if err := u.update(ctx, ".", 0); err != nil {
		return nil, err
	}
	if u.result.Tree = u.tree; o.Prefer == merge.Fail && len(u.result.Conflicts) > 0 {
		u.result.Tree = ours
	}
	u.result.LeftOut, u.result.Executable = u.leftOut, u.executables(u.result.Tree)
	object.SortConflicts(u.result.Conflicts)
	slices.Sort(u.result.Generated)
	u.result.Generated = slices.Compact(u.result.Generated)
	return &u.result, nil
}

func hasGit(k *kptfile.File) bool { return k.Spec.Upstream != nil && k.Spec.Upstream.Git != nil }

// setOptions writes Ref and Strategy to a Kptfile.
func (u *updater) setOptions(dir string, k *kptfile.File) error {
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
func (u *updater) update(ctx context.Context, dir string, nested int) error {
	k, err := u.kptfile(dir)
	if err != nil {
		return err
	}
	if err := u.merge(ctx, dir, k); err != nil {
		return inPackage(dir, err)
	}
	return u.updateBelow(ctx, dir, *k.Spec.Upstream.Git, nested)
}

// updateBelow updates the packages in dir that have an upstream of their own, also those inside a subpackage without
// one: the merge may have changed their Kptfiles. by is where dir was fetched.
func (u *updater) updateBelow(ctx context.Context, dir string, by kptfilev1.Git, nested int) error {
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
func (u *updater) updateSub(ctx context.Context, sub string, by kptfilev1.Git, k *kptfile.File, nested int) error {
	if err := cmp.Or(u.checkNewSources(sub, by, k), u.count(sub, nested)); err != nil {
		return err
	}
	if follows(u.root, *k.Spec.Upstream.Git) {
		if err := u.setOptions(sub, k); err != nil {
			return err
		}
	}
	return u.update(ctx, sub, nested+1)
}

// checkNewSources refuses a repository of this machine in a Kptfile if the update added it. One that was there before
// is the user's choice: Get adds none.
func (u *updater) checkNewSources(dir string, by kptfilev1.Git, k *kptfile.File) error {
	data, ok := u.ours.Get(path.Join(dir, kptfile.Name))
	if before, err := kptfile.Parse(kptfile.Name, data); ok && err == nil && slices.Equal(reposIn(before), reposIn(k)) {
		return nil
	}
	return checkLocalSources(dir, by, k)
}

// follows reports whether a subpackage comes from the same place as the root, at the same ref.
func follows(root, sub kptfilev1.Git) bool {
	return sub.Repo == root.Repo && sub.Ref == root.Ref &&
		strings.HasPrefix(path.Clean(sub.Directory), path.Clean(root.Directory))
}

// merge updates one package from its upstream.
func (u *updater) merge(ctx context.Context, dir string, k *kptfile.File) error {
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
	u.emit(Event{Package: dir, Action: Updating, From: *up.Git, Strategy: string(strategy)})
	res, err := u.mergeTrees(ctx, dir, then, now.Tree, merge.Options{Strategy: strategy, Prefer: u.Prefer})
	if err != nil {
		return err
	}
	if up.Git.Ref != "" {
		up.Git.Ref = recordedRef(up.Git.Ref, now)
	}
	u.record(dir, k, strategy, now, res.Conflicts)
	return u.store(dir, res.Tree, up, locatorOf(*up.Git, now))
}

// fetchBoth fetches upstream as it is now and as it was when the package was fetched, which is empty if it
// was never fetched.
func (u *updater) fetchBoth(ctx context.Context, dir string, k *kptfile.File) (now *gitrepo.Fetched, then pkgtree.Tree, err error) {
	up := *k.Spec.Upstream.Git
	u.emit(Event{Package: dir, Action: Fetching, From: up})
	lock, ok := lockOf(k)
	if !ok {
		now, err = u.fetch(ctx, dir, up)
		return now, then, err
	}
	if err := checkLock(dir, lock); err != nil {
		return nil, then, err
	}
	u.emit(Event{Package: dir, Action: FetchingOrigin, From: placeOf(lock)})
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

// lockOf is the lock of a package. The lock does not hold the secret in the URL of the upstream; lockOf adds it
// again.
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

// placeOf is the place that a lock names.
func placeOf(lock kptfilev1.GitLock) kptfilev1.Git {
	return kptfilev1.Git{Repo: lock.Repo, Directory: lock.Directory, Ref: lock.Ref}
}

func (u *updater) mergeTrees(ctx context.Context, dir string, base, theirs pkgtree.Tree, opts merge.Options) (*merge.Result, error) {
	ours := u.tree.Sub(dir)
	runs := hasMutators(u.tree) || hasMutators(theirs)
	if runs {
		u.recordGenerated(dir, base, theirs, ours)
	}
	switch {
	case u.Render == nil && runs:
		return mergeOwnGenerated(base, theirs, ours, opts)
	case u.Render == nil:
		return merge.Packages(base, theirs, ours, opts)
	case dir != "." && hasMutators(u.tree): // of an outer package, maybe
		return mergeRendered(ctx, base, theirs, ours, opts, u.renderIn(dir))
	}
	return MergeRendered(ctx, base, theirs, ours, opts, u.renderIn(dir))
}

// recordGenerated records the files from which generated objects of upstream are left out.
func (u *updater) recordGenerated(dir string, base, theirs, ours pkgtree.Tree) {
	for _, p := range generatedChanges(base, theirs, ours) {
		u.result.Generated = append(u.result.Generated, path.Join(dir, p))
	}
}

// renderIn renders a package in the place of the one in dir: outer packages have functions, too.
func (u *updater) renderIn(dir string) Render {
	if dir == "." {
		return u.Render
	}
	outer := u.tree
	return func(ctx context.Context, pkg pkgtree.Tree) (pkgtree.Tree, error) {
		whole, err := graft(outer, dir, pkg)
		if err == nil {
			whole, err = u.Render(ctx, whole)
		}
		return whole.Sub(dir), err
	}
}

// record records the update of a package.
func (u *updater) record(dir string, k *kptfile.File, s merge.Strategy, now *gitrepo.Fetched, conflicts []merge.Conflict) {
	m := PackageUpdate{Package: dir, Strategy: s, To: *locatorOf(*k.Spec.Upstream.Git, now).Git}
	if lock := k.Spec.UpstreamLock; lock != nil && lock.Git != nil {
		m.From = lock.Git.DeepCopy()
		m.From.Repo = WithoutSecret(m.From.Repo)
	}
	u.result.Packages = append(u.result.Packages, m)
	for _, c := range conflicts {
		c.Package, c.File = path.Join(dir, c.Package), path.Join(dir, c.File)
		u.result.Conflicts = append(u.result.Conflicts, c)
	}
}

// store puts the merged package into its place, and records upstream and lock in its Kptfile.
func (u *updater) store(dir string, merged pkgtree.Tree, up kptfilev1.Upstream, at kptfilev1.Locator) error {
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
