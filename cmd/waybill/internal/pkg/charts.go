package pkg

import (
	"bytes"
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/helm"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/helm/fetch"
	"github.com/waybill-dev/waybill/pkg/helm/lock"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// charts locks the Helm charts that an update brings.
type charts struct {
	before  pkgtree.Tree
	fetcher *fetch.Fetcher // nil: charts are not fetched
	observe func(fetch.Request)
	err     error // why charts could not be locked for a render
}

func (u *updateCommand) newCharts(before pkgtree.Tree, progress *fetchProgress) *charts {
	said := map[fetch.Request]bool{}
	c := &charts{before: before, observe: func(r fetch.Request) {
		if !said[r] { // each is fetched once
			progress.printf("Fetching %s", r)
		}
		said[r] = true
	}}
	if !u.noCharts {
		c.fetcher = helm.NewFetcher(u.registry.plainHTTP)
	}
	return c
}

func (c *charts) update(ctx context.Context, tree pkgtree.Tree, fetch bool) (*lock.Result, error) {
	o := lock.Options{From: c.before}
	if fetch && c.fetcher != nil {
		o.Fetch, o.Observe = c.fetcher.Fetch, c.observe
	}
	return lock.Update(ctx, tree, o)
}

// rendering returns render with the charts of each side fetched first. What that adds to a side is no change by functions, and is
// not in the result.
func (c *charts) rendering(render upstream.Render) upstream.Render {
	if render == nil {
		return nil
	}
	return func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		res, err := c.update(ctx, tree, true)
		if err != nil {
			c.err = err
			return tree, err
		}
		out, err := render(ctx, res.Tree)
		if err != nil {
			return out, err
		}
		changes := map[string][]byte{}
		for _, p := range tree.Diff(res.Tree) {
			changes[p], _ = tree.Get(p)
		}
		return out.Apply(changes)
	}
}

// lock locks the charts of an updated package, if the update brought some that are not locked.
func (c *charts) lock(ctx context.Context, did *upstream.UpdateResult) (*lock.Result, error) {
	was, err := c.update(ctx, c.before, false)
	if err != nil { // it was so before
		return &lock.Result{Tree: did.Tree}, nil
	}
	now, err := c.update(ctx, did.Tree, false)
	if err != nil {
		return nil, err
	}
	isOld := func(r lock.Row) bool { return slices.Contains(was.Missing(), r) }
	if missing := slices.DeleteFunc(now.Missing(), isOld); len(missing) > 0 {
		if now, err = c.update(ctx, did.Tree, true); err != nil {
			return nil, err
		}
	} else if len(now.Missing()) > 0 {
		now = &lock.Result{Tree: did.Tree}
	}
	did.Tree = now.Tree
	for i := range now.Rows {
		r := &now.Rows[i]
		if r.From = versionBefore(was.Rows, *r); r.From != "" && r.Status == lock.Unchanged { // it came with its archive
			r.Status = lock.Locked
		}
	}
	now.Rows = slices.DeleteFunc(now.Rows, func(r lock.Row) bool { return r.Status == lock.Unchanged })
	return now, nil
}

// versionBefore is the version of a chart before the update, if that was another one.
func versionBefore(was []lock.Row, now lock.Row) string {
	for _, r := range was {
		if r.Config == now.Config && r.Name == now.Name && r.Version != now.Version {
			return r.Version
		}
	}
	return ""
}

// sayCharts says what to do about charts that are not there, and about local edits of what they render.
func (u *updateCommand) sayCharts(progress *fetchProgress, before, after pkgtree.Tree) {
	for _, r := range u.locked {
		if r.Status == lock.Missing {
			progress.printf("Chart %q %s is not in the package: run 'waybill helm lock' before you render.", r.Name, r.Version)
		}
	}
	if u.base != "rendered" && changesRendered(before, after) {
		progress.printf("warning: the next render replaces local edits of objects that a changed chart or kustomization renders; " +
			"'--base rendered' merges them: undo this update and run it so, if there are any")
	}
}

// changesRendered reports whether a package holds objects that a chart or kustomization rendered, and an update changed other
// files, which may be a part of that.
func changesRendered(before, after pkgtree.Tree) bool {
	isRendered := func(b *pkgtree.Blob) bool { return b != nil && bytes.Contains(b.Data(), []byte(fn.RenderedFrom)) }
	holds := false
	for _, b := range before.All() {
		holds = holds || isRendered(b)
	}
	return holds && slices.ContainsFunc(before.Diff(after), func(p string) bool {
		return path.Base(p) != kptfile.Name && !isRendered(before.Blob(p)) && !isRendered(after.Blob(p))
	})
}

// chartChange is the version of a chart before and after the update.
func chartChange(r lock.Row) string {
	if r.From == "" || r.From == r.Version {
		return r.Version
	}
	return fmt.Sprintf("%s → %s", r.From, r.Version)
}

// sayMissing says which charts a fetched package does not hold.
func sayMissing(progress *fetchProgress, dir string, tree pkgtree.Tree) {
	res, err := lock.Update(context.Background(), tree, lock.Options{}) // it asks no server
	if err != nil {
		return // the lock says why
	}
	for _, r := range res.Missing() {
		progress.printf("Chart %q of %s is not in the package: run 'waybill helm lock %s' before you render.", r.Name, r.Config, dir)
	}
}
