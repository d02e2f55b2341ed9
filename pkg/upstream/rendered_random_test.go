package upstream_test

import (
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// settings that may be made here, and changes that upstream may make beside them: no two touch the same.
var (
	anyInput = []edit{
		{"setters.yaml", "tag: v1", "tag: here"}, {"Kptfile", "namespace: prod", "namespace: north"}, {"Kptfile", "tier: gold", "tier: here"},
		{"Kptfile", "  mutators:\n", "  mutators:\n  - image: ghcr.io/waybill-dev/set-annotations:v0.1.0\n    configMap:\n      here: yes\n"},
	}
	anyTheirs = []edit{
		{"web.yaml", "web:v1", "web:v2"}, {"web.yaml", "replicas: 1", "replicas: 2"}, {"web.yaml", "tier: bronze", "tier: silver"},
		{"settings.yaml", "", ""}, {"extra.yaml", "port: 80", "port: 81"}, {"setters.yaml", "tag: v1\n", "tag: v1\n  more: one\n"},
		{"new.yaml", "", strings.ReplaceAll(settings[len("-- settings.yaml --\n"):], "settings", "new")},
	}
	anyOurs = []edit{ // by hand, what upstream may have changed, too
		{"web.yaml", "replicas: 1", "replicas: 5"}, {"extra.yaml", "port: 80", "port: 85"}, {"extra.yaml", "", ""},
		{"settings.yaml", "mirror:", "other: here\n  mirror:"}, {"web.yaml", "- name: web\n", "- name: web\n        tty: true\n"},
	}
)

// TestLawsOnRandomTriples: settings alone never conflict, and what comes of them is what upstream renders to with
// them. With edits on top the laws still hold. WAYBILL_CASES=n tries n triples.
func TestLawsOnRandomTriples(t *testing.T) {
	base := archive(t, shop)
	for _, seed := range testenv.Seeds(t, 8) {
		t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 0))
			inputs := someOf(r, anyInput)
			x := triple{base: base, theirs: edited(t, base, someOf(r, anyTheirs)...), ours: got(t, edited(t, base, inputs...))}
			res := x.merged(t, merge.Fail)
			if len(res.Conflicts) > 0 {
				t.Fatalf("settings do not conflict: %v", lines(res.Conflicts))
			}
			sameTrees(t, "upstream with these settings", got(t, edited(t, x.theirs, inputs...)), rendered(t, res.Tree))
			x.ours = edited(t, x.ours, someOf(r, anyOurs)...)
			checkRenderedLaws(t, x)
			checkNothingIsLost(t, x)
		})
	}
}

// someOf are some of the edits, in their order. After one that deletes a file there is none of it.
func someOf(r *rand.Rand, edits []edit) (out []edit) {
	gone := map[string]bool{}
	for _, e := range edits {
		if r.IntN(2) == 1 && !gone[e.file] {
			out = append(out, e)
			gone[e.file] = e.old == "" && e.new == ""
		}
	}
	return out
}

// checkNothingIsLost: without a conflict it does not matter who is preferred.
func checkNothingIsLost(t *testing.T, x triple) {
	t.Helper()
	res := x.merged(t, merge.Fail)
	if len(res.Conflicts) > 0 {
		return
	}
	for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local} {
		sameTrees(t, "law broken: neither side loses in silence", res.Tree, x.merged(t, prefer).Tree)
	}
}
