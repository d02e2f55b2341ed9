package oci

import (
	"crypto/sha256"

	"github.com/waybill-dev/waybill/pkg/diskcache"
)

// content is what a digest names: from the cache, or from get, and then it is cached. An entry that has another digest is removed.
func (c *Client) content(repo, digest string, get func() ([]byte, error)) ([]byte, error) {
	cache := c.options.Cache
	if cache == nil {
		return get()
	}
	key := c.cacheKey(repo, digest)
	if data := cache.Read(key); data != nil {
		if Digest(data) == digest {
			cache.Used(key)
			return data, nil
		}
		cache.Remove(key)
	}
	data, err := get()
	if err == nil && Digest(data) == digest && int64(len(data)) <= cache.Most() {
		cache.Write(key, data)
	}
	return data, err
}

// cacheKey names content of a repository. The same content of another one has another key: who may read that is not known.
func (c *Client) cacheKey(repo, digest string) diskcache.Key {
	return sha256.Sum256([]byte("oci\x00" + c.options.CacheScope + "\x00" + repo + "\x00" + digest))
}
