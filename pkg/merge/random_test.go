package merge

import (
	"strconv"
	"testing"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestLawsOnGeneratedPackages(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 40) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			p := mergetest.Generate(t, seed, false)
			checkPackageLaws(t, p.Base, p.Theirs, p.Ours, ResourceMerge)
			for _, s := range []Strategy{FastForward, ForceDeleteReplace, CopyMerge} {
				checkPackageLaws(t, p.Base, p.Theirs, p.Ours, s)
			}
		})
	}
}

// TestGeneratedSameAsKpt makes up packages, edits each twice, and updates it with the real kpt and with
// ours: same data in every file. WAYBILL_SEED=n does one again, WAYBILL_CASES=n does more of them.
func TestGeneratedSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt, testenv.Git)
	kpt := newKpt(t)
	for _, seed := range testenv.Seeds(t, 20) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			p := mergetest.Generate(t, seed, true)
			for _, s := range []Strategy{ResourceMerge, ForceDeleteReplace, FastForward} {
				reading := asMeant
				if s != ResourceMerge { // which merges the root's Kptfile, and only newer releases of kpt do so
					reading = withoutRootKptfile
				}
				if d := kpt.compare(t, p.Base, p.Theirs, p.Ours, s, reading); d != "" {
					t.Errorf("WAYBILL_SEED=%d, %s: %s", seed, s, d)
				}
			}
		})
	}
}

func withoutRootKptfile(t *testing.T, tree pkgtree.Tree) map[string]any {
	t.Helper()
	out := asMeant(t, tree)
	delete(out, kptfile.Name)
	return out
}
