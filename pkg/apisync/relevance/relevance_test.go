package relevance_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/sets"

	"github.com/waybill-dev/waybill/pkg/apisync"
	"github.com/waybill-dev/waybill/pkg/apisync/relevance"
	"github.com/waybill-dev/waybill/pkg/applyset"
	"github.com/waybill-dev/waybill/pkg/krm"
)

func TestIndex(t *testing.T) {
	const a, b = "ws|shop.example/Order/n/a", "ws|shop.example/Order/n/b"
	origin := applyset.Ref{Place: "ws", ID: krm.ID{Kind: "Secret", Namespace: "n", Name: "s"}}
	round := &apisync.Round{Pairs: []apisync.Pair{{Origin: origin, Holds: true}}}
	check := func(reason string, x *relevance.Index, object string, primaries []string, held, undecided sets.Set[string]) {
		t.Helper()
		gotHeld, gotUndecided := x.Origins()
		if diff := cmp.Diff(primaries, slices.Sorted(slices.Values(x.Primaries(object)))); diff != "" {
			t.Errorf("%s: -want +got:\n%s", reason, diff)
		}
		if diff := cmp.Diff([]sets.Set[string]{held, undecided}, []sets.Set[string]{gotHeld, gotUndecided}); diff != "" {
			t.Errorf("%s: -want +got:\n%s", reason, diff)
		}
	}
	var x relevance.Index
	check("an empty Index", &x, "object", nil, sets.New[string](), sets.New[string]())
	x.Record(a, round, []string{"object"})
	x.Record(b, &apisync.Round{}, []string{"object", "other"})
	check("two primaries", &x, "object", []string{a, b}, sets.New(origin.String()), sets.New[string]())
	x.Record(a, &apisync.Round{Undecided: map[string]bool{a: true}}, nil)
	check("a Round that does not know the related objects keeps the pairs of the last one", &x, "object", []string{b}, sets.New(origin.String()), sets.New("ws"))
	x.Record(a, &apisync.Round{}, nil)
	check("a Round without pairs", &x, "other", []string{b}, sets.New[string](), sets.New[string]())
	x.Forget(b)
	check("a forgotten primary", &x, "object", nil, sets.New[string](), sets.New[string]())
	if diff := cmp.Diff([]string{a}, x.Recorded()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
