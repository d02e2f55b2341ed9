package memo

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
)

// Bounds of a pack.
const (
	maxInPack   = 128
	maxPackable = 256 << 10 // bytes of an entry; larger ones are asked for one by one
)

// A pack holds the small entries of a group of renders, so that one request gets all of them: the magic, their number, of each
// its shared key and its size, and then the entries. It is itself an entry, whose key is the digest of all keys of the group. Thus the
// digest and signature of that entry cover it, and it never changes.
var packMagic = []byte("waybill pack 1\n")

const packedHead = sha256.Size + lengthSize

// groupsOf divides keys into groups. A group ends at a key of a certain form, so that another key changes one group or two, and not all
// that follow.
func groupsOf(all []keys) (groups [][]keys) {
	start := 0
	for i, k := range all {
		if k.shared[0]%(maxInPack/2) == 0 || i+1-start == maxInPack || i+1 == len(all) {
			groups = append(groups, all[start:i+1])
			start = i + 1
		}
	}
	return groups
}

// packKeys are the keys of the pack of a group.
func (c *Cache) packKeys(group []keys) keys {
	h := sha256.New()
	h.Write(packMagic)
	for _, k := range group {
		h.Write(k.shared[:])
	}
	var of key
	h.Sum(of[:0])
	return c.keysOf(of)
}

// makePack is the reverse of readPack. It leaves out entries that are large or must not leave this machine.
func makePack(group []keys, entryOf func(keys) *answer) []byte {
	head, bodies, n := []byte(nil), []byte(nil), 0
	for _, k := range group {
		a := entryOf(k)
		if a == nil || a.size() > maxPackable || mayShowSecret(a.stdout) || mayShowSecret(a.stderr) {
			continue
		}
		body := a.body()
		head = binary.BigEndian.AppendUint64(append(head, k.shared[:]...), uint64(len(body)))
		bodies = append(bodies, body...)
		n++
	}
	if n < 2 {
		return nil
	}
	return bytes.Join([][]byte{packMagic, binary.BigEndian.AppendUint64(nil, uint64(n)), head, bodies}, nil)
}

// readPack returns the bodies of the entries in a pack by their shared keys; nil when it is no pack.
func readPack(pack []byte) map[key][]byte {
	rest, ok := bytes.CutPrefix(pack, packMagic)
	if !ok || len(rest) < lengthSize {
		return nil
	}
	n, rest := binary.BigEndian.Uint64(rest), rest[lengthSize:]
	if n > maxInPack || uint64(len(rest)) < n*packedHead {
		return nil
	}
	entries, bodies := make(map[key][]byte, n), rest[n*packedHead:]
	for head := rest[:n*packedHead]; len(head) > 0; head = head[packedHead:] {
		k, size := key(head[:sha256.Size]), binary.BigEndian.Uint64(head[sha256.Size:])
		if size > uint64(len(bodies)) || entries[k] != nil {
			return nil
		}
		entries[k], bodies = bodies[:size:size], bodies[size:]
	}
	if len(bodies) > 0 {
		return nil
	}
	return entries
}
