package selection_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/selection"
)

func TestNear(t *testing.T) {
	fleet := []labels.Set{{"site": "edge", "tier": "prod"}, {"site": "hub"}, {"example.org/region": "eu", "site": "lab", "tier": "test"}, nil}
	for name, tc := range map[string]struct {
		reason, selector, want string
		sets                   []labels.Set
	}{
		"Swapped":   {"two letters changed places", "site=egde", "; similar: site=edge", fleet},
		"Dropped":   {"a letter is missing", "site in (edg)", "; similar: site=edge", fleet},
		"Key":       {"the key is misspelt, the value is not", "sites=edge", "; similar: site=edge", fleet},
		"KeyAlone":  {"the key is misspelt and has no such value", "sites=moon", "; similar: site", fleet},
		"Exists":    {"a key that nothing has", "teir", "; similar: tier", fleet},
		"Prefixed":  {"keys have prefixes", "example.org/regoin=eu", "; similar: example.org/region=eu", fleet},
		"Other":     {"nothing is similar: what there is", "tier=staging", "; similar: tier=prod or tier=test", fleet},
		"Together":  {"each holds somewhere", "site=hub,tier=prod", "; each of its conditions is met, but never all of them at once", fleet},
		"OneOfTwo":  {"only what is met nowhere is worth a hint", "site=hub,tier=prd", "; similar: tier=prod", fleet},
		"Several":   {"several values, each with what is near to it", "site in (egde, hbu)", "; similar: site=edge or site=hub", fleet},
		"Negative":  {"nothing comes near to the absence of a label", "!site", "", fleet[:2]},
		"Strange":   {"nothing is like it", "colour=red", "", fleet},
		"Unlabeled": {"there are no labels at all", "site=edge", "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := labels.Parse(tc.selector)
			if err != nil {
				t.Fatal(err)
			}
			if got := selection.Near(s, tc.sets); got != tc.want {
				t.Errorf("%s: got %q, want %q", tc.reason, got, tc.want)
			}
			if selection.Matches(s, tc.sets) {
				t.Errorf("%s: it matches, so the case tells nothing", tc.reason)
			}
		})
	}
}

func TestAllowed(t *testing.T) {
	for value, want := range map[string]bool{"true": true, "false": false} {
		if got, err := selection.Allowed(map[string]string{selection.Annotation: value}); err != nil || got != want {
			t.Errorf("%q: got %v, %v", value, got, err)
		}
	}
	if got, err := selection.Allowed(nil); got || err != nil {
		t.Errorf("without the annotation: got %v, %v", got, err)
	}
	got, err := selection.Allowed(map[string]string{selection.Annotation: "yes"})
	const want = `metadata.annotations[waybill.dev/allow-empty-selection]: Unsupported value: "yes": supported values: "false", "true"`
	if got || err == nil || err.Error() != want {
		t.Errorf("a value that is neither: got %v, %v, want %s", got, err, want)
	}
}

func TestSimilar(t *testing.T) {
	cases := map[string]struct {
		reason, name string
		names, want  []string
	}{
		"Typo":    {"a letter is missing", "zurch-1", []string{"berlin-1", "zurich-1", "zurich-2"}, []string{"zurich-1", "zurich-2"}},
		"Case":    {"case makes no difference", "EDGE", []string{"edge"}, []string{"edge"}},
		"Far":     {"nothing like it", "abc", []string{"xyz", "abcdefgh"}, nil},
		"Many":    {"a few, the nearest first", "aaaa", []string{"aabb", "aaab", "aaaa1", "aaac"}, []string{"aaaa1", "aaab", "aaac"}},
		"Nothing": {"there are none", "a", nil, nil},
		"Swapped": {"two letters that changed places are one slip", "egde", []string{"edge", "hub"}, []string{"edge"}},
		"Double":  {"one name is offered once", "a", []string{"b", "b"}, []string{"b"}},
	}
	for name, tc := range cases {
		if diff := cmp.Diff(tc.want, selection.Similar(tc.name, tc.names)); diff != "" {
			t.Errorf("%s: %s (-want +got):\n%s", name, tc.reason, diff)
		}
	}
	if !slices.Equal(selection.Similar("x", []string{"y", "z"}), []string{"y", "z"}) {
		t.Error("one letter may always be wrong")
	}
}

// TestSlips finds what is nearly a name, and not what is merely like it.
func TestSlips(t *testing.T) {
	names := []string{"persistentvolumeclaims", "namespaces", "shop"}
	for name, want := range map[string][]string{
		"PersistentVolumeClaim": names[:1], "persistentvolumes": nil, "namespace": names[1:2], "SHPO": names[2:], "sharp": nil,
	} {
		if diff := cmp.Diff(want, selection.Typos(name, names), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("slips of %s (-want +got):\n%s", name, diff)
		}
	}
}
