package upstream_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestSidesWithoutWorks merges with a bundle-manifestwork at the end of the pipeline, which no side runs, as with one that they run:
// there, a function follows that changes nothing.
func TestSidesWithoutWorks(t *testing.T) {
	const last = "wdsName: shop\n"
	const follows = last + "  - image: gcr.io/kpt-fn/set-image:v0.1.1\n    configMap:\n      name: none\n      newTag: v1\n"
	clusters := []edit{{"inventory/clusters.yaml", "austin-1", "oslo-1"}, {"inventory/properties.yaml", "austin-1", "oslo-1"}}
	unrendered := edit{"app/cache.yaml", "namespace: shop", "namespace: shop # of ours"}
	work := edit{"clusters/berlin-1/shop/manifestwork-0.yaml", "shop", "ship"}
	base := blueprint(t)
	for name, x := range map[string]triple{
		"an image":           {base, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}), got(t, base)},
		"other clusters":     {base, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}), got(t, edited(t, base, clusters...))},
		"both changed it":    {base, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}), got(t, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.6.0"}))},
		"a policy is gone":   {base, edited(t, base, edit{"policies/flags.yaml", "", ""}, edit{"bindings/shop-flags.yaml", "", ""}), got(t, base)},
		"not rendered since": {base, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}), edited(t, got(t, base), unrendered)},
		"an edited work":     {base, edited(t, base, edit{"app/frontend.yaml", "frontend:1.4.0", "frontend:1.5.0"}), edited(t, got(t, base), work)},
	} {
		all := triple{edited(t, x.base, edit{"Kptfile", last, follows}), edited(t, x.theirs, edit{"Kptfile", last, follows}), edited(t, x.ours, edit{"Kptfile", last, follows})}
		for _, prefer := range []merge.Prefer{merge.Upstream, merge.Local, merge.Fail} {
			fast, ran := mergedBy(t, x, prefer)
			plain, runsAll := mergedBy(t, all, prefer)
			if ran || !runsAll {
				t.Errorf("%s: sides make works: %v, and with a function after that: %v", name, ran, runsAll)
			}
			if diff := cmp.Diff(lines(plain.Conflicts), lines(fast.Conflicts)); diff != "" {
				t.Errorf("%s, %s preferred: conflicts (-all functions +without the last):\n%s", name, prefer, diff)
			}
			sameTrees(t, name, plain.Tree, edited(t, fast.Tree, edit{"Kptfile", last, follows}))
		}
	}
}

// TestWorksThatCannotBeMade updates to an upstream that corrects a template of which no works can be made: as no side makes works, the
// update is not refused. With a function after bundle-manifestwork, the recorded upstream has to render.
func TestWorksThatCannotBeMade(t *testing.T) {
	const last, follows = "wdsName: shop\n", "wdsName: shop\n  - image: gcr.io/kpt-fn/set-image:v0.1.1\n    configMap:\n      name: none\n      newTag: v1\n"
	wrong := edited(t, blueprint(t), edit{"app/frontend.yaml", "{{ .registry }}", "{{ .nothing }}"})
	right := edit{"app/frontend.yaml", "{{ .nothing }}", "{{ .registry }}"}
	x := triple{wrong, edited(t, wrong, right), edited(t, wrong, edit{"app/frontend.yaml", "replicas: 2", "replicas: 3"})}
	res, _ := mergedBy(t, x, merge.Fail)
	if len(res.Conflicts) > 0 {
		t.Errorf("there are conflicts: %v", lines(res.Conflicts))
	}
	rendered(t, res.Tree)
	for _, side := range []*pkgtree.Tree{&x.base, &x.theirs, &x.ours} {
		*side = edited(t, *side, edit{"Kptfile", last, follows})
	}
	_, err := upstream.MergeRendered(t.Context(), x.base, x.theirs, x.ours, merge.Options{}, functions(t))
	if failed := new(upstream.RenderError); !errors.As(err, &failed) || failed.Side != upstream.RecordedUpstream {
		t.Errorf("want the recorded upstream to be refused, got %v", err)
	}
}

// mergedBy merges, and reports whether a side ran a function that makes works.
func mergedBy(t testing.TB, x triple, prefer merge.Prefer) (res *merge.Result, ran bool) {
	t.Helper()
	render := functions(t)
	res, err := upstream.MergeRendered(t.Context(), x.base, x.theirs, x.ours, merge.Options{Prefer: prefer},
		func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
			kptfile, _ := tree.Get("Kptfile")
			ran = ran || strings.Contains(string(kptfile), "bundle-manifestwork")
			return render(ctx, tree)
		})
	if err != nil {
		t.Fatal(err)
	}
	return res, ran
}
