package pack

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/go-git/go-git/v5/plumbing"
)

var errBadDelta = errors.New("it is not a delta of its base")

// delta reads a delta and applies it once its base is known. The size of the result is charged before.
func (p *reader) delta(start, size, baseAt int64, baseID plumbing.Hash) error {
	data, err := p.content(size)
	if err != nil {
		return err
	}
	_, rest, ok := deltaSize(data)
	made, _, ok2 := deltaSize(rest)
	if !ok || !ok2 {
		return errBadDelta
	}
	if err := p.charge(made); err != nil {
		return err
	}
	if made <= large {
		err = p.count(made)
	} else { // its memory is known only with its base
		err = p.lockLarge()
	}
	if err != nil {
		return err
	}
	d := &delta{at: start, data: data}
	base := p.byOffset[baseAt]
	if !baseID.IsZero() {
		base = p.out[baseID]
	}
	switch {
	case base != nil:
		return p.apply(d, base)
	case baseID.IsZero():
		p.onOffset[baseAt] = append(p.onOffset[baseAt], d)
	default:
		p.onID[baseID] = append(p.onID[baseID], d)
	}
	p.waiting++
	return nil
}

func (p *reader) apply(d *delta, base *Object) error {
	o, err := p.resolve(d, base)
	if err != nil {
		return err
	}
	return p.addAll(d.at, o)
}

// placed is an object with its offset in the pack.
type placed struct {
	at int64
	*Object
}

// addAll adds an object and all objects that waited for it, directly or not. It loops instead of
// recursing: a chain may be as long as a pack.
func (p *reader) addAll(at int64, first *Object) error {
	for todo := []placed{p.add(at, first)}; len(todo) > 0; {
		o := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, d := range p.release(o) {
			next, err := p.resolve(d, o.Object)
			if err != nil {
				return err
			}
			todo = append(todo, p.add(d.at, next))
		}
	}
	return nil
}

// add adds an object. One that a pack has twice is held once, also by deltas.
func (p *reader) add(at int64, o *Object) placed {
	if have := p.out[o.ID]; have != nil {
		p.byOffset[at] = have
		return placed{at, have}
	}
	if small := o.Compact(); small != o { // the bounds count it as it was
		p.made, p.madeData = small, o.data
		o = small
	}
	p.out[o.ID], p.byOffset[at] = o, o
	return placed{at, o}
}

// release returns the deltas that waited for o.
func (p *reader) release(o placed) []*delta {
	if p.waiting == 0 {
		return nil
	}
	freed := append(p.onOffset[o.at], p.onID[o.ID]...)
	delete(p.onOffset, o.at)
	delete(p.onID, o.ID)
	p.waiting -= len(freed)
	return freed
}

// deltaSize reads a size, seven bits per byte; false if there is none.
func deltaSize(d []byte) (size int64, rest []byte, ok bool) {
	n, length := binary.Uvarint(d)
	if length <= 0 || n > math.MaxInt64 {
		return 0, nil, false
	}
	return int64(n), d[length:], true // #nosec G115 -- compared
}

// applyDelta builds an object from pieces of its base and new bytes. The size in the delta was charged and
// bounds the result.
func applyDelta(base, d []byte) ([]byte, error) { return applyDeltaIn(nil, base, d) }

// applyDeltaIn is applyDelta with a result in the memory of spare, if that is enough, and not so much that who keeps the result
// would hold far more.
func applyDeltaIn(spare, base, d []byte) ([]byte, error) {
	from, d, ok := deltaSize(d)
	size, d, ok2 := deltaSize(d)
	if !ok || !ok2 || from != int64(len(base)) {
		return nil, errBadDelta
	}
	const trusted = 64 << 10
	out := spare[:0]
	if room := int64(cap(out)); room < size || room > 2*size {
		out = make([]byte, 0, min(size, max(trusted, int64(len(base)+len(d)))))
	}
	for len(d) > 0 {
		var piece []byte
		if piece, d = deltaPiece(base, d); len(piece) == 0 || int64(len(out)+len(piece)) > size {
			return nil, errBadDelta
		}
		out = append(out, piece...)
	}
	if int64(len(out)) != size {
		return nil, errBadDelta
	}
	return out, nil
}

// deltaPiece returns the bytes that the first instruction of d adds, none for an invalid one.
func deltaPiece(base, d []byte) (piece, rest []byte) {
	op, d := d[0], d[1:]
	if op&0x80 == 0 { // new bytes
		n := int(op)
		if n > len(d) {
			return nil, nil
		}
		return d[:n], d[n:]
	}
	var n [7]int // four bytes of offset and three of size, without zero bytes
	for i := range n {
		if op>>i&1 == 0 {
			continue
		}
		if len(d) == 0 {
			return nil, nil
		}
		n[i], d = int(d[0]), d[1:]
	}
	at, size := n[0]|n[1]<<8|n[2]<<16|n[3]<<24, n[4]|n[5]<<8|n[6]<<16
	if size == 0 {
		size = 0x10000
	}
	if at+size > len(base) {
		return nil, nil
	}
	return base[at : at+size], d
}
