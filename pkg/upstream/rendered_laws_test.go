package upstream_test

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge"
)

// checkRenderedLaws holds for every triple whose ours is rendered.
func checkRenderedLaws(t testing.TB, x triple) {
	t.Helper()
	for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local, merge.Fail} {
		do := func(x triple) *merge.Result { return x.merged(t, prefer) }
		quiet := do(triple{x.base, x.base, x.ours})
		sameTrees(t, "law broken: a quiet upstream keeps ours", x.ours, quiet.Tree)
		if len(quiet.Conflicts) > 0 {
			t.Errorf("law broken: a quiet upstream conflicts with nothing, got %v", lines(quiet.Conflicts))
		}
		untouched := do(triple{x.base, x.theirs, got(t, x.base)})
		sameTrees(t, "law broken: a copy without edits becomes the rendered upstream", got(t, x.theirs), rendered(t, untouched.Tree))
		if len(untouched.Conflicts) > 0 {
			t.Errorf("law broken: an untouched copy conflicts with nothing, got %v", lines(untouched.Conflicts))
		}
		agreed := do(triple{x.base, x.theirs, got(t, x.theirs)})
		sameTrees(t, "law broken: what is agreed stays", got(t, x.theirs), agreed.Tree)
		if len(agreed.Conflicts) > 0 {
			t.Errorf("law broken: agreement is no conflict, got %v", lines(agreed.Conflicts))
		}
		once := do(x)
		if prefer == merge.Fail && len(once.Conflicts) > 0 {
			sameTrees(t, "law broken: without a preference, a conflict leaves ours as it is", x.ours, once.Tree)
		}
		sameTrees(t, "law broken: a repeated update changes nothing", once.Tree, do(triple{x.base, x.theirs, once.Tree}).Tree)
	}
}
