package gitrepo

import (
	"crypto/sha256"
	"errors"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// Cache keeps commits that were fetched, with all their files, in a folder that processes share
// without locks. The key of a commit is a digest of its repository's URL, without credentials, and
// its id: repositories do not share commits. Every object that is read from the Cache must have the
// id that leads to it, from the commit down, so that a package from the Cache is the commit's package or
// none. The folder holds the content of private repositories: only its owner may read it. A Cache is safe for
// concurrent use; nil keeps nothing.
type Cache struct{ folder *diskcache.Folder }

// NewCache makes a Cache of a folder. The Cache creates the folder for its owner alone when it first needs it, and
// does not use one that others may write to. It keeps the folder at limit bytes (0 is diskcache.DefaultLimit) and removes
// first what was not used for longest; it does not keep a commit larger than a quarter of limit. report gets the first error
// that prevents writing; it may be nil.
func NewCache(dir string, limit int64, report func(error)) *Cache {
	return &Cache{diskcache.New(dir, limit, report)}
}

func cacheKey(r *transport.Remote, id Hash) diskcache.Key {
	name := "remote\x00" + r.URL()
	if r.Dir() != "" { // names of local repositories may be relative
		name = "local\x00" + r.Dir()
	}
	return sha256.Sum256([]byte("git commit 1\x00" + name + "\x00" + id.String()))
}

// fromCache reads the package from the cache; nil, nil when the commit is not there, or not whole.
func (q *query) fromCache(r Resolved) (*Fetched, error) {
	if q.opts.Cache == nil {
		return nil, nil
	}
	folder, key := q.opts.Cache.folder, cacheKey(q.remote, r.Commit)
	file, size := folder.Open(key)
	if file == nil {
		return nil, nil
	}
	defer file.Close()
	f, err := q.readCached(r, file, size)
	var corrupt *corruptError
	if errors.As(err, &corrupt) {
		folder.Remove(key)
		return nil, nil
	}
	folder.Used(key)
	return f, err
}

// keep writes what id leads to into the cache: the tags on the way to the commit, the commit and its files. It does not write
// a commit of which objects are missing.
func (q *query) keep(id Hash, from objects) {
	if q.opts.Cache == nil {
		return
	}
	objs, err := closure(from, id)
	if err != nil {
		return
	}
	folder := q.opts.Cache.folder
	if parts := encodeCached(objs, min(folder.Most(), q.opts.Bounds.Total)); parts != nil {
		folder.Write(cacheKey(q.remote, id), parts...)
	}
}
