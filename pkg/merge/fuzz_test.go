package merge

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// FuzzPackages: any three files merge, or are refused; what comes out can be read, and the laws hold.
func FuzzPackages(f *testing.F) {
	for _, g := range goldens(f, "testdata") {
		for p := range g.ours.All() {
			b, t, o := g.versionsOf(p)
			f.Add(p, b, t, o)
		}
	}
	f.Fuzz(func(t *testing.T, p, base, theirs, ours string) {
		if p != "Kptfile" && p != "sub/Kptfile" {
			p = "a.yaml"
		}
		b, u, l := tree(t, map[string]string{p: base}), tree(t, map[string]string{p: theirs}), tree(t, map[string]string{p: ours})
		if hasOddNames(b) || hasOddNames(u) || hasOddNames(l) {
			return
		}
		checkPackageLaws(t, b, u, l, ResourceMerge)
		for _, prefer := range []Prefer{Upstream, Local} {
			r, err := Packages(b, u, l, Options{Prefer: prefer})
			if err != nil {
				continue
			}
			for file, blob := range r.Tree.All() {
				same := string(blob.Data()) == ours || string(blob.Data()) == theirs
				if _, err := krm.Read(file, blob.Data(), krm.Limits{}); err != nil && !same {
					t.Fatalf("what was merged cannot be read: %v\n%s", err, blob.Data())
				}
			}
		}
	})
}
