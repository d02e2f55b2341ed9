package render

import (
	"context"
	"iter"

	"github.com/waybill-dev/waybill/pkg/parallel"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render/load"
)

// Prefetcher is a Cache that gets and stores many entries at once faster than one after the other.
type Prefetcher interface {
	Cache
	// Prefetch is told the keys that Get will be called with. It need not read them.
	Prefetch(keys iter.Seq[Key])
	// Pack is told the keys of Prefetch again, when their packages were rendered.
	Pack(keys iter.Seq[Key])
}

// Keys are of packages that are rendered together, for Options.Key: nil for a package that cannot be rendered or kept, and none
// when nothing is prefetched.
type Keys []*Key

// Prefetch tells opts.Cache which packages will be rendered with opts. It changes how fast that is, nothing else.
func Prefetch(ctx context.Context, opts Options, packages []pkgtree.Tree) (keys Keys) {
	cache, ok := opts.Cache.(Prefetcher)
	if !ok || ctx.Err() != nil {
		return nil
	}
	cache.Prefetch(func(yield func(Key) bool) {
		keys = make(Keys, len(packages))
		parallel.For(len(packages), func(i int) { keys[i] = keyOf(ctx, opts, packages[i]) })
		keys.all(yield)
	})
	return keys
}

// Pack tells opts.Cache that the packages were rendered.
func (k Keys) Pack(opts Options) {
	if cache, ok := opts.Cache.(Prefetcher); ok && k != nil {
		cache.Pack(k.all)
	}
}

// Of is the key of a package; nil if it is not known.
func (k Keys) Of(i int) *Key {
	if k == nil {
		return nil
	}
	return k[i]
}

func (k Keys) all(yield func(Key) bool) {
	for _, one := range k {
		if one != nil && !yield(*one) {
			return
		}
	}
}

func keyOf(ctx context.Context, opts Options, tree pkgtree.Tree) *Key {
	if ctx.Err() != nil {
		return nil
	}
	root, _, err := load.Packages(tree)
	if err != nil {
		return nil
	}
	entry := newRenderer(opts).cacheEntry(ctx, tree, root)
	if entry == nil {
		return nil
	}
	return &entry.key
}
