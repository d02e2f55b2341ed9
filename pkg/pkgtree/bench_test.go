package pkgtree

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkRewrite replaces every file, back and forth: few and many small ones, and the works of a fleet, large and alike, each in a
// folder of its own.
func BenchmarkRewrite(b *testing.B) {
	work := strings.Repeat("  spec: the same in each work of the fleet\n", 1400)
	for name, c := range map[string]struct {
		files, inFolder int
		text            string
	}{"small/files=10": {10, 100, ""}, "small/files=1000": {1000, 100, ""}, "works/files=2000": {2000, 1, work}} {
		var trees [2]Tree
		for v := range trees {
			texts := map[string]string{}
			for i := range c.files {
				texts[fmt.Sprintf("%d/f-%d", i/c.inFolder, i)] = fmt.Sprintf("content %d of %d\n%s", v, i, c.text)
			}
			trees[v] = packed(b, texts)
		}
		b.Run(name, func(b *testing.B) {
			dir, at := b.TempDir(), 0
			if err := WriteDir(dir, Tree{}, trees[0]); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if err := WriteDir(dir, trees[at], trees[1-at]); err != nil {
					b.Fatal(err)
				}
				at = 1 - at
			}
			b.ReportMetric(float64(c.files)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
		})
	}
}

// packed is the Tree of files as ReadDir reads it.
func packed(b *testing.B, files map[string]string) Tree {
	blobs := map[string]*Blob{}
	for p, text := range files {
		blobs[p] = PackBlob([]byte(text))
	}
	tree, err := FromBlobs(blobs)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}
