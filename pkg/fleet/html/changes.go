package html

import (
	"cmp"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
)

// changes are the groups of a preview, by numbers of objects and clusters.
type changes struct {
	Groups []changeGroup `json:"groups"`
}

type changeGroup struct {
	Object int         `json:"object"`
	Change string      `json:"change"` // or the outcome in words
	Ways   []changeWay `json:"ways"`
	values []string    // lines for the summary
}

// changeWay is the shapes of a group that change the same fields with the same risks: one change, with templates of the values.
// Its rows are the clusters.
type changeWay struct {
	Fields   [][4]*string `json:"fields"` // templates: name, change, from, to
	Says     string       `json:"says,omitempty"`
	Risks    []string     `json:"risks"`
	Level    string       `json:"level"`
	Clusters []int        `json:"clusters"` // the first of a row of clusters, and how many; and so on
	// Policy is the place of the policy that delivered an object which the clusters do not receive any more, if it still delivers
	// other objects.
	Policy *int `json:"policy,omitempty"`
}

func (e *encoder) encodeChanges(a *index.Index) *changes {
	if a.Preview == nil {
		return nil
	}
	objects, clusters, levels := objectPlaces(a), map[string]int{}, map[string]string{}
	for i, c := range a.Clusters {
		clusters[c.Name] = i
	}
	for _, r := range a.Preview.Risks {
		levels[r.Name] = r.Level
	}
	out := &changes{Groups: []changeGroup{}}
	for i := range a.Preview.Groups {
		g := &a.Preview.Groups[i]
		group := changeGroup{Object: objects[index.IdentityOf(g.Object)], Change: cmp.Or(format.Outcomes[g.Outcome], g.Change),
			Ways: []changeWay{}}
		ways := e.waysOf(a, g, clusters)
		for n, w := range ways {
			way := e.encodeWay(w)
			way.Level = highestLevel(way.Risks, levels)
			group.Ways = append(group.Ways, way)
			if n < mostWays {
				group.values = append(group.values, e.valueLines(w, &way, len(ways) > 1)...)
			}
		}
		if more := len(ways) - mostWays; more > 0 {
			group.values = append(group.values, fmt.Sprintf("… in %d more ways", more))
		}
		out.Groups = append(out.Groups, group)
	}
	e.needAll()
	return out
}

func objectPlaces(a *index.Index) map[index.Identity]int {
	out := make(map[index.Identity]int, len(a.Objects))
	for i, o := range a.Objects {
		out[o.Identity] = i
	}
	return out
}

func highestLevel(rules []string, levels map[string]string) (level string) {
	for _, r := range rules {
		level = index.Riskier(level, levels[r])
	}
	return level
}

// runs encodes sorted numbers, some of them twice, as pairs: the first of a row, and how many.
func runs(on []int) []int {
	out := []int{}
	for _, n := range on {
		if end := len(out); end > 0 && out[end-2]+out[end-1] == n {
			out[end-1]++
		} else {
			out = append(out, n, 1)
		}
	}
	return out
}
