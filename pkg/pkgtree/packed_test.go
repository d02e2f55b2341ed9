package pkgtree

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/s2"
)

// contents are of all sizes around the least that is packed, alike and random.
func contents() (all [][]byte) {
	for _, n := range []int{0, 1, minPacked - 1, minPacked, minPacked + 1, 3 * minPacked, 2 * maxBuffer} {
		noise := make([]byte, n)
		_, _ = rand.Read(noise)
		all = append(all, bytes.Repeat([]byte{'a'}, n), noise, []byte(strings.Repeat("key: value\n", n/11+1)))
	}
	return all
}

// TestPackedBlob holds that a packed blob is like one that is not, for every method.
func TestPackedBlob(t *testing.T) {
	all := contents()
	for i, data := range all {
		given := bytes.Clone(data)
		packed, plain := PackBlob(given), NewBlob(data)
		clear(given) // the caller may use it again
		var viewed []byte
		packed.View(func(own []byte) { viewed = bytes.Clone(own) })
		if !bytes.Equal(packed.Data(), data) || !bytes.Equal(viewed, data) || packed.Size() != len(data) {
			t.Errorf("%d bytes: other content", len(data))
		}
		if packed.GitID() != plain.GitID() || PackGitBlob(data, plain.GitID()).GitID() != plain.GitID() {
			t.Errorf("%d bytes: other digests", len(data))
		}
		if packed.Digest() != plain.Digest() || PackedGitBlob(s2.Encode(nil, data), len(data), plain.GitID()).Digest() != plain.Digest() {
			t.Errorf("%d bytes: the digest depends on how they are kept", len(data))
		}
		for j, other := range all {
			if same := packed.Digest() == PackBlob(other).Digest(); same != bytes.Equal(data, other) {
				t.Errorf("contents %d and %d: the same digest is %v", i, j, same)
			}
			want := bytes.Equal(data, other)
			for _, o := range []*Blob{PackBlob(other), NewBlob(other)} {
				if packed.Equal(o) != want || o.Equal(packed) != want || packed.Holds(other) != want {
					t.Errorf("contents %d and %d: equal is not %v", i, j, want)
				}
				if a, b := PackGitBlob(data, plain.GitID()), PackGitBlob(other, o.GitID()); a.Equal(b) != want || a.Equal(o) != want || o.Equal(a) != want {
					t.Errorf("contents %d and %d of Git: equal is not %v", i, j, want)
				}
			}
		}
		if packed.Equal(nil) || (*Blob)(nil).Equal(packed) {
			t.Error("it equals nil")
		}
	}
	if n := len(PackBlob(bytes.Repeat([]byte("key: value\n"), minPacked)).packed); n == 0 || n > minPacked {
		t.Errorf("it is packed to %d bytes", n)
	}
}

// TestReadManyFolders compares a package that several readers read with one that is read in turn: the files, and the first error.
func TestReadManyFolders(t *testing.T) {
	dir := t.TempDir()
	files := map[string][]byte{}
	for i := range 5 * partSize {
		text := []byte(strings.Repeat(fmt.Sprintf("line %d\n", i), 10*i))
		files[fmt.Sprintf("clusters/edge-%d/shop/0.yaml", i)], files[fmt.Sprintf("app/%d.yaml", i)] = text, text[:min(100, len(text))]
	}
	want, err := New(files)
	if err != nil {
		t.Fatal(err)
	}
	if err := WriteDir(dir, Tree{}, want); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("0.yaml", filepath.Join(dir, "clusters/edge-7/shop/1.yaml")); err != nil {
		t.Fatal(err)
	}
	if got, err := ReadDir(dir, Limits{}); err != nil || !got.Equal(want) || got.Digest() != want.Digest() {
		t.Errorf("it reads other files than were written: %v", err)
	}
	for limits, reason := range map[*Limits]string{
		{Files: 500}:    "more than 500 files",
		{Bytes: 200000}: "clusters/edge-117/shop/0.yaml: more than 200000 bytes in all",
		{MayLink: func(Tree) func(string) bool { return func(string) bool { return false } }}: "clusters/edge-7/shop/1.yaml: is a symbolic link",
	} {
		for range 3 {
			if _, err := ReadDir(dir, *limits); err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("got %v, want %s", err, reason)
			}
		}
	}
}

// TestDigestOfPacked has a file whose text is what another file is compressed to: they are not the same.
func TestDigestOfPacked(t *testing.T) {
	long := PackBlob(bytes.Repeat([]byte("a line\n"), minPacked))
	if short := PackBlob(long.packed); len(long.packed) == 0 || short.Digest() == long.Digest() {
		t.Errorf("%d bytes have the digest of %d bytes", short.Size(), long.Size())
	}
}

// TestPackedGitBlob has content that was compressed elsewhere be as what a file makes of it.
func TestPackedGitBlob(t *testing.T) {
	for _, text := range []string{"", "a line\n", strings.Repeat("a line\n", minPacked)} {
		want := NewBlob([]byte(text))
		got := PackedGitBlob(s2.Encode(nil, []byte(text)), len(text), want.GitID())
		if string(got.Data()) != text || got.Size() != len(text) || got.GitID() != want.GitID() || !got.Equal(want) || !want.Equal(got) {
			t.Errorf("%d bytes are %q", len(text), got.Data())
		}
	}
}
