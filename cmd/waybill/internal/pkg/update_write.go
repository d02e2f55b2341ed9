package pkg

import (
	"context"
	"slices"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// update reads the package, updates it, and writes it unless this is a dry run or conflicts stop it.
func (u *updateCommand) update(
	ctx context.Context, progress *fetchProgress, dir string, o upstream.UpdateOptions,
) (before pkgtree.Tree, did *upstream.UpdateResult, err error) {
	if before, err = pkgtree.ReadDir(dir, pkgtree.Limits{}); err != nil {
		return before, nil, err
	}
	did, err = upstream.Update(ctx, gitSource(&u.functions.CacheFlags), before, o)
	if err != nil || u.stopped(did) {
		return before, did, err
	}
	if err := u.guardHidden(progress, before, did.Tree); err != nil || u.dryRun {
		return before, did, err
	}
	if err := context.Cause(ctx); err != nil {
		return before, nil, err
	}
	if err := pkgtree.WriteDir(dir, before, did.Tree, newPrograms(before, did)...); err != nil {
		return before, nil, err
	}
	return before, did, nil
}

// newPrograms returns the executable files that are new from upstream. The mode of a file that exists here is left to its
// owner.
func newPrograms(before pkgtree.Tree, did *upstream.UpdateResult) []string {
	return slices.DeleteFunc(slices.Clone(did.Executable), func(file string) bool {
		return before.Blob(file) != nil || did.Tree.Blob(file) == nil
	})
}

// stopped reports whether conflicts stop the update.
func (u *updateCommand) stopped(did *upstream.UpdateResult) bool {
	return merge.Prefer(u.onConflict) == merge.Fail && len(did.Conflicts) > 0
}

// renderer returns a function that renders a package of that name, or nil if functions are not to run.
func (u *updateCommand) renderer(name string) (upstream.Render, error) {
	if u.base != "rendered" {
		return nil, nil
	}
	factory, err := u.functions.NewFactory()
	if err != nil {
		return nil, err
	}
	var cache render.Cache
	if u.functions.Cache != nil {
		cache = u.functions.Cache
	}
	return func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
		res, err := render.Render(ctx, tree, render.Options{Functions: factory, Name: name, Cache: cache})
		if err != nil {
			return pkgtree.Tree{}, err
		}
		return res.Tree, nil
	}, nil
}
