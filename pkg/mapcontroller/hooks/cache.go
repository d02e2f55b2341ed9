package hooks

import (
	"container/list"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// How long a cache keeps answers where a MapController does not say, and how many bytes they take for one webhook.
const (
	defaultLifetime = 20 * time.Minute
	defaultCleanup  = 10 * time.Minute
	maxCacheBytes   = 64 << 20
)

// cacheKey identifies what a webhook is asked about: many inputs share a parent.
type cacheKey struct{ parent, mapKey string }

// cacheEntry is an answer with its ETag.
type cacheEntry struct {
	key    cacheKey
	etag   string
	body   []byte
	stored time.Time
}

func (e *cacheEntry) size() int {
	return len(e.body) + len(e.etag) + len(e.key.parent) + len(e.key.mapKey)
}

// cache keeps the answers of one webhook that have an ETag. A nil cache keeps none.
type cache struct {
	lifetime, cleanup time.Duration
	most              int // bytes

	lock    sync.Mutex
	byKey   map[cacheKey]*list.Element
	byAge   *list.List // of *cacheEntry, the oldest first
	bytes   int
	cleaned time.Time
}

func newCache(lifetime, cleanup time.Duration) *cache {
	return &cache{lifetime: lifetime, cleanup: cleanup, most: maxCacheBytes, byKey: map[cacheKey]*list.Element{}, byAge: list.New()}
}

// get returns an entry, which must not be changed; nil when there is none that is young enough.
func (c *cache) get(key cacheKey, now time.Time) *cacheEntry {
	if c == nil {
		return nil
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	if e := c.byKey[key]; e != nil && !c.isExpired(e, now) {
		return e.Value.(*cacheEntry)
	}
	return nil
}

// put replaces the answer for a key. It keeps no answer without an ETag that can be sent back, and none that is no JSON.
func (c *cache) put(key cacheKey, got reply, now time.Time) {
	if c == nil {
		return
	}
	c.lock.Lock()
	defer c.lock.Unlock()
	c.remove(c.byKey[key])
	entry := &cacheEntry{key, got.etag, got.body, now}
	if got.etag != "" && fitsHeader(got.etag) && entry.size() <= c.most && json.Valid(got.body) {
		c.byKey[key] = c.byAge.PushBack(entry)
		c.bytes += entry.size()
	}
	if now.Sub(c.cleaned) >= c.cleanup {
		c.cleaned = now
		for c.isExpired(c.byAge.Front(), now) {
			c.remove(c.byAge.Front())
		}
	}
	for c.bytes > c.most {
		c.remove(c.byAge.Front())
	}
}

// isExpired reports whether an entry is too old.
func (c *cache) isExpired(e *list.Element, now time.Time) bool {
	return e != nil && now.Sub(e.Value.(*cacheEntry).stored) >= c.lifetime
}

func (c *cache) remove(e *list.Element) {
	if e == nil {
		return
	}
	old := c.byAge.Remove(e).(*cacheEntry)
	delete(c.byKey, old.key)
	c.bytes -= old.size()
}

// fitsHeader reports whether a text can be the value of a header.
func fitsHeader(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f })
}
