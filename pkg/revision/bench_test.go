package revision_test

import (
	"fmt"
	"slices"
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
// time is spent by git, which receives the push.
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
	dir, s := newRepo(b, revision.Config{})
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

// BenchmarkApprove publishes proposals, all of them in one push or each in its own.
func BenchmarkApprove(b *testing.B) {
	const proposals = 100
	for _, each := range []int{1, proposals} {
		b.Run(fmt.Sprintf("proposals=%d/in-a-push=%d", proposals, each), func(b *testing.B) {
			dir, s := newRepo(b, revision.Config{})
			gittest.Config(b, dir, "receive.unpackLimit=1")
			round := 0
			for b.Loop() {
				b.StopTimer()
				changes := proposed(b, s, proposals, round)
				round++
				b.StartTimer()
				for part := range slices.Chunk(changes, each) {
					if _, err := s.ChangeAll(ctx, part, later(round)); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(proposals*round)/b.Elapsed().Seconds(), "approvals/s")
			checkLaws(b, dir, s, revision.Config{})
		})
	}
}

// proposed makes proposals of as many packages, to be approved.
func proposed(b *testing.B, s *revision.Store, n, round int) []revision.Change {
	b.Helper()
	reqs, changes := make([]revision.DraftRequest, n), make([]revision.Change, n)
	for i := range reqs {
		reqs[i] = initDraft(b, fmt.Sprintf("p%d", i), fmt.Sprintf("w%d", round))
	}
	revs, err := s.CreateDrafts(ctx, reqs)
	for i := range revs {
		changes[i] = revision.Change{Op: revision.OpPropose, Revision: revs[i]}
	}
	if err == nil {
		revs, err = s.ChangeAll(ctx, changes, revision.Stamp{})
	}
	if err != nil {
		b.Fatal(err)
	}
	for i := range revs {
		changes[i] = revision.Change{Op: revision.OpApprove, Revision: revs[i]}
	}
	return changes
}
