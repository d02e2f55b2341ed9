package memo

import (
	"crypto/sha256"
	"iter"
	"slices"
	"sync"

	"github.com/waybill-dev/waybill/pkg/memlimit"
)

const (
	parallel = 32        // requests at once
	maxHeld  = 256 << 20 // bytes of the packs in memory
)

// held are the entries of packs, by their shared keys.
type held struct {
	mu      sync.Mutex
	entries map[key]*heldEntry
	size    int
}

// heldEntry is checked when it is used for the first time.
type heldEntry struct {
	check  sync.Once
	answer *answer // nil once the check failed
}

// Prefetch gets what Put kept under these keys on any machine: from packs, which stay in memory, and what is in none, into the
// folder. It does not read keys when nothing is shared.
func (c *Cache) Prefetch(of iter.Seq[[sha256.Size]byte]) {
	if c == nil || c.shared == nil {
		return
	}
	all := c.sharedKeys(of)
	var lacking [][]keys
	for _, group := range groupsOf(all) {
		if slices.ContainsFunc(group, func(k keys) bool { return !c.has(k) }) {
			lacking = append(lacking, group)
		}
	}
	forEach(lacking, c.fetchPack)
	forEach(all, func(k keys) {
		if !c.has(k) {
			c.readShared(k, c.valid)
		}
	})
}

// Pack makes packs of what Put and Get kept under these keys, and shares those that are not shared yet.
func (c *Cache) Pack(of iter.Seq[[sha256.Size]byte]) {
	if c == nil || c.shared == nil || !c.shared.Writes() {
		return
	}
	forEach(groupsOf(c.sharedKeys(of)), func(group []keys) {
		place := c.packKeys(group)
		if len(group) == 1 || c.inFolder(place.local) {
			return
		}
		if pack := makePack(group, c.known); pack != nil {
			c.keep(place, &answer{stdout: pack})
		}
	})
}

// sharedKeys are the keys of what can be shared, each once.
func (c *Cache) sharedKeys(of iter.Seq[[sha256.Size]byte]) (all []keys) {
	seen := map[key]bool{}
	for one := range of {
		if k := c.keysOf(one); k.shared != (key{}) && !seen[k.shared] {
			seen[k.shared] = true
			all = append(all, k)
		}
	}
	return all
}

// forEach calls f for all at the same time, up to the bound.
func forEach[T any](all []T, f func(T)) {
	var running sync.WaitGroup
	slots := make(chan struct{}, parallel)
	for _, one := range all {
		slots <- struct{}{}
		running.Go(func() {
			f(one)
			<-slots
		})
	}
	running.Wait()
}

// fetchPack holds the entries of the pack of a group, if there is one. The folder keeps the pack, too.
func (c *Cache) fetchPack(group []keys) {
	if len(group) == 1 {
		return
	}
	place := c.packKeys(group)
	pack := c.asked.do(place.shared, func() *answer {
		if known := c.read(place.local); known != nil {
			return known
		}
		a := readBody(c.shared.Get(place.shared))
		if a != nil && !mayHoldSecret(a.stdout) { // else the entries without a Secret are used, and the pack is not kept
			c.write(place.local, a)
		}
		return a
	})
	if pack == nil {
		return
	}
	entries := readPack(pack.stdout)
	for _, k := range group {
		if a := readBody(entries[k.shared]); a != nil {
			c.hold(k, a)
		}
	}
}

// hold holds an entry in memory, or in the folder when that is full.
func (c *Cache) hold(k keys, a *answer) {
	if !c.held.add(k.shared, a) && c.isUsable(a, c.valid) {
		c.write(k.local, a)
	}
}

// add reports whether there is space for an entry: with a low limit of memory, there is less.
func (h *held) add(k key, a *answer) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if int64(h.size)+a.size() > min(maxHeld, memlimit.Bytes()/8) {
		return false
	}
	if h.entries == nil {
		h.entries = map[key]*heldEntry{}
	}
	h.entries[k] = &heldEntry{answer: a}
	h.size += int(a.size())
	return true
}

func (h *held) get(k key) *heldEntry {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.entries[k]
}

// unpack returns an entry of a pack; nil when there is none, or one that this machine does not use.
func (c *Cache) unpack(k key, valid func([]byte) bool) *answer {
	e := c.held.get(k)
	if e == nil {
		return nil
	}
	e.check.Do(func() { // without the lock: others are checked at the same time
		if !c.isUsable(e.answer, valid) {
			e.answer = nil
		}
	})
	return e.answer
}

// has reports whether this machine has the entry.
func (c *Cache) has(k keys) bool {
	return c.held.get(k.shared) != nil || c.inFolder(k.local)
}

// known returns an entry that this machine has.
func (c *Cache) known(k keys) *answer {
	if a := c.unpack(k.shared, c.valid); a != nil {
		return a
	}
	return c.read(k.local)
}

// isUsable reports whether an answer of another machine has no Secret, which no writer of ours shares, and is valid.
func (c *Cache) isUsable(a *answer, valid func([]byte) bool) bool {
	return !mayHoldSecret(a.stdout) && !mayHoldSecret(a.stderr) && valid(a.stdout)
}
