package explain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// candidate is an object that a package has, or had before some step.
type candidate struct {
	pack   *renderedPackage
	object *krm.Object
	gone   string      // the function that removed or renamed it; "" if it is still there
	now    *krm.Object // the renamed object
}

// home is the cluster whose folder the object lies in; "" for none.
func (c *candidate) home() string {
	rest, ok := strings.CutPrefix(render.FileOf(c.object), "clusters/")
	cluster, _, below := strings.Cut(rest, "/")
	if !ok || !below || fn.IsGenerated(c.object) {
		return ""
	}
	return cluster
}

func (s *Snapshot) explainAbsent(x *waybill.FleetExplanation, q Question, deliveries []*delivery) error {
	found := s.candidates(q)
	var ids []krm.ID
	for _, c := range found {
		ids = append(ids, c.pack.idOf(c.object))
	}
	if err := ambiguous(q, ids); err != nil {
		return err
	}
	if len(found) == 0 {
		x.Object = &waybill.ExplainedObject{PreviewObject: waybill.PreviewObject{Kind: q.Kind, Namespace: q.Namespace, Name: q.Name},
			Similar: s.similarObjects(q)}
		x.Says = fmt.Sprintf("%s does not receive %s: the package has no such object%s%s.", q.Cluster, q.object(),
			didYouMean(x.Object.Similar), leftBehind(x))
		return nil
	}
	c := found[0]
	x.Object = &waybill.ExplainedObject{PreviewObject: waybill.PreviewObject(ids[0]), Kept: c.kept(),
		Place: c.pack.place(c.object, len(c.pack.Result.Traces), nil)}
	if c.gone == "" && x.Object.Kept == "" {
		s.evaluate(x, c.pack, c.object)
	}
	x.Says = fmt.Sprintf("%s does not receive %s: %s%s.", q.Cluster, ids[0].Title(), s.reason(x, c, deliveries), leftBehind(x))
	return nil
}

// candidates are the objects that q may mean: objects of the result or, if none matches, objects before some step.
func (s *Snapshot) candidates(q Question) (out []candidate) {
	for _, p := range s.packages {
		for _, o := range p.Result.Items {
			if q.means(p.idOf(o), p.kinds()) {
				out = append(out, candidate{pack: p, object: o})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range s.packages {
		for i := range p.Result.Traces {
			t := &p.Result.Traces[i]
			for _, o := range t.Given {
				if q.means(p.idOf(o), p.kinds()) {
					gone := candidate{pack: p, object: o, gone: functionName(t)} // the last one counts
					if at := slices.IndexFunc(t.After, func(a *krm.Object) bool { return a.Origin() == o.Origin() }); at >= 0 {
						gone.now = t.After[at]
					}
					out = append(out[:0], gone)
				}
			}
		}
	}
	return out
}

// kept is why no policy can select c.
func (c *candidate) kept() string {
	for _, b := range c.pack.binders {
		if why := b.NotSelectable(c.object); why != "" {
			return why
		}
	}
	return ""
}

func (s *Snapshot) reason(x *waybill.FleetExplanation, c candidate, deliveries []*delivery) string {
	for _, d := range deliveries {
		if d.made != nil && d.made.Source.Origin() == c.object.Origin() {
			return "it is called " + d.id.Title() + " there"
		}
	}
	switch {
	case c.now != nil:
		return "function " + c.gone + " renamed it to " + c.pack.idOf(c.now).Title()
	case c.gone != "":
		return "function " + c.gone + " removed it"
	case c.home() != "":
		return "it is in the folder of cluster " + c.home()
	case len(c.pack.binders) == 0:
		return "no function of its package resolves BindingPolicies, and no manual Binding sends it there"
	case x.Object.Kept != "":
		return x.Object.Kept
	case !x.Cluster.Known:
		return "no inventory names the cluster" + didYouMean(x.Cluster.Similar)
	case len(x.Policies) == 0:
		return "no BindingPolicy is resolved in its package"
	}
	return whyRefused(x.Policies)
}

func whyRefused(policies []waybill.ExplainedPolicy) string {
	var selecting []waybill.ExplainedPolicy
	for _, p := range policies {
		switch {
		case p.Selects:
			return "policy " + p.Name + " selects it and the cluster, but no function of the pipeline bundles its Binding"
		case *p.SelectsObject:
			selecting = append(selecting, p)
		}
	}
	switch len(selecting) {
	case 0:
		if len(policies) == 1 {
			return "policy " + policies[0].Name + " does not select it: " + policies[0].Why
		}
		return fmt.Sprintf("none of %s selects it", selection.Count(len(policies), "policy"))
	case 1:
		return "policy " + selecting[0].Name + " selects it, but not the cluster: " + selecting[0].Why
	}
	names := joined(selecting, ", ", func(p waybill.ExplainedPolicy) string { return p.Name })
	return "policies " + names + " select it, but not the cluster"
}

// similarObjects are titles that the user may have meant, the likeliest first.
func (s *Snapshot) similarObjects(q Question) []string {
	var titles []string
	for _, p := range s.packages {
		for _, o := range p.Result.Items {
			titles = append(titles, p.idOf(o).Title())
		}
	}
	kind, _, _ := strings.Cut(q.Kind, ".")
	return selection.Similar(krm.ID{Kind: kind, Namespace: q.Namespace, Name: q.Name}.Title(), titles)
}
