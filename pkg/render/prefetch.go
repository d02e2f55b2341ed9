package render

import (
	"context"
	"crypto/sha256"
	"iter"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// Prefetcher is a Cache that gets many entries at once faster than one after the other.
type Prefetcher interface {
	Cache
	// Prefetch is told the keys that Get will be called with. It need not read them.
	Prefetch(keys iter.Seq[[sha256.Size]byte])
}

// Prefetch tells opts.Cache which packages, with their names, will be rendered with opts. It changes how fast that is, nothing else: a
// package that cannot be rendered is skipped.
func Prefetch(ctx context.Context, opts Options, packages iter.Seq2[string, pkgtree.Tree]) {
	cache, ok := opts.Cache.(Prefetcher)
	if !ok || ctx.Err() != nil {
		return
	}
	cache.Prefetch(func(yield func([sha256.Size]byte) bool) {
		for name, tree := range packages {
			if entry := entryOf(ctx, opts, name, tree); entry != nil && !yield(entry.key) || ctx.Err() != nil {
				return
			}
		}
	})
}

// entryOf is the entry of a package, nil if the cache has none.
func entryOf(ctx context.Context, opts Options, name string, tree pkgtree.Tree) *cacheEntry {
	root, _, err := load.Packages(tree)
	if err != nil {
		return nil
	}
	opts.Name = name
	return newRenderer(opts).cacheEntry(ctx, tree, root)
}
