package page

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/atlas"
)

// Bounds of the summary, in rows.
const (
	mostGroups   = 100
	mostPolicies = 100
	mostClusters = 200
)

// table is one of the summary.
type table struct {
	Caption string
	Head    []string
	Rows    [][]field
	More    string // what is left out
}

// field is one of a row.
type field struct {
	Text   string
	Number bool
}

func text(s string) field { return field{Text: Inert(s)} }
func count(n int) field   { return field{Text: strconv.Itoa(n), Number: true} }

// bound leaves out rows beyond most, and says so.
func (t table) bound(most int, what string) table {
	if more := len(t.Rows) - most; more > 0 {
		t.Rows, t.More = t.Rows[:most], fmt.Sprintf("%d more %s", more, what)
	}
	return t
}

func tables(a *atlas.Atlas) (out []table) {
	if a.Preview != nil && len(a.Preview.Groups) > 0 {
		if len(a.Preview.Risks) > 0 {
			out = append(out, riskTable(a))
		}
		out = append(out, changeTable(a).bound(mostGroups, "changes"))
	}
	return append(out, policyTable(a).bound(mostPolicies, "policies"), clusterTable(a).bound(mostClusters, "clusters"))
}

func riskTable(a *atlas.Atlas) table {
	t := table{Caption: "Risks", Head: []string{"Level", "Risk", "Clusters", "What may happen"}}
	for _, r := range a.Preview.Risks {
		t.Rows = append(t.Rows, []field{text(r.Level), text(r.Name), count(r.Clusters), text(r.Says)})
	}
	return t
}

func changeTable(a *atlas.Atlas) table {
	t := table{Caption: "Changes", Head: []string{"Object", "Change", "Clusters", "Risks"}}
	for _, g := range a.Preview.Groups {
		o := g.Object
		name := strings.TrimSpace(o.Kind + " " + strings.TrimPrefix(o.Namespace+"/"+o.Name, "/"))
		what := g.Change
		if g.With != "" {
			what += ", as the cluster " + g.With
		}
		t.Rows = append(t.Rows, []field{text(name), text(what), count(g.Clusters), text(strings.Join(g.Risks, ", "))})
	}
	return t
}

func policyTable(a *atlas.Atlas) table {
	t := table{Caption: "Policies", Head: []string{"Policy", "Clusters", "Objects", "Objects, all clusters"}}
	clusters, sum, distinct := make([]int, len(a.Policies)), make([]int, len(a.Policies)), make([]map[int]bool, len(a.Policies))
	for i := range a.Clusters {
		seen := map[int]bool{}
		for j := range a.Clusters[i].Loads {
			l := &a.Clusters[i].Loads[j]
			sum[l.Policy] += a.Count(l)
			if !seen[l.Policy] {
				clusters[l.Policy]++
			}
			seen[l.Policy] = true
			distinct[l.Policy] = addItems(distinct[l.Policy], a, l)
		}
	}
	for i, name := range a.Policies {
		t.Rows = append(t.Rows, []field{text(cmp.Or(name, "no policy")), count(clusters[i]), count(len(distinct[i])), count(sum[i])})
	}
	return t
}

func addItems(to map[int]bool, a *atlas.Atlas, l *atlas.Load) map[int]bool {
	if to == nil {
		to = map[int]bool{}
	}
	for _, item := range l.Items {
		if !a.Objects[item.Object].Itself {
			to[item.Object] = true
		}
	}
	return to
}

func clusterTable(a *atlas.Atlas) table {
	// those that most changes for come first
	t := table{Caption: "Clusters", Head: []string{"Cluster", "Labels", "Objects"}}
	changed := changesByCluster(a)
	if a.Preview != nil {
		t.Head = append(t.Head, "Changes")
	}
	order := make([]*atlas.Cluster, len(a.Clusters))
	for i := range a.Clusters {
		order[i] = &a.Clusters[i]
	}
	slices.SortStableFunc(order, func(x, y *atlas.Cluster) int { return cmp.Compare(changed[y.Name], changed[x.Name]) })
	for _, c := range order {
		row := []field{text(c.Name), text(strings.Join(c.Labels, " ")), count(total(a, c))}
		if a.Preview != nil {
			row = append(row, count(changed[c.Name]))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

func changesByCluster(a *atlas.Atlas) map[string]int {
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
