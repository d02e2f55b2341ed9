package pack

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/storage/memory"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// thousand is git's pack of a thousand manifests and ten commits that change a hundred of them each, with deltas.
func thousand(b *testing.B) []byte {
	dir := gittest.NewBare(b)
	for i := range 11 {
		files := map[string]string{}
		for j := range 1000 {
			if i == 0 || j%10 == i-1 {
				files[fmt.Sprintf("pkg/%02d/deployment-%d.yaml", j%20, j)] = fmt.Sprintf("revision: %d\n", i) + strings.Repeat(fmt.Sprintf("field: value %d\n", j), 300)
			}
		}
		gittest.Commit(b, dir, gittest.Change{Files: gittest.Files(files)})
	}
	cmd := exec.Command("git", "pack-objects", "--stdout", "--revs", "--all", "-q", "--delta-base-offset", "--no-reuse-delta", "--window=50", "--depth=50")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, gittest.Env(), strings.NewReader("")
	pack, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return pack
}

func BenchmarkRead(b *testing.B) {
	pack := thousand(b)
	want := len(theirs(pack))
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(pack)))
		for b.Loop() {
			if got, err := readAll(pack, Bounds{}.WithDefaults()); err != nil || len(got) != want {
				b.Fatal(len(got), err)
			}
		}
	})
	b.Run("go-git", func(b *testing.B) {
		b.ReportAllocs()
		b.SetBytes(int64(len(pack)))
		for b.Loop() {
			scratch := memory.NewStorage()
			if err := packfile.UpdateObjectStorage(scratch, bytes.NewReader(pack)); err != nil || len(scratch.Objects) != want {
				b.Fatal(len(scratch.Objects), err)
			}
		}
	})
}

// BenchmarkDelta makes an object of 64 MiB of one that has as many bytes, as git does when a few of them change.
func BenchmarkDelta(b *testing.B) {
	base := make([]byte, 64<<20)
	delta := append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(len(base))), uint64(len(base))), bytes.Repeat([]byte{0x80}, len(base)>>16)...)
	for name, apply := range map[string]func(base, delta []byte) ([]byte, error){"ours": applyDelta, "go-git": packfile.PatchDelta} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if made, err := apply(base, delta); err != nil || len(made) != len(base) {
					b.Fatal(len(made), err)
				}
			}
		})
	}
}

// BenchmarkBomb reads a pack of 64 kB that holds a blob of 64 MiB.
func BenchmarkBomb(b *testing.B) {
	const size = 64 << 20
	var pack bytes.Buffer
	pack.WriteString("PACK\x00\x00\x00\x02\x00\x00\x00\x01")
	pack.Write(binary.AppendUvarint([]byte{0xb0}, size>>4))
	z := zlib.NewWriter(&pack)
	if _, err := z.Write(make([]byte, size)); err != nil {
		b.Fatal(err)
	}
	z.Close()
	sum := sha1.Sum(pack.Bytes())
	pack.Write(sum[:])
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := readAll(pack.Bytes(), Bounds{Object: 1 << 20}.WithDefaults()); err == nil {
				b.Fatal("it is accepted")
			}
		}
	})
	b.Run("go-git", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if err := packfile.UpdateObjectStorage(memory.NewStorage(), bytes.NewReader(pack.Bytes())); err != nil {
				b.Fatal(err)
			}
		}
	})
}
