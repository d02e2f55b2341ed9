package upstream_test

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestRenderFails makes functions fail on each of the sides: the error names the side.
func TestRenderFails(t *testing.T) {
	base := archive(t, kptfileOf("set-labels tier=gold")+web)
	x := triple{base, edited(t, base, edit{"web.yaml", "replicas: 1", "replicas: 2"}), edited(t, got(t, base), edit{"web.yaml", "replicas: 1", "replicas: 5"})}
	for name, tc := range map[string]struct {
		reason, marker, want string
		side                 upstream.Side
	}{
		"recorded": {"upstream as it was", "replicas: 1", "the recorded upstream cannot be rendered: no luck; --base upstream merges without rendering", upstream.RecordedUpstream},
		"now":      {"upstream as it is", "replicas: 2", "the new upstream cannot be rendered: no luck; --base upstream merges without rendering", upstream.NewUpstream},
		"here":     {"the package itself", "replicas: 5", "this package cannot be rendered: no luck; --base upstream merges without rendering", upstream.Here},
	} {
		t.Run(name, func(t *testing.T) {
			noLuck := errors.New("no luck")
			render := func(ctx context.Context, tree pkgtree.Tree) (pkgtree.Tree, error) {
				if data, _ := tree.Get("web.yaml"); bytes.Contains(data, []byte(tc.marker)) {
					return pkgtree.Tree{}, noLuck
				}
				return functions(t)(ctx, tree)
			}
			res, err := upstream.MergeRendered(context.Background(), x.base, x.theirs, x.ours, merge.Options{}, render)
			var failed *upstream.RenderError
			if res != nil || !errors.As(err, &failed) || failed.Side != tc.side || !errors.Is(err, noLuck) {
				t.Fatalf("%s: got %v, %v", tc.reason, res, err)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestNothingRuns checks that the merge is a plain one when no pipeline changes anything.
func TestNothingRuns(t *testing.T) {
	base := archive(t, "-- Kptfile --\napiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  validators:\n  - image: ghcr.io/waybill-dev/kubeconform:v0.1.0\n"+
		"-- template.yaml --\nreplicas: {{ .n }}\n"+web)
	x := triple{base, edited(t, base, edit{"web.yaml", "replicas: 1", "replicas: 2"}), base}
	none := func(context.Context, pkgtree.Tree) (pkgtree.Tree, error) { panic("nothing is to be rendered") }
	res, err := upstream.MergeRendered(context.Background(), x.base, x.theirs, x.ours, merge.Options{}, none)
	if err != nil {
		t.Fatal(err)
	}
	sameTrees(t, "as without", x.plain(t, merge.Upstream).Tree, res.Tree)
}

// TestValidatorsDoNotRun checks that upstream is not refused for a fault that is fixed here.
func TestValidatorsDoNotRun(t *testing.T) {
	base := archive(t, kptfileOf("set-labels tier=gold")+
		"  validators:\n  - image: ghcr.io/waybill-dev/starlark:v0.1.0\n    configMap:\n      source: fail('never')\n"+web)
	theirs := edited(t, base, edit{"web.yaml", "replicas: 1", "replicas: 2"})
	without := edit{"Kptfile", "  validators:\n  - image: ghcr.io/waybill-dev/starlark:v0.1.0\n    configMap:\n      source: fail('never')\n", ""}
	kptfile, _ := base.Get("Kptfile")
	ours := edited(t, got(t, edited(t, base, without)), edit{"Kptfile", "", string(kptfile)})
	res := triple{base, theirs, ours}.merged(t, merge.Fail)
	if len(res.Conflicts) > 0 {
		t.Errorf("there are conflicts: %v", lines(res.Conflicts))
	}
	sameTrees(t, "what upstream changed is there, and the validator, too", edited(t, ours, edit{"web.yaml", "replicas: 1", "replicas: 2"},
		edit{"Kptfile", "  name: shop\n", "  name: shop\n  labels:\n    tier: gold\n"}), res.Tree)
}

// TestDeletedPlainFile checks that a deleted file that upstream did not change is no conflict, unless upstream is preferred: then it
// comes back, as in kpt.
func TestDeletedPlainFile(t *testing.T) {
	base := archive(t, kptfileOf("set-labels tier=gold")+web+"-- NOTES --\none\n")
	ours := edited(t, got(t, base), edit{"NOTES", "", ""})
	quiet, loud := edited(t, base, edit{"web.yaml", "replicas: 1", "replicas: 2"}), edited(t, base, edit{"NOTES", "one", "two"})
	for name, tc := range map[string]struct {
		theirs    pkgtree.Tree
		prefer    merge.Prefer
		conflicts []string
		back      bool
	}{
		"quiet, upstream": {quiet, merge.Upstream, []string{"NOTES  : present, present, -: theirs"}, true},
		"quiet, local":    {quiet, merge.Local, nil, false},
		"quiet, fail":     {quiet, merge.Fail, nil, false},
		"loud, local":     {loud, merge.Local, []string{"NOTES  : present, changed, -: -"}, false},
		"loud, fail":      {loud, merge.Fail, []string{"NOTES  : present, changed, -: -"}, false},
	} {
		res := triple{base, tc.theirs, ours}.merged(t, tc.prefer)
		if diff := cmp.Diff(tc.conflicts, lines(res.Conflicts)); diff != "" || (res.Tree.Blob("NOTES") != nil) != tc.back {
			t.Errorf("%s: back: %t, conflicts (-want +got):\n%s", name, res.Tree.Blob("NOTES") != nil, diff)
		}
	}
}

// TestStrategies updates a rendered package without local edits: the result is the rendered upstream.
func TestStrategies(t *testing.T) {
	base := archive(t, shop+inFolder("sub", kptfileOf("set-annotations note=sub")+settings))
	theirs := edited(t, base, edit{"web.yaml", "replicas: 1", "replicas: 2"}, edit{"setters.yaml", "tag: v1", "tag: v2"},
		edit{"sub/settings.yaml", "web:v1", "web:v2"}, edit{"extra.yaml", "", ""})
	x := triple{base, theirs, got(t, base)}
	for _, s := range []merge.Strategy{merge.ResourceMerge, merge.FastForward, merge.ForceDeleteReplace, merge.CopyMerge} {
		res, err := upstream.MergeRendered(context.Background(), x.base, x.theirs, x.ours, merge.Options{Strategy: s, Prefer: merge.Fail}, functions(t))
		if err != nil || len(res.Conflicts) > 0 {
			t.Fatalf("%s: %v, %v", s, err, res)
		}
		sameTrees(t, string(s), got(t, theirs), res.Tree)
	}
	_, err := merge.Packages(x.base, x.theirs, x.ours, merge.Options{Strategy: merge.FastForward})
	if modified := new(merge.ModifiedError); !errors.As(err, &modified) {
		t.Errorf("a plain fast-forward takes what functions changed for edits, got %v", err)
	}
	ours := edited(t, got(t, edited(t, base, edit{"setters.yaml", "tag: v1", "tag: v9"})), edit{"web.yaml", "replicas: 1", "replicas: 5"})
	_, err = upstream.MergeRendered(context.Background(), x.base, x.theirs, ours, merge.Options{Strategy: merge.FastForward}, functions(t))
	var modified *merge.ModifiedError
	if !errors.As(err, &modified) {
		t.Fatalf("want a refusal, got %v", err)
	}
	if diff := cmp.Diff([]string{"setters.yaml", "web.yaml"}, modified.Paths); diff != "" {
		t.Errorf("the error does not name every edited file (-want +got):\n%s", diff)
	}
}
