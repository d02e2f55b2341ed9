package fleet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

func TestParseBound(t *testing.T) {
	cases := map[string]struct {
		reason string
		ok     bool
	}{
		"0": {"none at all", true}, "12": {"a number", true}, "5%": {"a share", true}, "100%": {"all", true},
		"": {"nothing", false}, "%": {"no number", false}, "-1": {"less than none", false}, "+1": {"one way to write it", false},
		"101%": {"more than all", false}, "1.5": {"no part of a cluster", false}, "99999999999999999999": {"too large", false},
	}
	for text, tc := range cases {
		b, err := ParseBound(text)
		if (err == nil) != tc.ok || tc.ok && b.String() != text {
			t.Errorf("%q, %s: %q, %v", text, tc.reason, b, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	bound := func(text string) Bound {
		b, err := ParseBound(text)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	p := &waybill.FleetPreview{
		Before: waybill.PreviewSide{Clusters: 40, Objects: 1000}, After: waybill.PreviewSide{Clusters: 10, Objects: 10},
		Summary: waybill.PreviewSummary{Clusters: 3, Removed: 50, Added: 1, Changed: 2, Moved: 4},
	}
	moves := &waybill.FleetPreview{Before: waybill.PreviewSide{Clusters: 4, Objects: 100}, After: waybill.PreviewSide{Clusters: 3, Objects: 90},
		Summary: waybill.PreviewSummary{Clusters: 4, Removed: 1, Moved: 9, Recreated: 2, HandedOver: 7, LeftBehind: 10, Released: 5}}
	fresh := &waybill.FleetPreview{After: waybill.PreviewSide{Clusters: 4, Objects: 4}, Summary: waybill.PreviewSummary{Clusters: 4, Added: 4}}
	cases := map[string]struct {
		reason  string
		budget  Budget
		preview *waybill.FleetPreview
		want    []string
	}{
		"None":      {"no bound", Budget{}, p, nil},
		"JustRight": {"a bound may be reached", Budget{bound("3"), bound("50"), bound("57")}, p, nil},
		"Exceeded": {"each bound has its say", Budget{bound("2"), bound("49"), bound("56")}, p, []string{
			"3 of 40 clusters would change, and --max-clusters is 2",
			"50 of 1000 objects would be deleted, and --max-deletions is 49",
			"57 of 1000 objects would change, and --max-objects is 56"}},
		"Shares":  {"percent are of what there was", Budget{bound("7%"), bound("5%"), bound("5%")}, p, []string{"3 of 40 clusters would change, and --max-clusters is 7%", "57 of 1000 objects would change, and --max-objects is 5%"}},
		"Nothing": {"0 allows none", Budget{Deletions: bound("0")}, p, []string{"50 of 1000 objects would be deleted, and --max-deletions is 0"}},
		"Moves": {"what is created again is deleted, what is handed over, left behind or released is not", Budget{Deletions: bound("2"), Objects: bound("19")}, moves,
			[]string{"3 of 100 objects would be deleted, and --max-deletions is 2", "20 of 100 objects would change, and --max-objects is 19"}},
		"Fresh": {"where there was nothing, of what there is", Budget{Clusters: bound("100%"), Objects: bound("50%")}, fresh, []string{"4 of 4 objects would change, and --max-objects is 50%"}},
	}
	for name, tc := range cases {
		if diff := cmp.Diff(tc.want, tc.budget.Refusals(tc.preview)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
}
