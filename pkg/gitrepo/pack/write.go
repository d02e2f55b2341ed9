package pack

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" // #nosec G505 -- the checksum of a pack, not a security boundary
	"encoding/binary"

	"github.com/go-git/go-git/v5/plumbing"
)

// Item is an object to write, with objects that it may resemble: it is written as a delta of one of them if that is short.
type Item struct {
	*Object
	Before *Object // an earlier version, which the reader has; nil if there is none
	Like   *Object // that of an earlier item; nil if there is none
}

// Accepts says what the reader of a pack understands.
type Accepts struct {
	Thin    bool // deltas of objects that are not in the pack
	Offsets bool // deltas that say where in the pack their base is
}

// Encode writes a pack. items may be empty: a push of commits that the server already has sends a pack too. The same items give
// the same bytes.
func Encode(items []Item, to Accepts) (*bytes.Buffer, error) {
	e := &encoder{to: to, written: make(map[plumbing.Hash]written, len(items))}
	e.out.WriteString("PACK")
	e.out.Write(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, 2), uint32(len(items)))) // #nosec G115 -- in memory
	for _, it := range items {
		if err := e.item(it); err != nil {
			return nil, err
		}
	}
	sum := sha1.Sum(e.out.Bytes()) // #nosec G401
	e.out.Write(sum[:])
	return &e.out, nil
}

type encoder struct {
	to      Accepts
	out     bytes.Buffer
	written map[plumbing.Hash]written
	zlib    *zlib.Writer

	last     *Object // the item before, which the next one is often like
	lastData []byte  // its content
}

// written is an object in the pack.
type written struct {
	at    int64
	depth int     // how many deltas it takes to read it
	root  *Object // the first base of those deltas in the pack
}

// maxChain is how many deltas a reader has to apply for one object, as in git's own packs.
const maxChain = 50

func (e *encoder) item(it Item) error {
	data, err := it.Content()
	if err != nil {
		return err
	}
	defer func() { e.last, e.lastData = it.Object, data }()
	here := written{at: int64(e.out.Len()), root: it.Object}
	delta, base, err := e.delta(it, data)
	switch {
	case err != nil:
		return err
	case delta == nil:
		e.header(it.Kind, len(data))
		err = e.deflate(data)
	default:
		if in, ok := e.written[base]; ok {
			here.depth, here.root = in.depth+1, in.root
		}
		e.base(here.at, base, len(delta))
		err = e.deflate(delta)
	}
	e.written[it.ID] = here
	return err
}

// delta returns the delta of an object and the base of it, nil to write the whole object. A delta of an item is preferred
// unless it is much longer: a server copies all bases that the pack lacks into it.
func (e *encoder) delta(it Item, data []byte) (delta []byte, base plumbing.Hash, err error) {
	const least, leastThin = 40, 1 << 10 // bytes; smaller objects gain nothing
	limit := len(data) / 2
	if len(data) < least {
		return nil, base, nil
	}
	if in, ok := e.inPack(it.Like); ok {
		if delta, err = e.deltaOf(it, in, data, limit); err != nil {
			return nil, base, err
		}
		if base = in.ID; delta != nil && len(delta) <= 256+len(data)/256 {
			return delta, base, nil
		}
	}
	if it.Before == nil || !e.to.Thin || len(data) < leastThin {
		return delta, base, nil
	}
	if delta != nil {
		limit = len(delta) - 1
	}
	shorter, err := e.deltaOf(it, it.Before, data, limit)
	if shorter != nil {
		delta, base = shorter, it.Before.ID
	}
	return delta, base, err
}

// inPack returns an object for deltas of it; the first of its chain if that is long.
func (e *encoder) inPack(o *Object) (*Object, bool) {
	if o == nil {
		return nil, false
	}
	in, ok := e.written[o.ID]
	if in.depth >= maxChain {
		return in.root, ok
	}
	return o, ok
}

func (e *encoder) deltaOf(it Item, base *Object, data []byte, limit int) ([]byte, error) {
	if base.Kind != it.Kind {
		return nil, nil
	}
	from := e.lastData
	if base != e.last {
		var err error
		if from, err = base.Content(); err != nil {
			return nil, err
		}
	}
	return makeDelta(it.Kind, from, data, limit), nil
}
