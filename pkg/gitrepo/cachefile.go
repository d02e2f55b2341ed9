package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// A cached commit is a file: the magic, the number of objects, a record per object, sorted by id (id, type,
// offset and length of its bytes), and the bytes of all. Nothing in it is trusted: a record only locates an
// object, and its bytes must have its id.
var cacheMagic = []byte("waybill git commit 1\n")

const (
	countSize = 4
	lineSize  = len(Hash{}) + 1 + 8 + 8
)

// encodeCached returns the parts of a file of objs, nil if it would exceed limit.
func encodeCached(objs []*pack.Object, limit int64) [][]byte {
	index := binary.BigEndian.AppendUint32(bytes.Clone(cacheMagic), uint32(len(objs))) // #nosec G115 -- bounded as they were received
	at := int64(len(index) + len(objs)*lineSize)
	lines := make([][]byte, 0, len(objs))
	parts := make([][]byte, 1, 1+len(objs))
	all := at
	for _, o := range objs {
		all += o.Size()
	}
	if all > limit {
		return nil
	}
	for _, o := range objs {
		data, err := o.Content()
		if err != nil {
			return nil
		}
		line := append(o.ID[:len(o.ID):len(o.ID)], byte(o.Kind)) // #nosec G115 -- one of four
		line = binary.BigEndian.AppendUint64(line, uint64(at))   // #nosec G115 -- not negative
		lines = append(lines, binary.BigEndian.AppendUint64(line, uint64(len(data))))
		parts = append(parts, data)
		at += int64(len(data))
	}
	slices.SortFunc(lines, bytes.Compare)
	parts[0] = append(index, bytes.Join(lines, nil)...)
	return parts
}

// corruptError is the error for a damaged file in the cache.
type corruptError struct{ what string }

func (e *corruptError) Error() string { return "cached commit: " + e.what }

// cachedCommit reads the objects of a cached commit on demand.
type cachedCommit struct {
	file  io.ReaderAt
	size  int64
	lines []byte
}

// readCached reads the package from a cached commit.
func (q *query) readCached(r Resolved, file io.ReaderAt, size int64) (*Fetched, error) {
	s, err := openCached(file, size)
	if err != nil {
		return nil, err
	}
	f, err := q.read(r, s)
	if err == nil {
		f.Cached = true
	}
	return f, err
}

func openCached(file io.ReaderAt, size int64) (*cachedCommit, error) {
	head := make([]byte, len(cacheMagic)+countSize)
	if _, err := file.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, cacheMagic) {
		return nil, &corruptError{"wrong format"}
	}
	n := int64(binary.BigEndian.Uint32(head[len(cacheMagic):])) * int64(lineSize)
	if n > size {
		return nil, &corruptError{"it is truncated"}
	}
	s := &cachedCommit{file: file, size: size, lines: make([]byte, n)}
	if _, err := file.ReadAt(s.lines, int64(len(head))); err != nil {
		return nil, &corruptError{"it is truncated"}
	}
	return s, nil
}

// object reads an object and compares its content with its id. The cache contains whole commits, so that a
// missing object is an error too.
func (s *cachedCommit) object(id Hash) (*pack.Object, error) {
	line := s.find(id)
	if line == nil {
		return nil, &corruptError{fmt.Sprintf("%s is missing", id)}
	}
	kind, at, size := plumbing.ObjectType(line[0]), binary.BigEndian.Uint64(line[1:]), binary.BigEndian.Uint64(line[9:]) // #nosec G115
	if at > uint64(s.size) ||
		size > uint64(s.size)-at { // #nosec G115 -- not negative
		return nil, &corruptError{fmt.Sprintf("%s is truncated", id)}
	}
	data := make([]byte, size)
	if _, err := s.file.ReadAt(data, int64(at)); err != nil { // #nosec G115 -- within the file
		return nil, &corruptError{fmt.Sprintf("%s cannot be read", id)}
	}
	o := pack.NewObject(kind, data)
	if o.ID != id {
		return nil, &corruptError{fmt.Sprintf("%s has other content", id)}
	}
	return o, nil
}

// find returns the record of an object after its id, nil if there is none.
func (s *cachedCommit) find(id Hash) []byte {
	line := func(i int) []byte { return s.lines[i*lineSize : (i+1)*lineSize] }
	i, found := sort.Find(len(s.lines)/lineSize, func(i int) int { return bytes.Compare(id[:], line(i)[:len(id)]) })
	if !found {
		return nil
	}
	return line(i)[len(id):]
}
