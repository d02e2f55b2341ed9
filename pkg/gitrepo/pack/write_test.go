package pack

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

func blobOf(text string) *Object { return NewObject(plumbing.BlobObject, []byte(text)) }

// works are items like those of a push: each is the next version of one that the reader has, and resembles the one before it.
func works(n int) (items []Item, had []*Object) {
	var last *Object
	for i := range n {
		before, now := blobOf(work(fmt.Sprint("edge-", i), 20, "1")), blobOf(work(fmt.Sprint("edge-", i), 20, "2"))
		items, had, last = append(items, Item{Object: now, Before: before, Like: last}), append(had, before), now
	}
	return items, had
}

// index has git complete and check a pack in a repository that has objects; it returns git's list of the objects in the pack.
func index(t testing.TB, pack []byte, had []*Object) string {
	t.Helper()
	dir := gittest.NewBare(t)
	for _, o := range had {
		git(t, dir, o.data, "hash-object", "-w", "--stdin")
	}
	out := git(t, dir, pack, "index-pack", "--stdin", "--fix-thin", "--strict")
	_, name, _ := strings.Cut(strings.TrimSpace(out), "\t")
	gittest.Fsck(t, dir)
	return git(t, dir, nil, "verify-pack", "-v", filepath.Join("objects", "pack", "pack-"+name+".idx"))
}

func git(t testing.TB, dir string, stdin []byte, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env, cmd.Stdin = dir, gittest.Env(), bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

// TestEncode writes items for readers that accept more and less. What git makes of the pack has exactly these objects, with deltas of
// deltas up to a limit; the same items give the same bytes.
func TestEncode(t *testing.T) {
	items, had := works(3*maxChain + 2)
	for name, tc := range map[string]struct {
		to    Accepts
		added int // bases that git adds to the pack
	}{
		"all":     {Accepts{Thin: true, Offsets: true}, 1},
		"by id":   {Accepts{Thin: true}, 1},
		"no thin": {Accepts{Offsets: true}, 0},
		"plain":   {Accepts{}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			buf, err := Encode(items, tc.to)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Encode(items, tc.to)
			if err != nil || !bytes.Equal(buf.Bytes(), again.Bytes()) {
				t.Errorf("a second pack differs: %v", err)
			}
			if most := 200 * len(items); buf.Len() > most {
				t.Errorf("the pack has %d bytes, want at most %d", buf.Len(), most)
			}
			listed := index(t, buf.Bytes(), had)
			if got := strings.Count(listed, " blob "); got != len(items)+tc.added {
				t.Errorf("git finds %d objects for %d items, want %d more", got, len(items), tc.added)
			}
			for _, it := range items {
				if !strings.Contains(listed, it.ID.String()) {
					t.Errorf("git does not find %s", it.ID)
				}
			}
			for line := range strings.Lines(listed) {
				var depth int
				if words := strings.Fields(line); len(words) == 7 {
					depth, _ = strconv.Atoi(words[5])
				}
				if depth > maxChain+1 {
					t.Errorf("a chain of %d deltas", depth)
				}
			}
		})
	}
}

// TestEncodeWhole writes what resembles nothing, in every kind and size: Waybill reads what it wrote.
func TestEncodeWhole(t *testing.T) {
	var items []Item
	want := map[plumbing.Hash]string{}
	var last *Object
	for _, size := range []int{0, 1, 15, 16, 39, 40, 2047, 2048, 70_000, 3 << 20} {
		o := NewObject(plumbing.BlobObject, treeOf(size/32+1, uint64(size))[:size])
		items, last = append(items, Item{Object: o, Like: last, Before: blobOf("other")}), o
		want[o.ID] = "blob " + string(o.data)
	}
	tree := NewObject(plumbing.TreeObject, treeOf(5, 1))
	items = append(items, Item{Object: tree, Like: last, Before: last}) // of another kind
	want[tree.ID] = "tree " + string(tree.data)
	buf, err := Encode(items, Accepts{Thin: true, Offsets: true})
	if err != nil {
		t.Fatal(err)
	}
	got, err := readAll(buf.Bytes(), Bounds{}.WithDefaults())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, ours(got)); diff != "" {
		t.Errorf("what is read differs from what was written (-want +got):\n%s", diff[:min(len(diff), 500)])
	}
}

// BenchmarkEncode writes works, as deltas and without.
func BenchmarkEncode(b *testing.B) {
	items, _ := works(1000)
	alone := make([]Item, len(items))
	for i, it := range items {
		alone[i] = Item{Object: it.Object}
	}
	for name, items := range map[string][]Item{"deltas": items, "whole": alone} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(items)) * items[0].Size())
			var n int
			for b.Loop() {
				buf, err := Encode(items, Accepts{Thin: true, Offsets: true})
				if err != nil {
					b.Fatal(err)
				}
				n = buf.Len()
			}
			b.ReportMetric(float64(n), "pack-B")
		})
	}
}
