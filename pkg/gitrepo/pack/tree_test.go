package pack

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// TestTreesStayDeltas has a chain of trees that differ in one entry each: they take little memory, and are read as they are.
func TestTreesStayDeltas(t *testing.T) {
	entry := func(i, change int) string {
		return fmt.Sprintf("40000 site-%04d\x00", i) + strings.Repeat(string(rune('a'+change%26)), 20)
	}
	tree := func(n int) []byte {
		var out bytes.Buffer
		for i := range 500 {
			change := 0
			if i < n {
				change = i + 1
			}
			out.WriteString(entry(i, change))
		}
		return out.Bytes()
	}
	size := len(entry(0, 0))
	change := func(n int) []byte { // of tree n to tree n+1, in which entry n is another one
		at, whole := n*size, 500*size
		d := appendSize(appendSize(nil, whole), whole)
		if at > 0 {
			d = appendCopy(d, 0, at)
		}
		d = append(append(d, byte(size)), entry(n, n+1)...)
		return appendCopy(d, at+size, whole-at-size)
	}
	p := &reader{ctx: t.Context(), bounds: Bounds{Total: 1 << 30}, out: map[plumbing.Hash]*Object{}}
	p.bounds = p.bounds.WithDefaults()
	o := NewObject(plumbing.TreeObject, tree(0))
	all, held, whole := []*Object{o}, int64(0), 0
	for n := range 100 {
		next, err := p.resolve(&delta{data: change(n)}, o)
		if err != nil {
			t.Fatal(err)
		}
		all, o = append(all, next), next
	}
	for n, o := range all {
		want := tree(n)
		got, err := o.Content()
		if err != nil || !bytes.Equal(got, want) || o.ID != plumbing.ComputeHash(plumbing.TreeObject, want) || o.Size() != int64(len(want)) {
			t.Fatalf("tree %d is another one: %v", n, err)
		}
		if held += o.MemorySize(); !o.IsCompressed() {
			whole++
		}
		if o.depth > resemblingOf(plumbing.TreeObject).deepest {
			t.Errorf("tree %d is a chain of %d deltas", n, o.depth)
		}
	}
	if whole != 1 { // the first
		t.Errorf("%d of %d trees are whole", whole, len(all))
	}
	if most := int64(len(tree(0))) * 4; held > most {
		t.Errorf("%d bytes in memory, want at most %d", held, most)
	}
}

func appendSize(d []byte, n int) []byte {
	for ; n >= 0x80; n >>= 7 {
		d = append(d, byte(n)|0x80)
	}
	return append(d, byte(n))
}

func appendCopy(d []byte, at, n int) []byte {
	return append(d, 0x80|0x0f|0x70, byte(at), byte(at>>8), byte(at>>16), byte(at>>24), byte(n), byte(n>>8), byte(n>>16))
}

// TestCompactLike keeps what an object is, as a delta where that is much shorter, and never of a long chain.
func TestCompactLike(t *testing.T) {
	file := func(version string) []byte {
		return []byte(strings.Repeat("a line of a file\n", 40) + "version: " + version + "\n" + strings.Repeat("another line\n", 40))
	}
	blob := func(data []byte) *Object { return NewObject(plumbing.BlobObject, data) }
	base := blob(file("1"))
	half := base.CompactLike(blob(bytes.Repeat(file("1"), 2)))
	for name, tc := range map[string]struct {
		base, object *Object
		smaller      bool
	}{
		"one line":     {base, blob(file("2")), true},
		"none":         {base, blob(file("1")), true},
		"another file": {base, blob(treeOf(30, 1)), false},
		"another kind": {base, NewObject(plumbing.TreeObject, file("2")), false},
		"a small file": {blob(file("1")[:200]), blob(file("1")[:201]), false},
		"a work":       {blob([]byte(work("edge-1", 100, "1"))), blob([]byte(work("edge-1", 100, "2"))), false}, // it is compressed by itself
		"a commit":     {NewObject(plumbing.CommitObject, file("1")), NewObject(plumbing.CommitObject, file("2")), true},
		"a tag":        {NewObject(plumbing.TagObject, file("1")), NewObject(plumbing.TagObject, file("2")), false},
		"no base":      {nil, blob(file("2")), false},
		"a half":       {blob(bytes.Repeat(file("1"), 2)), blob(file("1")), true},
		"a quarter":    {half, blob(file("1")[:700]), false},                       // the same: the half is one of it
		"a third":      {blob(bytes.Repeat(file("1"), 3)), blob(file("1")), false}, // all of the file would be read for it
	} {
		got := tc.object.CompactLike(tc.base)
		if got.IsCompressed() != tc.smaller || !bytes.Equal(must(got.Content()), tc.object.data) || got.ID != tc.object.ID ||
			got.Kind != tc.object.Kind || got.Size() != tc.object.Size() {
			t.Errorf("%s: compressed: %v, %d bytes", name, got.IsCompressed(), got.MemorySize())
		}
	}
	whole := 0
	for n, o := 0, base; n < 50; n++ {
		want := file(fmt.Sprint(n))
		if o = blob(want).CompactLike(o); !bytes.Equal(must(o.Content()), want) {
			t.Fatalf("version %d is another one", n)
		}
		if !o.IsCompressed() {
			whole++
		}
	}
	if whole != 0 { // each is like the first
		t.Errorf("%d of 50 versions are whole", whole)
	}
}

// TestWithBase gives a small change another base with the same content: it stays what it is, however that base is held.
func TestWithBase(t *testing.T) {
	file := func(n int) *Object {
		return NewObject(plumbing.BlobObject, []byte(strings.Repeat("a line\n", 200)+strings.Repeat("x", n)))
	}
	change := file(1).CompactLike(file(0))
	deep := file(9)
	for n := range resemblingOf(plumbing.BlobObject).deepest {
		deep = file(8 - int(n)).CompactLike(deep)
	}
	deepest := file(0).CompactLike(deep.Base())
	for name, base := range map[string]*Object{"the same": change.Base(), "whole": file(0), "a change": file(0).CompactLike(file(5)), "deep": deepest} {
		got := change.WithBase(base)
		if !bytes.Equal(must(got.Content()), must(file(1).Content())) || got.ID != change.ID || got.Size() != change.Size() || !got.IsCompressed() {
			t.Errorf("%s: it is another object", name)
		}
		if want := base; name != "deep" && got.Base() != want || name == "deep" && got.Base() != deepest.first() {
			t.Errorf("%s: its base is another one", name)
		}
	}
	if !deepest.isDeep() {
		t.Error("no base is deep")
	}
}
