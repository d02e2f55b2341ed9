package pack

import (
	"bytes"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// tokens are the parts of an object at which a delta continues after a difference: lines, or the entries of a tree.
type tokens struct {
	data   []byte
	starts []int // of the entries; nil: lines
}

// tokensOf returns the tokens of an object, or of its beginning.
func tokensOf(kind plumbing.ObjectType, data []byte) tokens {
	t := tokens{data: data}
	if kind != plumbing.TreeObject {
		return t
	}
	t.starts = []int{}
	for at := 0; at < len(data); {
		t.starts = append(t.starts, at)
		at += len(t.token(at)) + len(plumbing.Hash{})
	}
	return t
}

// next returns where the first token begins at or after at; the length of the data if there is none.
func (t tokens) next(at int) int {
	switch {
	case at >= len(t.data):
		return len(t.data)
	case t.starts != nil:
		i, _ := slices.BinarySearch(t.starts, at)
		if i < len(t.starts) {
			return t.starts[i]
		}
		return len(t.data)
	case at == 0 || t.data[at-1] == '\n':
		return at
	}
	return t.lineEnd(at)
}

// lineEnd returns the end of the line that the byte at is in.
func (t tokens) lineEnd(at int) int {
	if i := bytes.IndexByte(t.data[at:], '\n'); i >= 0 {
		return at + i + 1
	}
	return len(t.data)
}

// token returns the token that begins there: a line, or mode and name of an entry.
func (t tokens) token(at int) []byte {
	if t.starts == nil {
		return t.data[at:t.lineEnd(at)]
	}
	if i := bytes.IndexByte(t.data[at:], 0); i >= 0 {
		return t.data[at : at+i+1]
	}
	return t.data[at:]
}
