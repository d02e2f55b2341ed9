package gitrepo

import (
	"crypto/sha256"
	"errors"

	"github.com/waybill-dev/waybill/pkg/diskcache"
	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"
)

// Cache stores fetched commits with all their files in a folder that processes share without locks. The key of a
// commit is a digest of the URL of its repository, without credentials, and its id: repositories do not share
// commits. Every object read from the Cache is checked against its id, from the commit down, so that a damaged
// entry is never used. The folder contains private repositories: only its owner may read it. A Cache is safe for
// concurrent use; nil stores nothing.
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

// fromCache reads the package from the cache; nil, nil if the commit is missing or incomplete.
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

// keep writes all objects below id to the cache: the tags before the commit, the commit and its files. It skips a commit with
// missing objects.
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
