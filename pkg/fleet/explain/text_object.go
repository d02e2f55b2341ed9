package explain

import (
	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/selection"
)

func (p *page) object(x *waybill.FleetExplanation) {
	if o := x.Object; o != nil && o.Place != nil {
		p.heading("\nObject: %s", describePlace(o.Place))
		if o.Kept == "" && len(x.Policies) > 0 {
			p.line(1, "labels: %s", labels(o.Labels))
		}
	}
	for _, d := range x.Deliveries {
		p.heading("\nComes %s", describeDelivery(&d))
		if d.BindingFile != "" {
			p.line(1, "Binding %s (%s)", d.Binding, d.BindingFile)
		}
		if d.Work != "" {
			p.line(1, "work %s (%s)", d.Work, d.File)
		} else {
			p.line(1, "%s", d.File)
		}
	}
	p.handOvers(x)
	if x.Cluster.Known && len(x.Policies) > 0 {
		p.heading("\nCluster: %s%s", x.Cluster.Name, behind(x.Cluster.Place))
		p.line(1, "labels: %s", labels(x.Cluster.Labels))
	}
	for i := range x.Policies {
		if i >= mostPolicies && matchScore(x.Policies[i]) < 2 {
			p.line(0, "\n… %s more, which do not select the object; all of them: -o json", selection.Count(len(x.Policies)-i, "policy"))
			break
		}
		p.policy(&x.Policies[i])
	}
}

// mostPolicies is how many policies that do not select the object are printed.
const mostPolicies = 10

func (p *page) policy(policy *waybill.ExplainedPolicy) {
	object, cluster := policy.SelectsObject != nil && *policy.SelectsObject, policy.SelectsCluster
	verdict := map[[2]bool]string{
		{true, true}: "selects both", {true, false}: "selects the object, but not the cluster",
		{false, true}: "selects the cluster, but not the object", {false, false}: "selects neither",
	}[[2]bool{object, cluster}]
	p.heading("\nPolicy %s (%s) %s", policy.Name, describePlace(&policy.Place), verdict)
	p.tests("clause", policy.Clauses, object)
	p.tests("selector", policy.Cluster, cluster)
}

// tests prints the tests that hold, or why each test does not.
func (p *page) tests(what string, tests []waybill.ExplainedTest, selects bool) {
	if len(tests) == 0 {
		p.line(1, "it has no %s", what)
	}
	for _, t := range tests {
		switch {
		case t.Holds:
			p.line(1, "%s %d holds: %s%s", what, t.Number, conditions(t), behind(&t.Place))
		case !selects:
			p.line(1, "%s %d does not%s", what, t.Number, behind(&t.Place))
			p.terms(t)
		}
	}
}

func (p *page) terms(t waybill.ExplainedTest) {
	for _, term := range t.Terms {
		mark := "yes"
		if !term.Holds {
			mark = "no "
		}
		p.line(2, "%s  %s%s", mark, condition(term), have(term))
	}
}

// have is the actual value, if a term does not hold.
func have(t waybill.ExplainedTerm) string {
	switch {
	case t.Holds || t.Wants == "a namespace":
		return ""
	case t.Have == nil:
		return ", there is no such label"
	}
	return ", it is " + quoted(*t.Have)
}

func conditions(t waybill.ExplainedTest) string {
	if len(t.Terms) == 0 {
		return "a selector without conditions"
	}
	return joined(t.Terms, ", ", condition)
}

// condition is one condition in words.
func condition(t waybill.ExplainedTerm) string {
	switch t.Of {
	case "clusterSelectors":
		return t.Wants
	case "objectSelectors":
		return "label " + t.Wants
	case "namespaceSelectors":
		return "namespace label " + t.Wants
	case "apiGroup":
		return "group " + t.Wants
	}
	return map[string]string{"resources": "resource", "namespaces": "namespace", "objectNames": "name"}[t.Of] + " " + t.Wants
}
