// Package pack reads the packs of Git servers, within bounds, and writes packs for them.
//
// Shape: Read unpacks a pack as it arrives and returns its objects by id; Encode writes one. Bounds limit what a server may
// send.
// Cost: every object in memory, unpacked except blobs of more than 16 KiB, and what is nearly another object; each is
// hashed here, with detection of SHA-1 collisions. Memory grows with the data received, not with the sizes in headers.
// Errors: *Error, with a *BoundsError inside for an exceeded bound. Errors of the connection pass unchanged.
// Source: Git documentation, gitformat-pack.
package pack

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
)

// Read unpacks a whole pack as it arrives, within bounds. It computes the id of every object itself, with
// detection of SHA-1 collisions, so that a server cannot pass off one object as another.
func Read(ctx context.Context, pause func() (resume func()), from io.Reader, b Bounds) (map[plumbing.Hash]*Object, error) {
	p := &reader{
		ctx: ctx, pause: pause,
		stream: newStream(from, b.Pack), bounds: b, out: map[plumbing.Hash]*Object{},
		byOffset: map[int64]*Object{}, onOffset: map[int64][]*delta{}, onID: map[plumbing.Hash][]*delta{},
	}
	defer p.unlockLarge()
	err := p.read()
	var wire *wireError
	switch {
	case errors.As(err, &wire):
		return nil, wire.error
	case err != nil:
		return nil, &Error{Err: err}
	}
	return p.out, nil
}

// reader reads one pack. A delta waits for its base, which may come after it.
type reader struct {
	*stream
	ctx       context.Context        // of the conversation
	pause     func() (resume func()) // stops the limit on silence while this reader waits for largeLock
	hasLock   bool                   // holds largeLock
	bounds    Bounds
	collected bool  // unused views were freed
	total     int64 // bytes in memory, and those of waiting deltas
	work      int64 // bytes unpacked
	last      *Object
	lastData  []byte // the content of last, a blob that is compressed
	made      *Object
	madeData  []byte // the content of the newest one of medium size, which may be the base of the next
	inflate   io.ReadCloser
	scratch   bytes.Buffer
	out       map[plumbing.Hash]*Object
	byOffset  map[int64]*Object
	onOffset  map[int64][]*delta
	onID      map[plumbing.Hash][]*delta
	waiting   int
}

// delta describes one object as a change of another.
type delta struct {
	at   int64 // where in the pack it begins
	data []byte
}

func (p *reader) read() error {
	n, err := p.header()
	if errors.Is(err, io.EOF) && p.at() == 0 { // nothing to send
		return nil
	}
	if err != nil {
		return truncated(err)
	}
	for i := range n {
		if err := p.object(); err != nil {
			return fmt.Errorf("object %d of %d: %w", i+1, n, truncated(err))
		}
	}
	if err := p.end(); err != nil {
		return err
	}
	if p.waiting > 0 {
		return fmt.Errorf("%d objects are deltas of objects missing from it", p.waiting)
	}
	return nil
}

func (p *reader) object() error {
	start := p.at()
	kind, size, err := p.objectHeader()
	if err != nil {
		return err
	}
	switch kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		if kind == plumbing.BlobObject && size > large {
			return p.largeBlob(start, size)
		}
		data, err := p.content(size)
		if err != nil {
			return err
		}
		return p.addAll(start, NewObjectOf(kind, plumbing.ComputeHash(kind, data), data))
	case plumbing.OFSDeltaObject:
		back, err := p.offset()
		if err != nil || back <= 0 || back > start {
			return errors.Join(err, errors.New("its base is missing"))
		}
		return p.delta(start, size, start-back, plumbing.Hash{})
	case plumbing.REFDeltaObject:
		var base plumbing.Hash
		if _, err := io.ReadFull(p, base[:]); err != nil {
			return err
		}
		return p.delta(start, size, 0, base)
	}
	return fmt.Errorf("its type %d is unknown", kind)
}

// content inflates exactly size bytes. Memory grows with the data received.
func (p *reader) content(size int64) ([]byte, error) {
	if err := p.charge(size); err != nil {
		return nil, err
	}
	if err := p.count(size); err != nil {
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
		return nil, fmt.Errorf("its header gives %d bytes, its data has another length", size)
	}
	const small = 64 << 10
	if size <= small {
		return append([]byte{}, p.scratch.Bytes()...), nil
	}
	data := p.scratch.Bytes()
	p.scratch = bytes.Buffer{} // data keeps the buffer
	return data, nil
}

func (p *reader) nextInflate() (err error) {
	if p.inflate == nil {
		p.inflate, err = zlib.NewReader(p.stream)
		return err
	}
	return p.inflate.(zlib.Resetter).Reset(p.stream, nil)
}
