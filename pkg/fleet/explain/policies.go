package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/binding/match"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// policies are what all policies of p say about a cluster and, unless o is nil, an object. Policies that select come first.
func (p *renderedPackage) policies(cluster string, o *krm.Object) (out []waybill.ExplainedPolicy) {
	for _, b := range p.binders {
		_, known := b.Inventory().Get(cluster)
		for _, v := range b.evaluate(cluster, o) {
			out = append(out, p.policy(b, &v, known, o != nil))
		}
	}
	slices.SortStableFunc(out, func(a, b waybill.ExplainedPolicy) int {
		return cmp.Or(-cmp.Compare(matchScore(a), matchScore(b)), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// matchScore rates how much of the question a policy selects: all, one side, nothing.
func matchScore(p waybill.ExplainedPolicy) (n int) {
	for _, yes := range []bool{p.Selects, p.SelectsObject != nil && *p.SelectsObject, p.SelectsCluster} {
		n *= 2
		if yes {
			n++
		}
	}
	return n
}

func (p *renderedPackage) policy(b *binder, v *binding.Verdict, known, asksObject bool) waybill.ExplainedPolicy {
	place := func(at Path) waybill.ExplainedPlace { return *p.place(v.Policy, b.trace, at) }
	out := waybill.ExplainedPolicy{Name: v.Policy.Name(), Place: place(nil), Objects: v.Objects,
		SelectsCluster: known && v.SelectsCluster(), Cluster: []waybill.ExplainedTest{}}
	out.Selects = out.SelectsCluster
	for i, t := range v.Clusters {
		out.Cluster = append(out.Cluster, test(i, t, place(itemOf(i, "spec", "clusterSelectors"))))
	}
	if asksObject {
		selects := v.SelectsObject()
		out.SelectsObject, out.Selects = &selects, selects && out.SelectsCluster
		for i, t := range v.Clauses {
			out.Clauses = append(out.Clauses, test(i, t, place(itemOf(i, "spec", "downsync"))))
		}
	}
	out.Why = why(&out, v, known)
	return out
}

func test(i int, t match.Test, place waybill.ExplainedPlace) waybill.ExplainedTest {
	out := waybill.ExplainedTest{Number: i + 1, Place: place, Holds: t.Holds(), Terms: []waybill.ExplainedTerm{}}
	for _, term := range t {
		out.Terms = append(out.Terms, waybill.ExplainedTerm{Of: term.Of, Wants: term.Wants, Holds: term.Holds, Have: term.Have})
	}
	return out
}

// why is the first reason why a policy does not select the object or the cluster. The object comes first: without it the
// cluster does not matter.
func why(p *waybill.ExplainedPolicy, v *binding.Verdict, known bool) string {
	switch {
	case p.Selects:
		return ""
	case p.SelectsObject != nil && !*p.SelectsObject && len(p.Clauses) == 0 && len(v.Policy.Node().Content) > 0 &&
		v.Policy.Lookup("spec", "downsync") == nil:
		return "it has no clauses, and selects no object"
	case p.SelectsObject != nil && !*p.SelectsObject:
		return refusal("clause", p.Clauses, "the object")
	case len(p.Cluster) == 0:
		return "it has no clusterSelectors, and selects no cluster"
	case !known:
		return "no inventory names the cluster"
	}
	return refusal("selector", p.Cluster, "the cluster")
}

// refusal is why no test holds: the first one with the fewest failing terms.
func refusal(what string, tests []waybill.ExplainedTest, who string) string {
	if len(tests) == 0 {
		return "it cannot select " + who
	}
	best := slices.MinFunc(tests, func(a, b waybill.ExplainedTest) int { return cmp.Compare(len(failing(a)), len(failing(b))) })
	text := joined(failing(best), "; ", func(t waybill.ExplainedTerm) string { return lacking(t, who) })
	if len(tests) > 1 {
		text = fmt.Sprintf("%s %d of %d is closest: %s", what, best.Number, len(tests), text)
	}
	return text
}

func failing(t waybill.ExplainedTest) []waybill.ExplainedTerm {
	return slices.DeleteFunc(slices.Clone(t.Terms), func(term waybill.ExplainedTerm) bool { return term.Holds })
}

func lacking(t waybill.ExplainedTerm, who string) string {
	label := func(who string) string {
		if t.Have == nil {
			return fmt.Sprintf("wants label %s, which %s does not have", t.Wants, who)
		}
		key, _, _ := strings.Cut(t.Wants, "=")
		return fmt.Sprintf("wants label %s, and %s has %s=%s", t.Wants, who, strings.Fields(strings.Trim(key, "!") + " ")[0], *t.Have)
	}
	switch t.Of {
	case "clusterSelectors", "objectSelectors":
		return label(who)
	case "namespaceSelectors":
		if t.Wants == "a namespace" {
			return "selects objects in namespaces, and " + who + " is in none"
		}
		return label("the namespace of " + who)
	}
	what := map[string]string{"apiGroup": "group", "resources": "resource", "namespaces": "namespace", "objectNames": "name"}[t.Of]
	return fmt.Sprintf("wants %s %s, and it is %s", what, t.Wants, quoted(*t.Have))
}

func quoted(word string) string { return cmp.Or(word, `""`) }
