package pack

import (
	"bytes"
	"context"
	"crypto/sha1"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"
	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// realPack has git pack a repository with a history, with deltas of both kinds.
func realPack(t testing.TB, args ...string) []byte {
	dir := gittest.NewBare(t)
	body := strings.Repeat("a line that stays\n", 200)
	for _, s := range []string{"one", "two", "three"} {
		gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"a/" + s: s, "b": body + s, "c": s + body})})
	}
	cmd := exec.Command("git", append([]string{"pack-objects", "--stdout", "--revs", "--all", "-q"}, args...)...)
	cmd.Dir, cmd.Env = dir, gittest.Env()
	cmd.Stdin = strings.NewReader("")
	pack, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return pack
}

// theirs is what go-git makes of a pack; nil when it finds it broken.
func theirs(pack []byte) map[plumbing.Hash]string {
	scratch := memory.NewStorage()
	if err := packfile.UpdateObjectStorage(scratch, bytes.NewReader(pack)); err != nil {
		return nil
	}
	out := map[plumbing.Hash]string{}
	for id, o := range scratch.Objects {
		r, err := o.Reader()
		if err != nil {
			return nil
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(r); err != nil {
			return nil
		}
		out[id] = o.Type().String() + " " + b.String()
	}
	return out
}

func ours(objs map[plumbing.Hash]*Object) map[plumbing.Hash]string {
	out := map[plumbing.Hash]string{}
	for id, o := range objs {
		out[id] = o.Kind.String() + " " + string(must(o.Content()))
	}
	return out
}

func TestReadPackAsGoGit(t *testing.T) {
	for name, args := range map[string][]string{
		"by offset": {"--delta-base-offset", "--window=50", "--depth=50"},
		"by id":     {"--window=50", "--depth=50"},
		"plain":     {"--window=0"},
	} {
		t.Run(name, func(t *testing.T) {
			pack := realPack(t, args...)
			got, err := readAll(pack, Bounds{}.WithDefaults())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(theirs(pack), ours(got)); diff != "" || len(got) == 0 {
				t.Errorf("a pack of git's is read as go-git reads it (-want +got):\n%s", diff)
			}
			for i := range pack { // slow, and worth it: nothing that is cut is taken for whole
				if i > 0 && i%7 == 0 {
					if _, err := readAll(pack[:i], Bounds{}.WithDefaults()); err == nil {
						t.Fatalf("cut to %d of %d bytes it is taken for whole", i, len(pack))
					}
				}
			}
		})
	}
}

// FuzzReadPack reads anything as a pack. What is accepted has the names that its contents have, keeps
// to the bounds, and is what go-git sees in it, where that sees anything.
func FuzzReadPack(f *testing.F) {
	for _, how := range []string{"--delta-base-offset", "--no-reuse-delta"} {
		pack := realPack(f, how, "--window=50")
		f.Add(pack[:len(pack)-sha1.Size])
	}
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := sha1.Sum(data) // what is behind a right checksum is worth a look
		data = append(bytes.Clone(data), sum[:]...)
		b := Bounds{Pack: 1 << 20, Objects: 1000, Object: 1 << 16, Total: 1 << 20}.WithDefaults()
		got, err := readAll(data, b)
		if err != nil {
			if got != nil {
				t.Error("what is refused is given nevertheless")
			}
			return
		}
		total := int64(0)
		for id, o := range got {
			data := must(o.Content())
			total += o.MemorySize()
			if id != o.ID || id != plumbing.ComputeHash(o.Kind, data) || int64(len(data)) > b.Object {
				t.Errorf("object %s is not what its name says", id)
			}
		}
		if total > b.Total || len(got) > b.Objects {
			t.Errorf("%d bytes in %d objects are past the bounds", total, len(got))
		}
		if want := theirs(data); want != nil && !maps.Equal(want, ours(got)) {
			t.Errorf("go-git sees %d objects, not %v", len(want), slices.Collect(maps.Keys(got)))
		}
	})
}

func must(data []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return data
}

func readAll(pack []byte, b Bounds) (map[plumbing.Hash]*Object, error) {
	return Read(context.Background(), noPause, bytes.NewReader(pack), b)
}

func noPause() func() { return func() {} }
