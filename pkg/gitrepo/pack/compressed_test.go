package pack

import (
	"bytes"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestCompact keeps what an object is, in less memory where that is worth it.
func TestCompact(t *testing.T) {
	for name, tc := range map[string]struct {
		kind    plumbing.ObjectType
		data    []byte
		smaller bool
	}{
		"a work":        {plumbing.BlobObject, []byte(work("edge-1", 100, "1")), true},
		"a small file":  {plumbing.BlobObject, []byte(strings.Repeat("a", medium-1)), false},
		"no repetition": {plumbing.BlobObject, treeOf(2000, 1), false},
		"a large file":  {plumbing.BlobObject, bytes.Repeat([]byte("a line\n"), 1<<20), true},
		"a directory":   {plumbing.TreeObject, bytes.Repeat([]byte("a"), 1<<20), false},
		"nothing":       {plumbing.BlobObject, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			o := NewObject(tc.kind, tc.data)
			got := o.Compact()
			if smaller := got.MemorySize() <= o.MemorySize()/2 && got.IsCompressed(); smaller != tc.smaller {
				t.Errorf("%d bytes take %d, compressed: %v", o.MemorySize(), got.MemorySize(), got.IsCompressed())
			}
			if !bytes.Equal(must(got.Content()), tc.data) || got.ID != o.ID || got.Kind != o.Kind || got.Size() != o.Size() {
				t.Error("it is another object")
			}
			if got.Compact() != got {
				t.Error("it is compressed twice")
			}
		})
	}
}

// TestReadCompact reads a pack with chains of deltas of works: what it keeps is small and whole, and the bounds count all of it.
func TestReadCompact(t *testing.T) {
	items, _ := works(3 * maxChain)
	for i := range items {
		items[i].Object = NewObject(plumbing.BlobObject, []byte(strings.Repeat(string(items[i].data), 2))) // of medium size
		if items[i].Before = nil; i > 0 {
			items[i].Like = items[i-1].Object
		}
	}
	buf, err := Encode(items, Accepts{Offsets: true})
	if err != nil {
		t.Fatal(err)
	}
	whole := items[0].Size() * int64(len(items))
	got, err := readAll(buf.Bytes(), Bounds{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if o := got[it.ID]; o == nil || !o.IsCompressed() || !bytes.Equal(must(o.Content()), it.data) {
			t.Fatalf("%s is missing, not compressed, or another object", it.ID)
		}
	}
	for name, b := range map[string]Bounds{"work": {Work: whole / 2}, "total": {Total: whole / 2}} {
		if _, err := readAll(buf.Bytes(), b.WithDefaults()); err == nil {
			t.Errorf("%s: what is unpacked is not bounded", name)
		}
	}
}

// TestDeltaOfLarge reads files that are deltas of longer ones: a short one is whole, so that no read of it unpacks its base, and what is
// read takes the memory of its own length.
func TestDeltaOfLarge(t *testing.T) {
	var items []Item
	for i, size := range []int{8 << 20, 2 << 20, 2 << 20, 1000, 1000} {
		it := Item{Object: NewObject(plumbing.BlobObject, append(make([]byte, size), byte('a'+i)))}
		if i > 0 {
			it.Like = items[i-1].Object
		}
		items = append(items, it)
	}
	buf, err := Encode(items, Accepts{Offsets: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(buf.Bytes(), Bounds{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for i, it := range items {
		data := must(got[it.ID].Content())
		if !bytes.Equal(data, it.data) || cap(data) > 2*len(data) {
			t.Errorf("file %d has %d bytes in the memory of %d", i, len(data), cap(data))
		}
	}
	if got[items[3].ID].IsCompressed() || !got[items[4].ID].IsCompressed() {
		t.Error("the first short file is a delta of a large one, or the second one is none")
	}
}

// TestHeldOnce reads a pack that has a file twice, each time with a delta of it: what is not given is not held.
func TestHeldOnce(t *testing.T) {
	file := strings.Repeat("a line of a file\n", 100)
	base, one, two := blobOf(file), blobOf(file+"1"), blobOf(file+"2")
	buf, err := Encode([]Item{{Object: base}, {Object: one, Like: base}, {Object: base}, {Object: two, Like: base}}, Accepts{Offsets: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(buf.Bytes(), Bounds{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []*Object{one, two} {
		if it := got[o.ID]; it.Base() != got[base.ID] || !bytes.Equal(must(it.Content()), o.data) {
			t.Errorf("%s is another one, or a delta of what is not in the result", o.ID)
		}
	}
}

// TestLargeStays reads large files whose packed bytes could be compressed again, a delta with much new text and a file that git only
// stored: they stay what they are.
func TestLargeStays(t *testing.T) {
	same := string(treeOf(medium, 1)) + strings.Repeat("a line that stays\n", large/32)
	files := []string{same + strings.Repeat("old line\n", large/32), same + strings.Repeat("new line\n", large/32)}
	for name, args := range map[string][]string{"delta": {"--window=10"}, "stored": {"--window=0", "--compression=0"}} {
		dir := gittest.NewBare(t)
		for _, file := range files {
			gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"file": file})})
		}
		pack := git(t, dir, nil, append([]string{"pack-objects", "--stdout", "--all", "-q"}, args...)...)
		got, err := readAll([]byte(pack), Bounds{}.WithDefaults())
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			id := plumbing.ComputeHash(plumbing.BlobObject, []byte(file))
			if data := must(got[id].Content()); string(data) != file || got[id].Packed() != nil {
				t.Errorf("%s: a file of %d bytes has %d", name, len(file), len(data))
			}
		}
	}
}
