package merge

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/merge/object"
)

// FuzzPackages: any three files merge, or are refused; what comes out can be read, and the laws hold.
func FuzzPackages(f *testing.F) {
	for _, g := range mergetest.Goldens(f, "testdata") {
		for p := range g.Ours.All() {
			b, t, o := g.VersionsOf(p)
			f.Add(p, b, t, o)
		}
	}
	f.Fuzz(func(t *testing.T, p, base, theirs, ours string) {
		if p != "Kptfile" && p != "sub/Kptfile" {
			p = "a.yaml"
		}
		b, u, l := mergetest.Tree(t, map[string]string{p: base}), mergetest.Tree(t, map[string]string{p: theirs}), mergetest.Tree(t, map[string]string{p: ours})
		if mergetest.HasOddNames(b) || mergetest.HasOddNames(u) || mergetest.HasOddNames(l) {
			return
		}
		checkPackageLaws(t, b, u, l, ResourceMerge)
		for _, prefer := range []object.Prefer{object.Upstream, object.Local} {
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
