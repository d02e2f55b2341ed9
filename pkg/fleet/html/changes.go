package html

import (
	"cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// changes are the groups of a preview, by numbers of objects and clusters.
type changes struct {
	Groups []changeGroup `json:"groups"`
}

type changeGroup struct {
	Object int           `json:"object"`
	Change string        `json:"change"` // or the outcome in words
	Shapes []changeShape `json:"shapes"`
}

type changeShape struct {
	Fields   [][4]*string `json:"fields"` // name, change, from, to
	Says     string       `json:"says,omitempty"`
	Risks    []string     `json:"risks"`
	Level    string       `json:"level"`
	Clusters []int        `json:"clusters"` // the first of a row of clusters, and how many; and so on
}

func encodeChanges(a *index.Index) *changes {
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
	for _, g := range a.Preview.Groups {
		group := changeGroup{Object: objects[index.IdentityOf(g.Object)], Change: cmp.Or(format.Outcomes[g.Outcome], g.Change),
			Shapes: []changeShape{}}
		for _, s := range g.Shapes {
			shape := changeShape{Fields: fieldsOf(s.Fields), Says: safetext.Visible(s.Says), Risks: append([]string{}, s.Risks...),
				Level: highestLevel(s.Risks, levels)}
			var on []int
			for _, name := range s.Clusters {
				on = append(on, clusters[name])
			}
			shape.Clusters = runs(on)
			group.Shapes = append(group.Shapes, shape)
		}
		out.Groups = append(out.Groups, group)
	}
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

func fieldsOf(fields []waybill.PreviewField) [][4]*string {
	out := [][4]*string{}
	for _, f := range fields {
		name, change := safetext.Visible(f.Field), f.Change
		out = append(out, [4]*string{&name, &change, shownValue(f.From), shownValue(f.To)})
	}
	return out
}

func shownValue(v *string) *string {
	if v == nil {
		return nil
	}
	text := safetext.Visible(*v)
	return &text
}
