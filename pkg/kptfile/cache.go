package kptfile

import (
	"sync"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// The bounds of the cache in bytes of text; the parsed files take some ten times that.
const (
	maxCachedFile = 64 << 10
	maxCached     = 128 << 10
)

// cache holds the Kptfiles parsed last: a package is rendered, merged and changed in many steps, each
// of which reads its Kptfile, and a copy costs a fraction of a parse.
var cache fileCache

type fileCache struct {
	mu    sync.Mutex
	files map[string]*File // by text; never changed, only copied
	bytes int
}

// get returns what Parse would return for data at path file, nil when that is not in the cache.
func (c *fileCache) get(file string, data []byte) *File {
	c.mu.Lock()
	cached := c.files[string(data)]
	c.mu.Unlock()
	if cached == nil {
		return nil
	}
	f := cached.copy(file)
	f.source = data
	return f
}

// put stores a copy of f. A full cache is emptied first; files still in use come back.
func (c *fileCache) put(f *File) {
	if len(f.source) > maxCachedFile {
		return
	}
	cached, text := f.copy(f.Object.Source.File), string(f.source)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil || c.bytes+len(text) > maxCached {
		c.files, c.bytes = map[string]*File{}, 0
	}
	if c.files[text] == nil {
		c.files[text] = cached
		c.bytes += len(text)
	}
}

// copy returns a File for path file that shares nothing with f.
func (f *File) copy(file string) *File {
	return &File{Object: krm.CopiesFor([]*krm.Object{f.Object}, file)[0], Spec: *f.Spec.DeepCopy()}
}
