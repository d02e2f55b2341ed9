package pack

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// checkDelta holds for every pair: Waybill and go-git make the target of the base and the delta, which a limit only suppresses.
func checkDelta(t testing.TB, kind plumbing.ObjectType, base, target []byte) []byte {
	t.Helper()
	delta := makeDelta(kind, base, target, len(base)+2*len(target)+100)
	if delta == nil {
		t.Fatalf("no delta from %d to %d bytes", len(base), len(target))
	}
	made, err := applyDelta(base, delta)
	if err != nil || !bytes.Equal(made, target) {
		t.Fatalf("Waybill makes %d bytes of a delta to %d: %v", len(made), len(target), err)
	}
	if len(base) > 0 { // go-git takes no base that is empty
		made, err = packfile.PatchDelta(base, delta)
		if err != nil || !bytes.Equal(made, target) {
			t.Fatalf("go-git makes %d bytes of a delta to %d: %v", len(made), len(target), err)
		}
	}
	if again := makeDelta(kind, base, target, len(delta)); !bytes.Equal(again, delta) {
		t.Error("a second delta differs from the first")
	}
	if makeDelta(kind, base, target, len(delta)-1) != nil {
		t.Error("a delta exceeds the limit")
	}
	return delta
}

// work is like a ManifestWork: objects that differ in a few values.
func work(cluster string, objects int, image string) string {
	var b strings.Builder
	b.WriteString("metadata:\n  namespace: " + cluster + "\nmanifests:\n")
	for i := range objects {
		value := "edge"
		if i%10 == 0 {
			value = cluster
		}
		fmt.Fprintf(&b, "- apiVersion: apps/v1\n  kind: Deployment\n  metadata:\n    name: web-%d\n  spec:\n    replicas: 3\n    template:\n"+
			"      metadata:\n        labels:\n          app: web-%d\n%s", i, i, strings.Repeat("      annotations: none\n", 12))
		fmt.Fprintf(&b, "      env:\n      - name: CLUSTER\n        value: %s\n", value)
		if i == objects/2 {
			b.WriteString("      image: registry.example.com/web:" + image + "\n")
		}
	}
	return b.String()
}

func TestMakeDelta(t *testing.T) {
	long := work("edge-1", 100, "1")
	lines := strings.SplitAfter(long, "\n")
	without := func(from, to int) string { return strings.Join(append(lines[:from:from], lines[to:]...), "") }
	for name, tc := range map[string]struct {
		reason       string
		base, target string
		most         int // bytes
	}{
		"same":         {"equal objects take two lengths and a copy", long, long, 12},
		"one line":     {"two copies and the new bytes", long, work("edge-1", 100, "2"), 20},
		"other length": {"what follows a longer line is copied", long, work("edge-1", 100, "20"), 20},
		"two clusters": {"eleven values differ", long, work("edge-2", 100, "1"), 11*10 + 10},
		"long name":    {"eleven values of another length differ", long, work("edge-12345", 100, "1"), 11*14 + 10},
		"two removals": {"what follows a removal is found by its lines", long, strings.Replace(without(60, 85), lines[700], "", 1), 60},
		"an addition":  {"what follows an addition is found by its lines", strings.Replace(without(60, 85), lines[700], "", 1), long, 700},
		"moved":        {"blocks that change places are copied, if not at once", long, strings.Join(append(lines[1000:], lines[:1000]...), ""), 200},
		"nothing":      {"of nothing there is nothing to copy", "", "a\nb\n", 10},
		"to nothing":   {"the empty object has an empty delta", long, "", 6},
		"no lines":     {"equal ends are found without lines", strings.Repeat("a", 300) + "b" + strings.Repeat("c", 300), strings.Repeat("a", 300) + strings.Repeat("c", 300), 20},
		"large":        {"a copy has at most 64 KiB", strings.Repeat("a line\n", 100_000), strings.Repeat("a line\n", 100_000) + "end", 60},
	} {
		t.Run(name, func(t *testing.T) {
			if delta := checkDelta(t, plumbing.BlobObject, []byte(tc.base), []byte(tc.target)); len(delta) > tc.most {
				t.Errorf("%s: %d bytes, want at most %d", tc.reason, len(delta), tc.most)
			}
		})
	}
}

// treeOf is a directory of n folders with ids that depend on the seed.
func treeOf(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	var b bytes.Buffer
	for i := range n {
		fmt.Fprintf(&b, "40000 edge-%05d\x00", i)
		for range 20 {
			b.WriteByte(byte(r.Uint32()))
		}
	}
	return b.Bytes()
}

// TestMakeDeltaOfTrees changes all ids of a directory: names are copied, and ids are not.
func TestMakeDeltaOfTrees(t *testing.T) {
	base, target := treeOf(1000, 1), treeOf(1000, 2)
	if delta := checkDelta(t, plumbing.TreeObject, base, target); len(delta) > 1000*27 {
		t.Errorf("%d bytes of %d", len(delta), len(target))
	}
	checkDelta(t, plumbing.TreeObject, base, target[:len(target)-5]) // a broken one
}

func FuzzMakeDelta(f *testing.F) {
	f.Add([]byte(work("a", 3, "1")), []byte(work("b", 4, "2")), false)
	f.Add(treeOf(3, 1), treeOf(4, 2), true)
	f.Add([]byte("a\nb\n"), []byte{}, true)
	f.Add(bytes.Repeat([]byte("x\n"), 700), bytes.Repeat([]byte("x\n"), 701), false)
	f.Fuzz(func(t *testing.T, base, target []byte, isTree bool) {
		kind := plumbing.BlobObject
		if isTree {
			kind = plumbing.TreeObject
		}
		checkDelta(t, kind, base, target)
	})
}

func BenchmarkMakeDelta(b *testing.B) {
	base := []byte(work("edge-1", 100, "1"))
	for name, target := range map[string]string{"line": work("edge-1", 100, "2"), "cluster": work("edge-2", 100, "1")} {
		for by, make := range map[string]func(base, target []byte) []byte{
			"ours":   func(base, target []byte) []byte { return makeDelta(plumbing.BlobObject, base, target, len(target)) },
			"go-git": packfile.DiffDelta,
		} {
			b.Run(name+"/"+by, func(b *testing.B) {
				checkDelta(b, plumbing.BlobObject, base, []byte(target))
				b.SetBytes(int64(len(target)))
				var delta []byte
				for b.Loop() {
					delta = make(base, []byte(target))
				}
				b.ReportMetric(float64(len(delta)), "delta-B")
			})
		}
	}
}
