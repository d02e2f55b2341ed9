package budget_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"pgregory.net/rapid"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/variant/budget"
)

// newBudgets reads a budget per line: its name (with namespace, if there is a slash) and its spec.
func newBudgets(t *testing.T, lines ...string) (budgets []waybill.ChangeBudget) {
	t.Helper()
	for _, line := range lines {
		name, spec, _ := strings.Cut(line, " ")
		meta := "{name: " + name + ", namespace: fleet}"
		if ns, n, ok := strings.Cut(name, "/"); ok {
			meta = "{name: " + n + ", namespace: " + ns + "}"
		}
		objects, err := krm.Read("b.yaml", []byte("apiVersion: waybill.dev/v1alpha1\nkind: ChangeBudget\nmetadata: "+meta+"\nspec: "+spec+"\n"), krm.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		b, err := waybill.ReadChangeBudget(objects[0])
		if err != nil {
			t.Fatal(err)
		}
		budgets = append(budgets, *b)
	}
	return budgets
}

func changes(objects, deletions int, clusters ...string) budget.Change {
	return budget.Change{Clusters: clusters, Objects: objects, Deletions: deletions}
}

// pending is a change of a variant with label tier=gold.
func pending(name string, c budget.Change) budget.Pending {
	return budget.Pending{Namespace: "fleet", Name: name, Labels: map[string]string{"tier": "gold"}, Change: c}
}

func because(p budget.Pending, reason string) budget.Pending {
	p.Annotations = map[string]string{waybill.ExceedBudgetAnnotation: reason}
	return p
}

// show is a verdict, a line per note.
func show(v budget.Verdict) string {
	var b strings.Builder
	for _, part := range []struct {
		what  string
		notes []budget.Note
	}{{"unmatched", v.Unmatched}, {"exceeded", v.Exceeded}, {"refused", v.Refused}, {"override", v.Overrides}} {
		for _, n := range part.notes {
			fmt.Fprintf(&b, "%s %s/%s: %s\n", part.what, n.Namespace, n.Name, n.Text)
		}
	}
	return b.String()
}

func TestCheck(t *testing.T) {
	two := []budget.Pending{pending("y", changes(3, 0, "b", "c")), pending("x", changes(2, 1, "a", "b"))}
	const above = `change budget "all": 3 clusters would change, at most 2 may`
	for name, tc := range map[string]struct {
		reason  string
		budgets []string
		pending []budget.Pending
		want    string
	}{
		"none":   {"without a budget everything may change", nil, two, ""},
		"within": {"a limit may be reached", []string{"all {maxClusters: 3, maxObjects: 5, maxDeletions: 1}"}, two, ""},
		"no limits": {"a budget without limits was meant to have some", []string{"all {}"}, two[1:],
			"exceeded fleet/all: change budget \"all\": spec: Required value: it limits nothing: set maxClusters, maxObjects or maxDeletions\n" +
				"refused fleet/x: change budget \"all\": spec: Required value: it limits nothing: set maxClusters, maxObjects or maxDeletions\n"},
		"clusters": {
			"a cluster that several variants change is one cluster; all variants are refused", []string{"all {maxClusters: 2}"}, two,
			"exceeded fleet/all: " + above + "\nrefused fleet/x: " + above + "\nrefused fleet/y: " + above + "\n",
		},
		"all limits": {
			"every limit that is exceeded is named, in words for one and many", []string{"all {maxClusters: 0, maxObjects: 1, maxDeletions: 0}"}, two[1:],
			"exceeded fleet/all: change budget \"all\": 2 clusters would change, at most 0 may; 2 objects would change, at most 1 may; 1 object would be deleted, at most 0 may\n" +
				"refused fleet/x: change budget \"all\": 2 clusters would change, at most 0 may; 2 objects would change, at most 1 may; 1 object would be deleted, at most 0 may\n",
		},
		"selected": {
			"others are neither added up nor refused", []string{"all {selector: {matchLabels: {tier: gold}}, maxObjects: 2}"},
			[]budget.Pending{two[1], {Namespace: "fleet", Name: "z", Change: changes(9, 9)}, {Namespace: "other", Name: "x", Labels: two[1].Labels, Change: changes(9, 9)}}, "",
		},
		"nothing to refuse": {"a variant that changes nothing that counts is let alone", []string{"all {maxObjects: 2}"}, []budget.Pending{pending("a", changes(0, 0)), two[0]},
			"exceeded fleet/all: change budget \"all\": 3 objects would change, at most 2 may\nrefused fleet/y: change budget \"all\": 3 objects would change, at most 2 may\n"},
		"two budgets": {
			"each must be kept; in order of names", []string{"b {maxObjects: 1}", "a {maxDeletions: 0}", "other/a {maxObjects: 0}"}, two[1:],
			"exceeded fleet/a: change budget \"a\": 1 object would be deleted, at most 0 may\nexceeded fleet/b: change budget \"b\": 2 objects would change, at most 1 may\n" +
				"refused fleet/x: change budget \"a\": 1 object would be deleted, at most 0 may; change budget \"b\": 2 objects would change, at most 1 may\n",
		},
		"let through": {
			"it is not added up, so that others pass, and its commit tells by how much and why, in one plain line", []string{"all {maxClusters: 2}"},
			[]budget.Pending{two[1], because(two[0], " rollout 7\n\nWaybill-Owner: me\x1b[1m ")},
			"override fleet/y: " + above + "; let through because: rollout 7 Waybill-Owner: me [1m\n",
		},
		"let through for nothing": {"within the budget there is nothing to record", []string{"all {maxClusters: 3}"}, []budget.Pending{two[1], because(two[0], "rollout 7")}, ""},
		"others exceed": {
			"one that is let through does not help the others", []string{"all {maxObjects: 1}"}, []budget.Pending{two[1], because(two[0], "rollout 7")},
			"exceeded fleet/all: change budget \"all\": 2 objects would change, at most 1 may\nrefused fleet/x: change budget \"all\": 2 objects would change, at most 1 may\n" +
				"override fleet/y: change budget \"all\": 5 objects would change, at most 1 may; let through because: rollout 7\n",
		},
		"long reason": {
			"a commit is no place for essays", []string{"all {maxObjects: 1}"}, []budget.Pending{because(two[1], strings.Repeat("ä", 300))},
			"override fleet/x: change budget \"all\": 2 objects would change, at most 1 may; let through because: " + strings.Repeat("ä", 200) + "…\n",
		},
		"no reason": {
			"without one the annotation means nothing, and its variant reports that", []string{"all {maxObjects: 1}"}, []budget.Pending{because(two[1], " ")},
			"exceeded fleet/all: change budget \"all\": 2 objects would change, at most 1 may\n" +
				"refused fleet/x: change budget \"all\": 2 objects would change, at most 1 may; metadata.annotations[waybill.dev/exceed-budget]: Required value: say why the budget may be exceeded\n",
		},
		"bad selector": {
			"its selector is not valid, so it stops its namespace", []string{"all {maxObjects: 9, selector: {matchExpressions: [{key: a, operator: Near}]}}"}, two[1:],
			"exceeded fleet/all: change budget \"all\": spec.selector.matchExpressions[0].operator: Invalid value: \"Near\": not a valid selector operator\n" +
				"refused fleet/x: change budget \"all\": spec.selector.matchExpressions[0].operator: Invalid value: \"Near\": not a valid selector operator\n",
		},
		"selects nothing": {
			"a guard that guards nothing may be misspelt: it is held against its namespace", []string{"all {selector: {matchLabels: {tier: glod}}, maxObjects: 1}"}, two[1:],
			"unmatched fleet/all: spec.selector matches no PackageVariant: tier=glod; similar: tier=gold; it applies to the whole namespace; correct the selector, or set the annotation waybill.dev/allow-empty-selection: \"true\" if this is intended\nexceeded fleet/all: change budget \"all\": 2 objects would change, at most 1 may; spec.selector matches no PackageVariant: tier=glod; similar: tier=gold; it applies to the whole namespace; correct the selector, or set the annotation waybill.dev/allow-empty-selection: \"true\" if this is intended\n" +
				"refused fleet/x: change budget \"all\": 2 objects would change, at most 1 may; spec.selector matches no PackageVariant: tier=glod; similar: tier=gold; it applies to the whole namespace; correct the selector, or set the annotation waybill.dev/allow-empty-selection: \"true\" if this is intended\n",
		},
		"selects nothing, within": {
			"it says so, and what is within it passes", []string{"all {selector: {matchLabels: {tier: glod}}, maxObjects: 2}"}, two[1:],
			"unmatched fleet/all: spec.selector matches no PackageVariant: tier=glod; similar: tier=gold; it applies to the whole namespace; correct the selector, or set the annotation waybill.dev/allow-empty-selection: \"true\" if this is intended\n",
		},
		"bad limit": {
			"nothing that it selects passes", []string{"all {selector: {matchLabels: {tier: gold}}, maxObjects: -1}"}, append([]budget.Pending{{Namespace: "fleet", Name: "z", Change: changes(9, 9)}}, two[1:]...),
			"exceeded fleet/all: change budget \"all\": spec.maxObjects: Invalid value: -1: must be 0 or more\nrefused fleet/x: change budget \"all\": spec.maxObjects: Invalid value: -1: must be 0 or more\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			budgets := newBudgets(t, tc.budgets...)
			v := budget.Check(budgets, tc.pending, nil, budget.Others{})
			if diff := cmp.Diff(tc.want, show(v)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkVerdict(t, budgets, tc.pending, v)
		})
	}
}

type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// labelsOf are those of all variants, by namespace.
func labelsOf(all []budget.Pending) map[string][]labels.Set {
	out := map[string][]labels.Set{}
	for _, p := range all {
		out[p.Namespace] = append(out[p.Namespace], p.Labels)
	}
	return out
}

// checkVerdict checks what holds for every verdict.
func checkVerdict(t failer, budgets []waybill.ChangeBudget, all []budget.Pending, v budget.Verdict) {
	t.Helper()
	backwards, others := slices.Clone(budgets), slices.Clone(all)
	slices.Reverse(backwards)
	slices.Reverse(others)
	if diff := cmp.Diff(v, budget.Check(backwards, others, nil, budget.Others{})); diff != "" {
		t.Errorf("order decides nothing (-one +other):\n%s", diff)
	}
	if strings.ContainsAny(strings.TrimRight(show(v), "\n"), "\r\x1b") || strings.Count(show(v), "\n") != len(v.Unmatched)+len(v.Exceeded)+len(v.Refused)+len(v.Overrides) {
		t.Errorf("a note is more than a line:\n%s", show(v))
	}
	refused := func(p budget.Pending) bool {
		return slices.ContainsFunc(v.Refused, func(n budget.Note) bool { return n.Namespace == p.Namespace && n.Name == p.Name })
	}
	passed := slices.DeleteFunc(slices.Clone(all), refused)
	if rest := budget.Check(budgets, passed, labelsOf(all), budget.Others{}); len(rest.Refused)+len(rest.Exceeded) > 0 {
		t.Errorf("what was let through is refused now:\n%s", show(rest))
	}
	for _, p := range all {
		if p.Change.IsZero() && refused(p) {
			t.Errorf("%s changes nothing and is refused", p.Name)
		}
	}
}

// TestCheckLaws checks the laws on random budgets and changes, and that a higher limit
// refuses no other variant.
func TestCheckLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := func(of string) *int32 {
			n := rapid.Int32Range(-1, 6).Draw(t, of)
			if n < 0 {
				return nil
			}
			return &n
		}
		var budgets []waybill.ChangeBudget
		for i := range rapid.IntRange(0, 3).Draw(t, "budgets") {
			b := waybill.ChangeBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "fleet", Name: fmt.Sprint(i)}}
			b.Spec.MaxClusters, b.Spec.MaxObjects, b.Spec.MaxDeletions = limit("clusters"), limit("objects"), limit("deletions")
			if tier := rapid.SampledFrom([]string{"", "gold", "iron"}).Draw(t, "tier"); tier != "" {
				b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"tier": tier}}
			}
			budgets = append(budgets, b)
		}
		var all []budget.Pending
		for i := range rapid.IntRange(0, 4).Draw(t, "variants") {
			objects := rapid.IntRange(0, 4).Draw(t, "objects of one")
			p := pending(fmt.Sprint(i), changes(objects, rapid.IntRange(0, objects).Draw(t, "deletions of one"), rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 0, 3, rapid.ID).Draw(t, "clusters of one")...))
			p.Labels = map[string]string{"tier": rapid.SampledFrom([]string{"gold", "iron"}).Draw(t, "tier of one")}
			all = append(all, because(p, rapid.SampledFrom([]string{"", "", "a reason"}).Draw(t, "reason")))
		}
		v := budget.Check(budgets, all, nil, budget.Others{})
		checkVerdict(t, budgets, all, v)
		if len(budgets) > 0 && budgets[0].Spec.MaxObjects != nil {
			*budgets[0].Spec.MaxObjects++
			if more := budget.Check(budgets, all, nil, budget.Others{}); len(more.Refused) > len(v.Refused) {
				t.Errorf("a higher limit refuses more:\n%s", show(more))
			}
		}
	})
}

// TestShards has budgets beside other processes, whose changes are not known.
func TestShards(t *testing.T) {
	gold, silver := labels.Set{"tier": "gold"}, labels.Set{"tier": "silver"}
	for name, tc := range map[string]struct {
		reason   string
		shard    string
		variants []labels.Set
		budget   string
		own      int
		want     string
	}{
		"whole":     {"no shard is the shard of all", "", []labels.Set{gold, silver}, "all {maxObjects: 3}", 1, ""},
		"alone":     {"all variants are of the shard", "tier=gold", []labels.Set{gold}, "all {maxObjects: 3}", 1, ""},
		"selected":  {"all that it selects are", "tier=gold", []labels.Set{gold, silver}, "all {maxObjects: 3, selector: {matchLabels: {tier: gold}}}", 1, ""},
		"others":    {"it is another's", "tier=gold", []labels.Set{gold, silver}, "all {maxObjects: 3, selector: {matchLabels: {tier: silver}}}", 0, ""},
		"divided":   {"no controller counts all changes", "tier=gold", []labels.Set{gold, silver}, "all {maxObjects: 3}", 1, "exceeded"},
		"unmatched": {"a misspelt label applies to all", "tier=gold", []labels.Set{gold, silver}, "all {maxObjects: 3, selector: {matchLabels: {tiers: gold}}}", 1, "exceeded"},
		"not valid": {"so does a selector that is none", "tier=gold", []labels.Set{gold, silver}, "all {maxObjects: 3, selector: {matchExpressions: [{key: a, operator: Is}]}}", 1, "exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			shard, err := labels.Parse(tc.shard)
			if err != nil {
				t.Fatal(err)
			}
			var own, others []labels.Set
			for _, set := range tc.variants {
				if shard.Matches(set) {
					own = append(own, set)
				} else {
					others = append(others, set)
				}
			}
			budgets := budget.OfShard(newBudgets(t, tc.budget), own, others)
			if len(budgets) != tc.own {
				t.Fatalf("%s: want %d budgets, got %d", tc.reason, tc.own, len(budgets))
			}
			v := budget.Check(budgets, []budget.Pending{pending("x", changes(2, 0))}, map[string][]labels.Set{"fleet": own}, budget.Others{Labels: map[string][]labels.Set{"fleet": others}})
			if got := len(v.Refused) + len(v.Exceeded); (got == 2) != (tc.want != "") || (len(v.Divided) == 1) != (tc.want != "") {
				t.Errorf("%s: got %s", tc.reason, show(v))
			}
		})
	}
}
