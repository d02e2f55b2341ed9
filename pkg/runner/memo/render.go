package memo

import (
	"crypto/sha256"
)

// Get returns what Put kept under that key, if this build of the program did; nil otherwise. The key is a digest of all that
// the program computes the data from.
func (c *Cache) Get(of [sha256.Size]byte) []byte {
	if c == nil {
		return nil
	}
	if a := c.lookUp(c.keysOf(of), c.valid); a != nil {
		return a.stdout
	}
	return nil
}

// Put keeps data under that key until its space is needed.
func (c *Cache) Put(of [sha256.Size]byte, data []byte) {
	if c != nil {
		c.keep(c.keysOf(of), &answer{stdout: data})
	}
}

// Private reports whether text may hold a Secret, which is never kept.
func (c *Cache) Private(text []byte) bool { return mayHoldSecret(text) }

func (c *Cache) inFolder(k key) bool {
	file, _ := c.folder.Open(k)
	if file == nil {
		return false
	}
	file.Close()
	return true
}

// keysOf separates what different builds of this program compute. No keys when the build is not known.
func (c *Cache) keysOf(of [sha256.Size]byte) keys {
	local, known := buildKey(of)
	switch {
	case !known:
		return keys{}
	case c.shared == nil:
		return keys{local: local}
	}
	return keys{local, c.programKey(of)}
}

// buildKey is the key of what this build computes, on this machine.
func buildKey(of [sha256.Size]byte) (key, bool) {
	build := build()
	return keyOf("computed by "+build, of[:]), build != ""
}
