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

// candidate is an object that a package has, or had on the way.
type candidate struct {
	pack   *renderedPackage
	object *krm.Object
	gone   string      // the step that removed or renamed it; "" for one that is still there
	now    *krm.Object // what that step made of it, if it renamed it
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

// explainAbsent tells why the cluster does not receive an object.
func (w *Snapshot) explainAbsent(x *waybill.FleetExplanation, q Question, deliveries []*delivery) error {
	found := w.candidates(q)
	var ids []krm.ID
	for _, c := range found {
		ids = append(ids, c.pack.idOf(c.object))
	}
	if err := ambiguous(q, ids); err != nil {
		return err
	}
	if len(found) == 0 {
		x.Object = &waybill.ExplainedObject{PreviewObject: waybill.PreviewObject{Kind: q.Kind, Namespace: q.Namespace, Name: q.Name},
			Similar: w.similarObjects(q)}
		x.Says = fmt.Sprintf("%s does not receive %s: the package has no such object%s%s.", q.Cluster, q.object(),
			didYouMean(x.Object.Similar), leftBehind(x))
		return nil
	}
	c := found[0]
	x.Object = &waybill.ExplainedObject{PreviewObject: preview(ids[0]), Place: c.pack.place(c.object, len(c.pack.Result.Traces), nil)}
	x.Object.Kept = c.kept()
	if c.gone == "" && x.Object.Kept == "" {
		w.evaluate(x, c.pack, c.object)
	}
	x.Says = fmt.Sprintf("%s does not receive %s: %s%s.", q.Cluster, title(ids[0]), w.reason(x, c, deliveries), leftBehind(x))
	return nil
}

// candidates are the objects that q may mean: those that are there or, when there are none, those that were there before
// some step.
func (w *Snapshot) candidates(q Question) (out []candidate) {
	for _, p := range w.packages {
		for _, o := range p.Result.Items {
			if q.means(p.idOf(o), p.kinds()) {
				out = append(out, candidate{pack: p, object: o})
			}
		}
	}
	if len(out) > 0 {
		return out
	}
	for _, p := range w.packages {
		for i := range p.Result.Traces {
			t := &p.Result.Traces[i]
			for _, o := range t.Given {
				if q.means(p.idOf(o), p.kinds()) {
					gone := candidate{pack: p, object: o, gone: functionName(t)} // the last step that had it took it away
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

// reason is why c is not sent, in words.
func (w *Snapshot) reason(x *waybill.FleetExplanation, c candidate, deliveries []*delivery) string {
	for _, d := range deliveries {
		if d.made != nil && d.made.Source.Origin() == c.object.Origin() {
			return "there it is called " + title(d.id)
		}
	}
	switch {
	case c.now != nil:
		return "function " + c.gone + " made " + title(c.pack.idOf(c.now)) + " of it"
	case c.gone != "":
		return "function " + c.gone + " removed it"
	case c.home() != "":
		return "it lies in the folder of cluster " + c.home()
	case len(c.pack.binders) == 0:
		return "no function of its package resolves BindingPolicies, and no Binding that a person wrote brings it there"
	case x.Object.Kept != "":
		return x.Object.Kept
	case !x.Cluster.Known:
		return "no inventory names the cluster" + didYouMean(x.Cluster.Similar)
	case len(x.Policies) == 0:
		return "no BindingPolicy is resolved in its package"
	}
	return whyRefused(x.Policies)
}

// whyRefused is why no policy sends an object to a cluster.
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
		return fmt.Sprintf("none of %s selects it", count(len(policies), "policy"))
	case 1:
		return "policy " + selecting[0].Name + " selects it, and not the cluster: " + selecting[0].Why
	}
	var names []string
	for _, p := range selecting {
		names = append(names, p.Name)
	}
	return "policies " + strings.Join(names, ", ") + " select it, and not the cluster"
}

// similarObjects are objects that may have been meant, the likeliest first.
func (w *Snapshot) similarObjects(q Question) []string {
	var titles []string
	for _, p := range w.packages {
		for _, o := range p.Result.Items {
			titles = append(titles, title(p.idOf(o)))
		}
	}
	kind, _, _ := strings.Cut(q.Kind, ".")
	return selection.Similar(title(krm.ID{Kind: kind, Namespace: q.Namespace, Name: q.Name}), titles)
}
