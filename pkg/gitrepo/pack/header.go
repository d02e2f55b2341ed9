package pack

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// header returns the number of objects.
func (p *reader) header() (uint32, error) {
	var head [12]byte
	if _, err := io.ReadFull(p, head[:]); err != nil {
		return 0, err
	}
	version, n := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	switch {
	case string(head[:4]) != "PACK" || version != 2 && version != 3:
		return 0, errors.New("not a pack")
	case int64(n) > int64(p.bounds.Objects):
		return 0, &BoundsError{What: "objects in a pack", Limit: int64(p.bounds.Objects)}
	}
	return n, nil
}

// objectHeader reads type and size of an object: three bits of the type and four of the size, then seven
// bits of the size per byte.
func (p *reader) objectHeader() (kind plumbing.ObjectType, size int64, err error) {
	b, err := p.ReadByte()
	kind, size = plumbing.ObjectType(b>>4&7), int64(b&15)
	for shift := 4; err == nil && b&0x80 != 0; shift += 7 {
		if shift > 50 {
			return 0, 0, &BoundsError{What: "bytes in one object", Limit: p.bounds.Object}
		}
		b, err = p.ReadByte()
		size |= int64(b&0x7f) << shift
	}
	return kind, size, err
}

// offset reads the distance from a delta back to its base.
func (p *reader) offset() (back int64, err error) {
	b, err := p.ReadByte()
	back = int64(b & 0x7f)
	for err == nil && b&0x80 != 0 {
		if back >= 1<<50 {
			return 0, nil
		}
		b, err = p.ReadByte()
		back = (back+1)<<7 | int64(b&0x7f)
	}
	return back, err
}
