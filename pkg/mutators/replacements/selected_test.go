package replacements

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/resid"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestSelectedIsKustomize holds the index to kustomize's own matchers, which look at every object for
// every selector, while objects get other names and labels.
func TestSelectedIsKustomize(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var items []*krm.Object
		for i := range rapid.IntRange(1, 12).Draw(t, "items") {
			items = append(items, object(t, fmt.Sprint("item ", i)))
		}
		x, err := newIndex(items, newWork(t.Context()))
		if err != nil {
			t.Fatal(err)
		}
		pl := &planner{patterns: map[string]*pattern{}, selections: map[string]*selection{}, paths: map[string]path{}}
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			if rapid.IntRange(0, 3).Draw(t, "change") == 0 {
				i := rapid.IntRange(0, len(items)-1).Draw(t, "changed")
				items[i] = object(t, "new")
				if err := x.update(i, items[i], true); err != nil {
					t.Fatal(err)
				}
			}
			target := Target{Select: selector(t, "select")}
			for range rapid.IntRange(0, 2).Draw(t, "rejects") {
				target.Reject = append(target.Reject, *selector(t, "reject"))
			}
			s := pl.selection(target, field.NewPath("t"))
			if len(pl.errs) > 0 {
				t.Fatal(pl.errs)
			}
			got, err := x.selected(s)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(byKustomize(t, target, items), slices.Clip(got)); d != "" {
				t.Fatalf("%+v (-kustomize +index):\n%s", target, d)
			}
			id := selector(t, "source").ID
			exact, err := x.exactly(id)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(exactlyByKustomize(id, items), exact); d != "" {
				t.Fatalf("%+v as a source (-kustomize +index):\n%s", id, d)
			}
		}
	})
}

var words = rapid.SampledFrom([]string{"", "a", "ab", "b", "default", "a.b"})

func object(t *rapid.T, name string) *krm.Object {
	draw := func(part string) string { return words.Draw(t, name+" "+part) }
	version := draw("version")
	if group := draw("group"); group != "" {
		version = group + "/" + version
	}
	o := krm.FromNode(krm.MapNode(krm.StringNode("apiVersion"), krm.StringNode(version), krm.StringNode("kind"), krm.StringNode(draw("kind")),
		krm.StringNode("metadata"), krm.MapNode(krm.StringNode("name"), krm.StringNode(draw("name")), krm.StringNode("namespace"), krm.StringNode(draw("namespace")),
			krm.StringNode("labels"), krm.MapNode(krm.StringNode("l"), krm.StringNode(draw("label"))),
			krm.StringNode("annotations"), krm.MapNode(krm.StringNode("n"), krm.StringNode(draw("annotation"))))))
	return o
}

func selector(t *rapid.T, name string) *Selector {
	patterns := rapid.SampledFrom([]string{"", "", "", "a", "a.*", "ab|b", "a.b", ".*", "(?i)A", "ab?", "default", "a)|(?:b"})
	draw := func(part string) string { return patterns.Draw(t, name+" "+part) }
	if rapid.Bool().Draw(t, name+" by labels alone") {
		patterns = rapid.Just("")
	}
	meta := rapid.SampledFrom([]string{"", "", "l=a", "l in (a,b)", "!n", "n!=a"})
	return &Selector{
		ID:            ID{Group: draw("group"), Version: draw("version"), Kind: draw("kind"), Name: draw("name"), Namespace: draw("namespace")},
		LabelSelector: meta.Draw(t, name+" labels"), AnnotationSelector: meta.Draw(t, name+" annotations"),
	}
}

func resID(id [parts]string) resid.ResId {
	return resid.NewResIdWithNamespace(resid.Gvk{Group: id[partGroup], Version: id[partVersion], Kind: id[partKind]}, id[partName], id[partNamespace])
}

func byKustomize(t *rapid.T, target Target, items []*krm.Object) (found []int) {
	ts := &types.TargetSelector{Select: &types.Selector{ResId: resID(target.Select.parts())}}
	for _, r := range target.Reject {
		ts.Reject = append(ts.Reject, &types.Selector{ResId: resID(r.parts())})
	}
	matcher, err := types.NewTargetSelectorRegex(ts)
	if err != nil {
		t.Fatal(err)
	}
	meta := func(s Selector, o *krm.Object) bool {
		l, _ := labels.Parse(s.LabelSelector)
		a, _ := labels.Parse(s.AnnotationSelector)
		return l.Matches(labels.Set(o.Labels())) && a.Matches(labels.Set(o.Annotations()))
	}
	for i, o := range items {
		id := resID(partsOf(o))
		rejected := matcher.RejectsAny([]resid.ResId{id})
		for _, r := range target.Reject {
			rejected = rejected || (r.LabelSelector != "" || r.AnnotationSelector != "") && meta(r, o)
		}
		if matcher.Selects(id) && meta(*target.Select, o) && !rejected {
			found = append(found, i)
		}
	}
	return found
}

func exactlyByKustomize(id ID, items []*krm.Object) (found []int) {
	for i, o := range items {
		if resID(partsOf(o)).IsSelectedBy(resID(id.parts())) {
			found = append(found, i)
		}
	}
	return found
}
