package memo

// get returns the answer under k, nil when there is none. What stands there and is none is removed.
func (c *Cache) read(k key) *answer {
	data := c.folder.Read(k)
	if data == nil {
		return nil
	}
	a := readEntry(k, data)
	if a == nil {
		c.folder.Remove(k)
		return nil
	}
	c.folder.Used(k)
	return a
}

// put keeps an answer, whole or not at all, and makes room for it.
func (c *Cache) write(k key, a *answer) {
	if a.size() <= c.folder.Most() {
		c.folder.Write(k, a.head(k), a.stdout, a.stderr)
	}
}
