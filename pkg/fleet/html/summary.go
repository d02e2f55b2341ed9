package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Bounds of the summary, in rows.
const (
	mostGroups   = 100
	mostPolicies = 100
	mostClusters = 200
)

// table is one table of the summary.
type table struct {
	Caption string
	Head    []string
	Rows    [][]field
	More    string // what is left out
}

// field is one cell.
type field struct {
	Text string
	// Class is n for a number, t for text in words, with its level if it has one, v for lines of values, and "" for names, which may
	// be long, break anywhere, and have a direction of their own. Most fields are names.
	Class string
	// To is what the script opens: object, cluster or policy, and its index in the data.
	To string
}

func text(s string) field { return field{Text: safetext.Visible(s), Class: "t"} }
func count(n int) field   { return field{Text: strconv.Itoa(n), Class: "n"} }

// levelled is text in the colour of a level.
func levelled(s, level string) field {
	f := text(s)
	f.Class = strings.TrimSpace(f.Class + " " + level)
	return f
}

func name(s string) field { return field{Text: safetext.Visible(s)} }

// link is a name with a link.
func link(s, what string, place int) field {
	f := name(s)
	f.To = fmt.Sprintf("%s %d", what, place)
	return f
}

// bound leaves out rows beyond most.
func (t table) bound(most int, what string) table {
	if more := len(t.Rows) - most; more > 0 {
		t.Rows, t.More = t.Rows[:most], fmt.Sprintf("%d more %s", more, what)
	}
	return t
}

// verdict is what a reader wants to know first of a change.
type verdict struct {
	Level string // of the riskiest rule that applies: high, medium, low or none
	Text  string
	// Refused are the reasons to refuse the change. Bounds says what holds of the bounds if there are none.
	Refused []string
	Bounds  string
}

// verdictOf returns nil if nothing is compared.
func verdictOf(a *index.Index, o *Options) *verdict {
	if a.Preview == nil {
		return nil
	}
	v := &verdict{Level: "none", Text: "No rule about risks applies.", Bounds: "Not refused: no bound is set."}
	if o.Bounded {
		v.Bounds = "Not refused: within all bounds."
	}
	for _, reason := range o.Refused {
		v.Refused = append(v.Refused, safetext.Visible(reason))
	}
	var levels []string
	for _, r := range a.Preview.Risks {
		risk := fmt.Sprintf("%s on %s", r.Name, selection.Count(r.Clusters, "cluster"))
		if n := len(levels) - 1; n < 0 || !strings.HasPrefix(levels[n], r.Level) {
			levels = append(levels, r.Level+" risk: "+risk)
		} else {
			levels[n] += ", " + risk
		}
	}
	if len(levels) > 0 {
		text := strings.Join(levels, "; ")
		v.Level, v.Text = a.Preview.Risks[0].Level, safetext.Visible(strings.ToUpper(text[:1])+text[1:]+".")
	}
	return v
}

func changeTables(a *index.Index, c *changes) (out []table) {
	if a.Preview == nil || len(a.Preview.Groups) == 0 {
		return nil
	}
	if len(a.Preview.Risks) > 0 {
		out = append(out, riskTable(a))
	}
	return append(out, changeTable(a, c).bound(mostGroups, "changes"))
}

func riskTable(a *index.Index) table {
	t := table{Caption: "Risks", Head: []string{"Level", "Risk", "Clusters", "What may happen"}}
	for _, r := range a.Preview.Risks {
		t.Rows = append(t.Rows, []field{levelled(r.Level, r.Level), text(r.Name), count(r.Clusters), text(r.Says)})
	}
	return t
}

func changeTable(a *index.Index, c *changes) table {
	t := table{Caption: "Changes", Head: []string{"Object", "Change", "Clusters", "Risks", "Values"}}
	for i, g := range a.Preview.Groups {
		group := &c.Groups[i]
		what := group.Change
		if g.With != "" {
			what += ", as the cluster " + g.With
		}
		t.Rows = append(t.Rows, []field{link(krm.ID(g.Object).Title(), "object", group.Object), text(what), count(g.Clusters),
			levelled(strings.Join(g.Risks, ", "), g.Level), {Text: strings.Join(group.values, "\n"), Class: "v"}})
	}
	return t
}

func policyTable(a *index.Index) table {
	t := table{Caption: "Policies", Head: []string{"Policy", "Clusters", "Objects", "Objects, all clusters"}}
	clusters, sum, distinct := make([]int, len(a.Policies)), make([]int, len(a.Policies)), make([]map[int]bool, len(a.Policies))
	for i := range distinct {
		distinct[i] = map[int]bool{}
	}
	for i := range a.Clusters {
		seen := map[int]bool{}
		for j := range a.Clusters[i].Loads {
			l := &a.Clusters[i].Loads[j]
			sum[l.Policy] += a.Count(l)
			if !seen[l.Policy] && a.Count(l) > 0 {
				clusters[l.Policy]++
				seen[l.Policy] = true
			}
			for _, item := range l.Items {
				if !a.Objects[item.Object].Itself {
					distinct[l.Policy][item.Object] = true
				}
			}
		}
	}
	for i, policy := range a.Policies {
		t.Rows = append(t.Rows, []field{link(cmp.Or(policy, "no policy"), "policy", i), count(clusters[i]),
			count(len(distinct[i])), count(sum[i])})
	}
	return t
}

func clusterTable(a *index.Index) table {
	// those that most changes for come first
	t := table{Caption: "Clusters", Head: []string{"Cluster", "Labels", "Objects"}}
	changed := changesByCluster(a)
	if a.Preview != nil {
		t.Head = append(t.Head, "Changes")
	}
	order := make([]int, len(a.Clusters))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(changed[a.Clusters[y].Name], changed[a.Clusters[x].Name]) })
	for _, i := range order {
		c := &a.Clusters[i]
		row := []field{link(c.Name, "cluster", i), name(strings.Join(c.Labels, " ")), count(total(a, c))}
		if a.Preview != nil {
			row = append(row, count(changed[c.Name]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func changesByCluster(a *index.Index) map[string]int {
	out := map[string]int{}
	if a.Preview == nil {
		return out
	}
	for _, g := range a.Preview.Groups {
		for _, s := range g.Shapes {
			for _, name := range s.Clusters {
				out[name]++
			}
		}
	}
	return out
}
