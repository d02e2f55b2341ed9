package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/pack"
)

// A cached commit is a file: the magic, how many objects there are, a line for each, sorted by id
// (id, type, where its bytes begin, how many there are), and the bytes of all. Nothing in it is
// believed: a line only says where to look for an object, whose bytes must then have its id.
var storeMagic = []byte("waybill git commit 1\n")

const (
	storeCount = 4
	storeLine  = len(Hash{}) + 1 + 8 + 8
)

// store lays out objs as the parts of a file of at most that size; nil when it would be larger.
func store(objs []*pack.Object, most int64) [][]byte {
	index := binary.BigEndian.AppendUint32(bytes.Clone(storeMagic), uint32(len(objs))) // #nosec G115 -- bounded as they were received
	at := int64(len(index) + len(objs)*storeLine)
	lines := make([][]byte, 0, len(objs))
	parts := make([][]byte, 1, 1+len(objs))
	all := at
	for _, o := range objs {
		all += o.Size()
	}
	if all > most {
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

// spoiltError says that a file in the cache is not what was written there.
type spoiltError struct{ what string }

func (e *spoiltError) Error() string { return "cached commit: " + e.what }

// stored is a cached commit that objects are read from, each when it is needed.
type stored struct {
	file  io.ReaderAt
	size  int64
	lines []byte
}

// readStored reads the package from a cached commit.
func (a *ask) readStored(r Resolved, file io.ReaderAt, size int64) (*Fetched, error) {
	s, err := openStored(file, size)
	if err != nil {
		return nil, err
	}
	f, err := a.read(r, s)
	if err == nil {
		f.Cached = true
	}
	return f, err
}

func openStored(file io.ReaderAt, size int64) (*stored, error) {
	head := make([]byte, len(storeMagic)+storeCount)
	if _, err := file.ReadAt(head, 0); err != nil || !bytes.HasPrefix(head, storeMagic) {
		return nil, &spoiltError{"it is none"}
	}
	n := int64(binary.BigEndian.Uint32(head[len(storeMagic):])) * int64(storeLine)
	if n > size {
		return nil, &spoiltError{"it is cut short"}
	}
	s := &stored{file: file, size: size, lines: make([]byte, n)}
	if _, err := file.ReadAt(s.lines, int64(len(head))); err != nil {
		return nil, &spoiltError{"it is cut short"}
	}
	return s, nil
}

// object reads an object and compares its content with its id. The cache holds whole commits: one
// that is missing is a fault, too.
func (s *stored) object(id Hash) (*pack.Object, error) {
	line := s.find(id)
	if line == nil {
		return nil, &spoiltError{fmt.Sprintf("%s is missing", id)}
	}
	kind, at, size := plumbing.ObjectType(line[0]), binary.BigEndian.Uint64(line[1:]), binary.BigEndian.Uint64(line[9:]) // #nosec G115
	if at > uint64(s.size) ||
		size > uint64(s.size)-at { // #nosec G115 -- not negative
		return nil, &spoiltError{fmt.Sprintf("%s is cut short", id)}
	}
	data := make([]byte, size)
	if _, err := s.file.ReadAt(data, int64(at)); err != nil { // #nosec G115 -- within the file
		return nil, &spoiltError{fmt.Sprintf("%s cannot be read", id)}
	}
	o := pack.NewObject(kind, data)
	if o.ID != id {
		return nil, &spoiltError{fmt.Sprintf("%s has another content", id)}
	}
	return o, nil
}

// find returns what follows the id in its line; nil when there is none.
func (s *stored) find(id Hash) []byte {
	lo, hi := 0, len(s.lines)/storeLine
	for lo < hi {
		mid := (lo + hi) / 2
		line := s.lines[mid*storeLine : (mid+1)*storeLine]
		switch c := bytes.Compare(line[:len(id)], id[:]); {
		case c == 0:
			return line[len(id):]
		case c < 0:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return nil
}
