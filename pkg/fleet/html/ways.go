package html

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// wayRow is a change on a cluster. The texts are what it says, and then the values of the fields; nil where there is none.
type wayRow struct {
	cluster int
	texts   []*string
}

type way struct {
	fields []waybill.PreviewField // their names are templates
	risks  []string
	rows   []wayRow
	policy *int
}

// waysOf puts shapes together that differ in values only. Where one cluster has a shape, its name is a mark in the values.
func (e *encoder) waysOf(a *index.Index, g *waybill.PreviewGroup, clusters map[string]int) (out []*way) {
	by := map[string]int{}
	for i := range g.Shapes {
		s := &g.Shapes[i]
		shown, first := safetext.Visible, clusters[s.Clusters[0]]
		if len(s.Clusters) == 1 && len(g.Shapes) > 1 {
			shown = func(text string) string { return withoutName(safetext.Visible(text), e.names[first]) }
		}
		w := &way{risks: s.Risks, policy: policyBefore(a, &a.Clusters[first], s.File, index.IdentityOf(g.Object))}
		texts := w.texts(s, shown)
		n := number(by, w.key(texts), func() { out = append(out, w) })
		for _, name := range s.Clusters {
			out[n].rows = append(out[n].rows, wayRow{clusters[name], texts})
		}
	}
	for _, w := range out {
		slices.SortStableFunc(w.rows, func(x, y wayRow) int { return cmp.Compare(x.cluster, y.cluster) })
	}
	return out
}

func (w *way) texts(s *waybill.PreviewShape, shown func(string) string) []*string {
	says := shown(s.Says)
	texts := []*string{&says}
	for _, f := range s.Fields {
		w.fields = append(w.fields, waybill.PreviewField{Field: shown(f.Field), Change: f.Change})
		texts = append(texts, shownIfAny(f.From, shown), shownIfAny(f.To, shown))
	}
	return texts
}

// shownIfAny is a text as shown has it; nil stays nil.
func shownIfAny(text *string, shown func(string) string) *string {
	if text == nil {
		return nil
	}
	out := shown(*text)
	return &out
}

// key is equal for shapes that differ in values only.
func (w *way) key(texts []*string) string {
	var key strings.Builder
	for _, f := range w.fields {
		fmt.Fprintf(&key, "%s\x00%s\x00", f.Field, f.Change)
	}
	for _, t := range texts {
		fmt.Fprintf(&key, "%t ", t == nil)
	}
	fmt.Fprintf(&key, "%t\x00%d\x00%s", *texts[0] == "", ptr.Deref(w.policy, -1), strings.Join(w.risks, "\x00"))
	return key.String()
}

func (e *encoder) encodeWay(w *way) changeWay {
	template := func(n int) *string {
		if w.rows[0].texts[n] == nil {
			return nil
		}
		values := make([]string, len(w.rows))
		for i, r := range w.rows {
			values[i] = *r.texts[n]
		}
		text := e.template(values)
		return &text
	}
	out := changeWay{Fields: [][4]*string{}, Says: *template(0), Risks: append([]string{}, w.risks...), Policy: w.policy}
	for i, f := range w.fields {
		out.Fields = append(out.Fields, [4]*string{&f.Field, &f.Change, template(1 + 2*i), template(2 + 2*i)})
	}
	var on []int
	for _, r := range w.rows {
		on = append(on, r.cluster)
	}
	out.Clusters = runs(on)
	return out
}

// policyBefore is the policy of the load that the cluster receives from the file which delivered an object; nil if there is none, or
// if the cluster receives the object.
func policyBefore(a *index.Index, c *index.Cluster, file string, id index.Identity) (policy *int) {
	for i := range c.Loads {
		l := &c.Loads[i]
		if slices.ContainsFunc(l.Items, func(item index.Item) bool { return a.Objects[item.Object].Identity == id }) {
			return nil
		}
		if file == l.File || strings.HasSuffix(file, "/"+l.File) { // the file may be named below another root
			policy = &l.Policy
		}
	}
	return policy
}
