package memo

import "github.com/waybill-dev/waybill/pkg/diskcache"

// get returns the answer under k, nil when there is none. What stands there and is none is removed.
func (c *Cache) get(k key) *answer {
	data := c.folder.Read(diskcache.Key(k))
	if data == nil {
		return nil
	}
	a := readEntry(k, data)
	if a == nil {
		c.folder.Remove(diskcache.Key(k))
		return nil
	}
	c.folder.Used(diskcache.Key(k))
	return a
}

// put keeps an answer, whole or not at all, and makes room for it.
func (c *Cache) put(k key, a *answer) {
	if a.size() <= c.folder.Most() {
		c.folder.Write(diskcache.Key(k), a.head(k), a.stdout, a.stderr)
	}
}
