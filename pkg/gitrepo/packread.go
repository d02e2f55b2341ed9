package gitrepo

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// readPack unpacks a whole pack as it arrives, within bounds. Every object is named here, by its
// content and with a look out for SHA-1 collisions, so that a server cannot pass one off as another.
func readPack(ctx context.Context, s *silence, from io.Reader, b Bounds) (map[Hash]*encoded, error) {
	p := &packReader{
		ctx: ctx, silence: s,
		packStream: newPackStream(from, b.Pack), bounds: b, out: map[Hash]*encoded{},
		byOffset: map[int64]*encoded{}, onOffset: map[int64][]*delta{}, onID: map[Hash][]*delta{},
	}
	defer p.leave()
	err := p.read()
	var wire *wireError
	switch {
	case errors.As(err, &wire):
		return nil, wire.error
	case err != nil:
		return nil, &PackError{Err: err}
	}
	return p.out, nil
}

// packReader is a pack that is being read. A delta waits until its base is known, which may stand
// after it.
type packReader struct {
	*packStream
	ctx     context.Context // of the conversation
	silence *silence        // of the conversation
	large   bool            // holds the token of oneLarge
	bounds  Bounds
	// collected says that views that are no longer used were given back.
	collected bool
	total     int64 // bytes held, and to be unpacked from waiting deltas
	work      int64 // bytes unpacked, held or not
	last      *encoded
	lastData  []byte // the content of last, a large blob
	inflate   io.ReadCloser
	scratch   bytes.Buffer
	out       map[Hash]*encoded
	byOffset  map[int64]*encoded
	onOffset  map[int64][]*delta
	onID      map[Hash][]*delta
	waiting   int
}

// delta says how one object is made of another.
type delta struct {
	at   int64 // where in the pack it begins
	data []byte
}

func (p *packReader) read() error {
	n, err := p.header()
	if errors.Is(err, io.EOF) && p.at() == 0 { // nothing to send
		return nil
	}
	if err != nil {
		return cutShort(err)
	}
	for i := range n {
		if err := p.object(); err != nil {
			return fmt.Errorf("object %d of %d: %w", i+1, n, cutShort(err))
		}
	}
	if err := p.end(); err != nil {
		return err
	}
	if p.waiting > 0 {
		return fmt.Errorf("%d objects are deltas of others that it does not hold", p.waiting)
	}
	return nil
}

// header reads how many objects there are.
func (p *packReader) header() (uint32, error) {
	var head [12]byte
	if _, err := io.ReadFull(p, head[:]); err != nil {
		return 0, err
	}
	version, n := binary.BigEndian.Uint32(head[4:]), binary.BigEndian.Uint32(head[8:])
	switch {
	case string(head[:4]) != "PACK" || version != 2 && version != 3:
		return 0, errors.New("it is none")
	case int64(n) > int64(p.bounds.Objects):
		return 0, &BoundsError{What: "objects in a pack", Limit: int64(p.bounds.Objects)}
	}
	return n, nil
}

func (p *packReader) object() error {
	start := p.at()
	kind, size, err := p.objectHeader()
	if err != nil {
		return err
	}
	switch kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		if kind == plumbing.BlobObject && size > big {
			return p.bigBlob(start, size)
		}
		data, err := p.content(size)
		if err != nil {
			return err
		}
		return p.keep(start, &encoded{kind: kind, id: plumbing.ComputeHash(kind, data), data: data})
	case plumbing.OFSDeltaObject:
		back, err := p.offset()
		if err != nil || back <= 0 || back > start {
			return errors.Join(err, errors.New("its base is nowhere"))
		}
		return p.delta(start, size, start-back, Hash{})
	case plumbing.REFDeltaObject:
		var base Hash
		if _, err := io.ReadFull(p, base[:]); err != nil {
			return err
		}
		return p.delta(start, size, 0, base)
	}
	return fmt.Errorf("its type %d is unknown", kind)
}

// objectHeader reads an object's type and size: three bits of the one and four of the other, then
// seven of the size at a time.
func (p *packReader) objectHeader() (kind plumbing.ObjectType, size int64, err error) {
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

// offset reads how far before a delta its base begins.
func (p *packReader) offset() (back int64, err error) {
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

// overhead is about what an object takes in memory beside its bytes.
const overhead = 256

// charge counts an object of size bytes that is about to be unpacked.
func (p *packReader) charge(size int64) error {
	if size > p.bounds.Object {
		return &BoundsError{What: "bytes in one object", Limit: p.bounds.Object}
	}
	if p.work += size; p.work > p.bounds.Work {
		return &BoundsError{What: "bytes to be unpacked of a pack", Limit: p.bounds.Work}
	}
	if p.ctx.Err() != nil { // no byte of the server may be needed for a long time
		return &wireError{context.Cause(p.ctx)}
	}
	return nil
}

// hold counts an object of which size bytes stay in memory.
func (p *packReader) hold(size int64) error {
	if p.total += size + overhead; p.total > p.bounds.Total {
		return p.tooMuch()
	}
	const small = 64 // that many small packs together take no more than one large one
	if p.total <= p.bounds.Total/small {
		return nil
	}
	if err := p.enter(); err != nil {
		return err
	}
	return p.fits()
}

// oneLarge holds a token while a pack is read that takes more than a small part of the bound, or that holds large
// deltas: the memory is there for one such pack at a time.
var oneLarge = make(chan struct{}, 1)

func (p *packReader) enter() error {
	if p.large {
		return nil
	}
	defer p.silence.pause()()
	select {
	case oneLarge <- struct{}{}:
		p.large = true
		return nil
	case <-p.ctx.Done():
		return &wireError{context.Cause(p.ctx)}
	}
}

func (p *packReader) leave() {
	if p.large {
		<-oneLarge
	}
}

func (p *packReader) tooMuch() error {
	return &BoundsError{What: "bytes in all objects of a pack", Limit: p.bounds.Total}
}

// content inflates exactly size bytes. Memory grows with what arrives, not with what is promised.
func (p *packReader) content(size int64) ([]byte, error) {
	if err := p.charge(size); err != nil {
		return nil, err
	}
	if err := p.hold(size); err != nil {
		return nil, err
	}
	if err := p.nextInflate(); err != nil {
		return nil, err
	}
	p.scratch.Reset()
	if _, err := p.scratch.ReadFrom(io.LimitReader(p.inflate, size+1)); err != nil {
		return nil, err
	}
	if int64(p.scratch.Len()) != size {
		return nil, fmt.Errorf("it says that it has %d bytes, and has not", size)
	}
	const small = 64 << 10
	if size <= small {
		return append([]byte{}, p.scratch.Bytes()...), nil
	}
	data := p.scratch.Bytes()
	p.scratch = bytes.Buffer{} // data is worth more than its room
	return data, nil
}

func (p *packReader) nextInflate() (err error) {
	if p.inflate == nil {
		p.inflate, err = zlib.NewReader(p.packStream)
		return err
	}
	return p.inflate.(zlib.Resetter).Reset(p.packStream, nil)
}
