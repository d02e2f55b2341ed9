package starlark

import (
	"errors"
	"iter"

	star "go.starlark.net/starlark"
)

// tables counts the keys in the buckets of the large maps and sets of a script. The library chooses a bucket by 32 bits of
// a key, which a user can compute for numbers and short texts, and compares all keys of that bucket: with many keys in one
// bucket, every access is slow.
type tables map[star.Value]*buckets

// buckets are the buckets of one map or set.
type buckets struct {
	keys        []uint16 // how many keys a bucket has, by the last bits of the hash
	added, most int      // keys since they were counted; the most there ever were
}

const (
	largeTable = 1000
	// mostCollisions is far more keys than one bucket gets by chance.
	mostCollisions = 1000
)

var errCollisions = errors.New("too many keys of a map or set have the same hash")

// put counts key, which is put into c, a map or a set.
func (t tables) put(c, key star.Value) error {
	if star.Len(c) < largeTable || holds(c, key) {
		return nil
	}
	if err := t.know(c); err != nil {
		return err
	}
	return t[c].add(key)
}

// putAll counts keys that are put into c, or into a new map or set when c is nil.
func (t tables) putAll(c star.Value, keys []star.Value) error {
	if len(keys) >= largeTable {
		if _, err := newBuckets(keys); err != nil {
			return err
		}
	}
	for _, k := range keys {
		if c == nil || star.Len(c) < largeTable {
			break
		}
		if err := t.put(c, k); err != nil {
			return err
		}
	}
	return nil
}

// know counts the keys of c when c is a large map or set that was not counted, or has changed much.
func (t tables) know(c star.Value) error {
	switch c.(type) {
	case *star.Dict, *star.Set:
	default:
		return nil
	}
	n, p := star.Len(c), t[c]
	switch {
	case p == nil && n < largeTable:
		return nil
	case p == nil || p.added > 2*n:
		fresh, err := newBuckets(keysOf(c))
		if err != nil {
			return err
		}
		if p != nil {
			fresh.most = p.most
		}
		p = fresh
		t[c] = p
	}
	p.most = max(p.most, n)
	return nil
}

// room is about how many bytes an iteration over v reads, if v was large once: its table does not shrink.
func (t tables) room(v star.Value) int {
	if _, ok := v.(*star.Set); !ok || t[v] == nil {
		return 0
	}
	return times(8, t[v].most)
}

func newBuckets(keys []star.Value) (*buckets, error) {
	n := 1
	for n < len(keys)/4 {
		n *= 2
	}
	p := &buckets{keys: make([]uint16, n)}
	for _, k := range keys {
		if err := p.add(k); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// add counts a key. The operation itself refuses a value that cannot be a key.
func (p *buckets) add(key star.Value) error {
	h, err := key.Hash()
	if err != nil {
		return nil
	}
	p.added++
	at := &p.keys[int(h)&(len(p.keys)-1)]
	if *at++; *at > mostCollisions {
		return errCollisions
	}
	return nil
}

func holds(c, key star.Value) (found bool) {
	switch c := c.(type) {
	case *star.Dict:
		_, found, _ = c.Get(key)
	case *star.Set:
		found, _ = c.Has(key)
	}
	return found
}

// keysOf are the elements of v.
func keysOf(v star.Value) (keys []star.Value) {
	for k := range elements(v) {
		keys = append(keys, k)
	}
	return keys
}

// pairKeys are the first elements of the elements of v.
func pairKeys(v star.Value) (keys []star.Value) {
	if _, ok := v.(star.IterableMapping); ok {
		return keysOf(v)
	}
	for pair := range elements(v) {
		for k := range elements(pair) {
			keys = append(keys, k)
			break
		}
	}
	return keys
}

func elements(v star.Value) iter.Seq[star.Value] {
	if all, ok := v.(star.Iterable); ok {
		return star.Elements(all)
	}
	return func(func(star.Value) bool) {}
}
