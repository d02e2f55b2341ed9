package pack

import (
	"bytes"
	"crypto"
	"errors"
	"hash"
	"io"

	githash "github.com/go-git/go-git/v5/plumbing/hash"
)

// stream reads the bytes of a pack, and counts and hashes the bytes returned: a pack ends with the hash of
// all bytes before. It is an io.ByteReader so that zlib reads no byte too many.
type stream struct {
	from   io.Reader
	buf    []byte
	r, w   int // the ends of the bytes returned and of the bytes filled
	summed int // the end of the bytes hashed
	sum    hash.Hash
	base   int64 // offset of buf in the pack
	limit  int64

	copyTo *bytes.Buffer // if set, receives a copy of the bytes returned
}

func newStream(from io.Reader, limit int64) *stream {
	return &stream{from: from, buf: make([]byte, 64<<10), sum: githash.New(crypto.SHA1), limit: limit}
}

// at returns the number of bytes returned.
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

// wireError is an error of the connection and not of the data.
type wireError struct{ error }

func (s *stream) ReadByte() (byte, error) {
	if s.r == s.w {
		if err := s.fill(); err != nil {
			return 0, err
		}
	}
	b := s.buf[s.r]
	s.r++
	if s.copyTo != nil {
		s.copyTo.WriteByte(b)
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
	if s.copyTo != nil {
		s.copyTo.Write(p[:n])
	}
	return n, nil
}

// end reads the hash at the end of the pack and compares.
func (s *stream) end() error {
	s.digest()
	want := s.sum.Sum(nil)
	got := make([]byte, len(want))
	if _, err := io.ReadFull(s, got); err != nil {
		return truncated(err)
	}
	if !bytes.Equal(got, want) {
		return errors.New("its checksum is wrong")
	}
	return nil
}

// truncated returns the error for an end of data inside a pack.
func truncated(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends too early")
	}
	return err
}
