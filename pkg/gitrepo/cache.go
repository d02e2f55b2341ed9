package gitrepo

import (
	"crypto/sha256"
	"errors"

	"github.com/waybill-dev/waybill/pkg/gitrepo/transport"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// Cache keeps commits that were fetched, with all files of theirs, in a folder that processes share
// without locks. A commit is kept under the digest of its repository's URL, without credentials, and
// its id; one repository's commit is not another's. What is read from it is believed only if it has the
// id that leads to it, from the commit down, so that a package from the cache is the commit's package or
// none. Who may read the folder, its owner, reads what is in private repositories. It is safe for
// concurrent use; nil keeps nothing.
type Cache struct{ folder *diskcache.Folder }

// NewCache makes a Cache of a folder, which is made for its owner alone when it is first needed, and
// not used when others may write to it. It keeps the folder at limit bytes, what was used last staying
// longest (0 is diskcache.DefaultLimit); a commit larger than a quarter of that is not kept. report is
// told the first thing that keeps it from keeping; it may be nil.
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
func (a *ask) fromCache(r Resolved) (*Fetched, error) {
	if a.opts.Cache == nil {
		return nil, nil
	}
	folder, key := a.opts.Cache.folder, cacheKey(a.remote, r.Commit)
	file, size := folder.Open(key)
	if file == nil {
		return nil, nil
	}
	defer file.Close()
	f, err := a.readStored(r, file, size)
	var spoilt *spoiltError
	if errors.As(err, &spoilt) {
		folder.Remove(key)
		return nil, nil
	}
	folder.Used(key)
	return f, err
}

// keep puts what stands under id into the cache: the commit and its files, and the tags on the way to
// it. What is not whole is not kept.
func (a *ask) keep(id Hash, from objects) {
	if a.opts.Cache == nil {
		return
	}
	objs, err := closure(from, id)
	if err != nil {
		return
	}
	folder := a.opts.Cache.folder
	if parts := store(objs, min(folder.Most(), a.opts.Bounds.Total)); parts != nil {
		folder.Write(cacheKey(a.remote, id), parts...)
	}
}
