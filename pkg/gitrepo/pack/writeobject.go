package pack

import (
	"compress/zlib"

	"github.com/go-git/go-git/v5/plumbing"
)

// base writes the header of a delta, which names its base by its distance or by its id.
func (e *encoder) base(at int64, base plumbing.Hash, size int) {
	in, ok := e.written[base]
	if !ok || !e.to.Offsets {
		e.header(plumbing.REFDeltaObject, size)
		e.out.Write(base[:])
		return
	}
	e.header(plumbing.OFSDeltaObject, size)
	e.distance(at - in.at)
}

// distance writes how far the base is before the delta: see offset.
func (e *encoder) distance(back int64) {
	var digits [10]byte
	i := len(digits) - 1
	digits[i] = byte(back & 0x7f)
	for back >>= 7; back > 0; back >>= 7 {
		back--
		i--
		digits[i] = byte(0x80 | back&0x7f)
	}
	e.out.Write(digits[i:])
}

// header writes type and size: see objectHeader.
func (e *encoder) header(kind plumbing.ObjectType, size int) {
	b := byte(kind)<<4 | byte(size&15) // #nosec G115 -- three bits
	for size >>= 4; size > 0; size >>= 7 {
		e.out.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	e.out.WriteByte(b)
}

// deflate writes data, compressed.
func (e *encoder) deflate(data []byte) error {
	if e.zlib == nil {
		e.zlib = zlib.NewWriter(&e.out)
	}
	e.zlib.Reset(&e.out)
	if _, err := e.zlib.Write(data); err != nil {
		return err
	}
	return e.zlib.Close()
}
