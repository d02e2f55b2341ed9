package revision_test

import (
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/revision"
)

// objects is a package of n objects, a file each, that differs between variants in one file.
func objects(t testing.TB, n, variant int) pkgtree.Tree {
	t.Helper()
	files := map[string]string{"Kptfile": fmt.Sprintf("# variant %d\n", variant)}
	for i := range n {
		files[fmt.Sprintf("apps/%d/object-%d.yaml", i%10, i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\ndata: {a: b}\n", i)
	}
	return content(t, files)
}

// BenchmarkCreateDraft commits drafts of one package to a bare repository on disk: most of the
// time is git's, receiving the push.
func BenchmarkCreateDraft(b *testing.B) {
	for _, n := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("objects=%d", n), func(b *testing.B) { benchDrafts(b, n, 1) })
	}
}

// BenchmarkCreateDrafts commits many drafts in one push.
func BenchmarkCreateDrafts(b *testing.B) {
	for _, drafts := range []int{10, 100, 1000} {
		b.Run(fmt.Sprintf("objects=100/drafts=%d", drafts), func(b *testing.B) { benchDrafts(b, 100, drafts) })
	}
}

func benchDrafts(b *testing.B, objectsEach, drafts int) {
	dir, s := seeded(b, revision.Config{})
	gittest.Config(b, dir, "receive.unpackLimit=1") // keep packs, as servers do
	round := 0
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		reqs := make([]revision.DraftRequest, drafts)
		for i := range reqs {
			reqs[i] = initDraft(b, fmt.Sprintf("p%d", i), fmt.Sprintf("w%d", round))
			reqs[i].Content = objects(b, objectsEach, round*drafts+i)
		}
		round++
		b.StartTimer()
		if _, err := s.CreateDrafts(ctx, reqs); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(drafts*round)/b.Elapsed().Seconds(), "drafts/s")
	checkLaws(b, dir, s, revision.Config{})
}
