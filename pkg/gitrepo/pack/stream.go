package pack

import (
	"bytes"
	"crypto"
	"errors"
	"hash"
	"io"

	githash "github.com/go-git/go-git/v5/plumbing/hash"
)

// stream hands out a pack's bytes, counts them, and digests what was handed out: a pack ends in
// the digest of all before. It is an io.ByteReader so that zlib takes no byte too many.
type stream struct {
	from   io.Reader
	buf    []byte
	r, w   int // what was handed out, and what was filled
	summed int // what the digest knows of
	sum    hash.Hash
	base   int64 // where in the pack buf begins
	limit  int64

	keeping *bytes.Buffer // when set, also gets what is handed out
}

func newStream(from io.Reader, limit int64) *stream {
	return &stream{from: from, buf: make([]byte, 64<<10), sum: githash.New(crypto.SHA1), limit: limit}
}

// at is how many bytes were handed out.
func (s *stream) at() int64 { return s.base + int64(s.r) }

func (s *stream) digest() {
	s.sum.Write(s.buf[s.summed:s.r])
	s.summed = s.r
}

func (s *stream) fill() error {
	s.digest()
	s.base += int64(s.r)
	s.r, s.w, s.summed = 0, 0, 0
	if s.base >= s.limit {
		return &BoundsError{What: "bytes in a pack", Limit: s.limit}
	}
	n, err := io.ReadAtLeast(s.from, s.buf, 1)
	s.w = n
	if n > 0 {
		return nil
	}
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return &wireError{err}
	}
	return io.EOF
}

// wireError is what went wrong with the connection, and not with what came over it.
type wireError struct{ error }

func (s *stream) ReadByte() (byte, error) {
	if s.r == s.w {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	b := s.buf[s.r]
	s.r++
	if s.keeping != nil {
		s.keeping.WriteByte(b)
	}
	return b, nil
}

func (s *stream) Read(p []byte) (int, error) {
	if s.r == s.w {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	n := copy(p, s.buf[s.r:s.w])
	s.r += n
	if s.keeping != nil {
		s.keeping.Write(p[:n])
	}
	return n, nil
}

// end reads the digest that ends the pack, and compares.
func (s *stream) end() error {
	s.digest()
	want := s.sum.Sum(nil)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(s, got); err != nil {
		return cutShort(err)
	}
	if !bytes.Equal(got, want) {
		return errors.New("its checksum is wrong")
	}
	return nil
}

// cutShort is what an end of data means within a pack.
func cutShort(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}
