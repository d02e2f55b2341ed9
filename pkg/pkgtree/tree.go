// Package pkgtree holds a package in memory: slash-separated path → bytes.
//
// Shape: a Tree is immutable once made; every change makes a new Tree that shares the blobs it
// did not change, so a thousand variants of one package cost little more than one. Large files that ReadDir read are
// compressed in memory. A path is
// relative, clean and free of "..", ".git" and the names that writes in progress use, see IsWorkName; New,
// Apply and FromBlobs refuse any other path.
// Cost: lookups O(1); Paths and Apply O(files), never O(bytes). A blob is hashed once, lazily,
// the way Git does, so that writing a Tree to Git need not read what Git already has.
// Errors: *PathError names the path and what is wrong with it.
// Source: ours; Git for the hash of a blob, kpt for which files are part of a package.
package pkgtree

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
)

// Tree is a package: files by path. The zero Tree is an empty package. A Tree is never changed
// after it was made; copying the value is free.
type Tree struct {
	files map[string]*Blob
}

// New makes a Tree of files. It does not copy the bytes: the caller must not change them afterwards.
func New(files map[string][]byte) (Tree, error) {
	blobs := make(map[string]*Blob, len(files))
	for p, data := range files {
		blobs[p] = NewBlob(data)
	}
	return FromBlobs(blobs)
}

// FromBlobs makes a Tree of blobs, which may be shared with other Trees. The caller must not change the map afterwards.
func FromBlobs(blobs map[string]*Blob) (Tree, error) {
	for _, p := range slices.Sorted(maps.Keys(blobs)) {
		if err := CheckPath(p); err != nil {
			return Tree{}, err
		}
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			if _, clash := blobs[dir]; clash {
				return Tree{}, clashError(p, dir)
			}
		}
	}
	return Tree{files: blobs}, nil
}

// Len is the number of files.
func (t Tree) Len() int { return len(t.files) }

// Blob returns the blob at p, nil when there is none.
func (t Tree) Blob(p string) *Blob { return t.files[p] }

// PackageOf is the folder of the innermost package that contains p; "" for the root, and when there is none.
func (t Tree) PackageOf(p string) string {
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if t.Blob(path.Join(dir, kptfile)) != nil {
			return dir
		}
	}
	return ""
}

// Get returns the bytes at p. They are shared: the caller must not change them.
func (t Tree) Get(p string) ([]byte, bool) {
	b, ok := t.files[p]
	if !ok {
		return nil, false
	}
	return b.Data(), true
}

// Paths returns every path, sorted bytewise.
func (t Tree) Paths() []string { return slices.Sorted(maps.Keys(t.files)) }

// All yields every file in path order.
func (t Tree) All() iter.Seq2[string, *Blob] {
	return func(yield func(string, *Blob) bool) {
		for _, p := range t.Paths() {
			if !yield(p, t.files[p]) {
				return
			}
		}
	}
}

// Apply returns a Tree in which every path of changes has its new bytes; nil bytes delete the
// path (if there is one). t is unchanged.
func (t Tree) Apply(changes map[string][]byte) (Tree, error) {
	blobs := make(map[string]*Blob, len(changes))
	for p, data := range changes {
		if blobs[p] = nil; data != nil {
			blobs[p] = NewBlob(data)
		}
	}
	return t.ApplyBlobs(blobs)
}

// ApplyBlobs is Apply for content in blobs; nil deletes the path.
func (t Tree) ApplyBlobs(changes map[string]*Blob) (Tree, error) {
	blobs := make(map[string]*Blob, len(t.files)+len(changes))
	maps.Copy(blobs, t.files)
	for p, b := range changes {
		if b == nil {
			delete(blobs, p)
		} else if old := blobs[p]; !b.Equal(old) {
			blobs[p] = b
		}
	}
	return FromBlobs(blobs)
}

// Sub returns the part of t below dir, with paths from dir on. Sub("") and Sub(".") are t.
func (t Tree) Sub(dir string) Tree {
	if dir == "" || dir == "." {
		return t
	}
	blobs := map[string]*Blob{}
	for p, b := range t.files {
		if rest, ok := strings.CutPrefix(p, dir+"/"); ok {
			blobs[rest] = b
		}
	}
	return Tree{files: blobs}
}

// Equal reports whether both Trees have the same bytes at the same paths.
func (t Tree) Equal(u Tree) bool {
	return maps.EqualFunc(t.files, u.files, (*Blob).Equal)
}

// Digest identifies the content of t: the hex SHA-256 over every path and blob id, in path order.
func (t Tree) Digest() string {
	h := sha256.New()
	for p, b := range t.All() {
		id := b.GitID()
		fmt.Fprintf(h, "%d %s %x\n", len(p), p, id)
	}
	return hex.EncodeToString(h.Sum(nil))
}
