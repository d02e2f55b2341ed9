package fleet

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
)

// grouping collects similar changes.
type grouping struct {
	of     *Comparison
	root   string
	by     map[string]*group
	seen   map[ruleCount]bool // clusters counted for a rule
	fields map[string]string  // as templates have them
	rule   []waybill.PreviewRisk
}

type ruleCount struct {
	rule    int
	cluster string
}

// group is a PreviewGroup under construction.
type group struct {
	waybill.PreviewGroup
	itself   bool
	rules    []int
	shapes   map[string]*waybill.PreviewShape
	clusters map[string]bool
}

func newGrouping(c *Comparison, root string) *grouping {
	g := &grouping{of: c, root: root, by: map[string]*group{}, seen: map[ruleCount]bool{}, fields: map[string]string{}}
	for _, r := range risk.Rules {
		g.rule = append(g.rule, waybill.PreviewRisk{Name: r.Name, Level: string(r.Level), Says: r.Says})
	}
	return g
}

func (g *grouping) add(c *Change) {
	fields, with := c.Fields(), g.of.with(c.Cluster())
	rules := g.of.rulesOf(c)
	gr := g.group(c, fields, with)
	gr.rules = append(gr.rules, rules...)
	gr.clusters[c.Cluster()] = true
	key := shapeKey(c, fields, rules) + "\x00" + c.Says()
	shape := gr.shapes[key]
	if shape == nil {
		shape = &waybill.PreviewShape{Fields: fields, Says: c.Says(), Risks: namesOf(rules), File: path.Join(g.root, c.latest().File)}
		gr.shapes[key] = shape
	}
	shape.Clusters = append(shape.Clusters, c.Cluster())
	for _, r := range rules {
		g.rule[r].Changes++
		if at := (ruleCount{r, c.Cluster()}); !g.seen[at] {
			g.seen[at] = true
			g.rule[r].Clusters++
		}
	}
}

// everyWork stands for the names of all works that change in the same way.
const everyWork = "*"

// group is the group of c: changes of the same kind to the same object, in the same fields. A field of a list whose items have
// numbers or the name of the cluster in their keys is the same for all of them: a template may write more items on one cluster.
func (g *grouping) group(c *Change, fields []waybill.PreviewField, with string) *group {
	var key strings.Builder
	id := c.ID
	if c.onlyChangesStrategy() { // all works together
		id.Name = everyWork
	}
	fmt.Fprintf(&key, "%s\x00%s\x00%s\x00%s\x00%t", c.Kind(), c.Outcome, with, id, c.latest().Itself)
	for _, f := range g.templateFields(fields, c.Cluster()) {
		key.WriteString("\x00" + f)
	}
	gr := g.by[key.String()]
	if gr == nil {
		gr = &group{shapes: map[string]*waybill.PreviewShape{}, clusters: map[string]bool{}}
		gr.Change, gr.Outcome, gr.With, gr.itself = string(c.Kind()), string(c.Outcome), with, c.latest().Itself
		gr.Object = waybill.PreviewObject(id)
		g.by[key.String()] = gr
	}
	return gr
}

func namesOf(rules []int) (out []string) {
	for _, r := range rules {
		out = append(out, risk.Rules[r].Name)
	}
	return out
}

// groups are all groups, the riskiest first, then those of most clusters.
func (g *grouping) groups() []waybill.PreviewGroup {
	all := make([]*group, 0, len(g.by))
	for _, gr := range g.by {
		gr.finish()
		all = append(all, gr)
	}
	slices.SortFunc(all, func(a, b *group) int {
		return cmp.Or(
			cmp.Compare(a.worst(), b.worst()), cmp.Compare(b.Clusters, a.Clusters), cmp.Compare(a.title(), b.title()),
			slices.CompareFunc(a.Shapes[0].Fields, b.Shapes[0].Fields, func(x, y waybill.PreviewField) int {
				return cmp.Or(cmp.Compare(x.Field, y.Field), cmp.Compare(x.Change, y.Change))
			}))
	})
	out := make([]waybill.PreviewGroup, len(all))
	for i, gr := range all {
		out[i] = gr.PreviewGroup
	}
	return out
}

// finish sorts the shapes of the group: the riskiest first, then that of most clusters.
func (gr *group) finish() {
	slices.Sort(gr.rules)
	gr.rules = slices.Compact(gr.rules)
	gr.Risks, gr.Clusters = namesOf(gr.rules), len(gr.clusters)
	if len(gr.rules) > 0 {
		gr.Level = string(risk.Rules[gr.rules[0]].Level)
	}
	for _, s := range gr.shapes {
		gr.Shapes = append(gr.Shapes, *s)
	}
	slices.SortFunc(gr.Shapes, func(a, b waybill.PreviewShape) int {
		return cmp.Or(cmp.Compare(worstOf(&a), worstOf(&b)), cmp.Compare(len(b.Clusters), len(a.Clusters)),
			slices.Compare(a.Clusters, b.Clusters), cmp.Compare(a.File, b.File), cmp.Compare(a.Says, b.Says),
			slices.CompareFunc(a.Fields, b.Fields, compareValues))
	})
}

// worstOf is the index of the riskiest rule that applies to a shape; without a rule, the number of rules.
func worstOf(s *waybill.PreviewShape) int {
	if len(s.Risks) == 0 {
		return len(risk.Rules)
	}
	return risk.RuleIndex(s.Risks[0])
}

func (gr *group) worst() int {
	if len(gr.rules) == 0 {
		return len(risk.Rules)
	}
	return gr.rules[0]
}

func (gr *group) title() string {
	o := gr.Object
	return strings.Join([]string{o.Kind, o.Namespace, o.Name, o.Group, gr.Change, gr.Outcome, gr.With, fmt.Sprint(gr.itself)}, "\x00")
}

func (g *grouping) risks() []waybill.PreviewRisk {
	return slices.DeleteFunc(g.rule, func(r waybill.PreviewRisk) bool { return r.Changes == 0 })
}
