package format

import (
	"fmt"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// Longest texts, in characters: of names, which Kubernetes bounds, and of values.
const (
	longestName  = 260
	longestValue = 200
	longestField = 200
	longestFile  = 4096
	longestSays  = 1200
)

// AddGroups appends the API group to every kind that several groups of the objects have.
func AddGroups(objects []*waybill.PreviewObject) {
	first, several := map[string]string{}, map[string]bool{}
	for _, o := range objects {
		group, known := first[o.Kind]
		several[o.Kind] = several[o.Kind] || known && group != o.Group
		first[o.Kind] = o.Group
	}
	for _, o := range objects {
		if several[o.Kind] && o.Group != "" {
			o.Kind += "." + o.Group
		}
	}
}

// object is the kind and name of an object.
func object(o waybill.PreviewObject) string {
	if o.Name == everyWork && o.Namespace == "" {
		return safetext.Short(o.Kind, longestName) + "s"
	}
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + o.Name
	}
	return safetext.Short(strings.TrimSpace(o.Kind+" "+name), longestName+2*len("/"))
}

// everyWork stands for the names of all works that change in the same way.
const everyWork = "*"

// Outcomes say what happens to an object that other works deliver, or none.
var Outcomes = map[string]string{
	"recreated":       "deleted and created again in another work",
	"handed-over":     "handed over to another work",
	"hand-over-ended": "hand-over ends",
	"left-behind":     "left behind",
	"still-held":      "held by fewer works",
}

// happened says what happens, without where.
func happened(g *waybill.PreviewGroup) string {
	if text := Outcomes[g.Outcome]; text != "" {
		return text
	}
	switch {
	case g.Object.Name == everyWork && g.Object.Namespace == "":
		return "how objects are applied changes"
	case g.Change == "moved":
		return "moves to another work"
	case g.Change != "changed":
		return g.Change
	}
	return fieldsChange(g)
}

// fieldsChange says how many fields of an object change: as many on all clusters, or other numbers where lists have other lengths.
func fieldsChange(g *waybill.PreviewGroup) string {
	fewest, most := len(g.Shapes[0].Fields), len(g.Shapes[0].Fields)
	for i := range g.Shapes {
		fewest, most = min(fewest, len(g.Shapes[i].Fields)), max(most, len(g.Shapes[i].Fields))
	}
	switch {
	case fewest != most:
		return fmt.Sprintf("%d to %d fields change", fewest, most)
	case most == 1:
		return "1 field changes"
	}
	return fmt.Sprintf("%d fields change", most)
}

func title(g *waybill.PreviewGroup) string { return object(g.Object) + ": " + happened(g) + where(g) }

// where says on how many clusters something happens.
func where(g *waybill.PreviewGroup) string {
	line := " on " + selection.Count(g.Clusters, "cluster")
	switch g.With {
	case "joined":
		line += " that joined"
	case "left":
		line += " that left"
	}
	return line
}

func says(s *waybill.PreviewShape) string { return safetext.Short(s.Says, longestSays) }

// Field says what happens to a field, on one line.
func Field(f waybill.PreviewField) string {
	name := safetext.Short(f.Field, longestField)
	if name == "" {
		return "it is written in another order, or annotations of tools differ"
	}
	switch {
	case f.From == nil && f.To == nil:
		return name + " " + f.Change
	case f.From == nil:
		return name + ": added " + safetext.Short(*f.To, longestValue)
	case f.To == nil:
		return name + ": removed, was " + safetext.Short(*f.From, longestValue)
	case *f.From == *f.To: // what they are is not told
		return name + ": changed " + safetext.Short(*f.To, longestValue)
	case f.Change == "moved":
		return name + ": order " + safetext.Short(*f.From, longestValue) + " → " + safetext.Short(*f.To, longestValue)
	}
	return name + ": " + safetext.Short(*f.From, longestValue) + " → " + safetext.Short(*f.To, longestValue)
}

// Names lists clusters, each once, at most this many.
func Names(clusters []string, most int) string {
	clusters = slices.Compact(slices.Clone(clusters))
	var out []string
	for _, c := range clusters[:min(len(clusters), most)] {
		out = append(out, safetext.Short(c, longestName))
	}
	text := strings.Join(out, ", ")
	if more := len(clusters) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func moves(s waybill.PreviewSummary) string {
	switch {
	case s.Recreated > 0 && s.HandedOver > 0:
		return fmt.Sprintf(" (%d deleted and created again, %d handed over)", s.Recreated, s.HandedOver)
	case s.Recreated > 0:
		return fmt.Sprintf(" (%d deleted and created again)", s.Recreated)
	case s.HandedOver > 0:
		return fmt.Sprintf(" (%d handed over)", s.HandedOver)
	}
	return ""
}

// loss is what clusters lose that receive nothing any more.
func loss(l *waybill.PreviewLeaving) string {
	text := "nothing is deleted there"
	if l.Deleted > 0 {
		text = selection.Count(l.Deleted, "object") + " deleted there"
		if len(l.Clusters) > 1 {
			text = selection.Count(l.Deleted, "object") + " deleted on each"
		}
	}
	text += withData(l.Data)
	if l.LeftBehind > 0 {
		text += "; " + selection.Count(l.LeftBehind, "object") + " left behind" + withData(l.Kept)
	}
	return text
}

func withData(kinds []waybill.PreviewKind) (text string) {
	for i, kind := range kinds {
		if text += ", "; i == 0 {
			text += "with the data of "
		}
		text += selection.Count(kind.Objects, safetext.Short(kind.Kind, longestName))
	}
	return text
}

// Headline says in one sentence what changes.
func Headline(p *waybill.FleetPreview) string {
	s := p.Summary
	if len(p.Groups) == 0 {
		return fmt.Sprintf("Nothing changes on any of %s.", selection.Count(p.After.Clusters, "cluster"))
	}
	all := p.Before.Clusters + len(s.Joined)
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(s.Added, "added")
	add(s.Removed, "removed")
	add(s.Changed, "changed")
	add(s.Moved, "moved to other works"+moves(s))
	add(s.LeftBehind, "left behind")
	add(s.Released, "released by one of several works")
	text := fmt.Sprintf("%d of %s", s.Clusters, selection.Count(all, "cluster"))
	if s.Clusters == 1 {
		text += " changes"
	} else {
		text += " change"
	}
	if len(parts) > 0 {
		text += ". Objects: " + strings.Join(parts, ", ") + counted(p)
	}
	if s.Works > 0 {
		text += fmt.Sprintf(". Works themselves: %d", s.Works)
	}
	return text + "."
}

// counted says how many different objects a headline counts, if it counts some of them for several clusters.
func counted(p *waybill.FleetPreview) string {
	different, all := map[index.Identity]bool{}, 0
	for i := range p.Groups {
		if id := index.IdentityOf(p.Groups[i].Object); !id.Itself {
			different[id] = true
			all += p.Groups[i].Clusters
		}
	}
	if len(different) == 0 || all == len(different) {
		return ""
	}
	return fmt.Sprintf(" (%s, counted for every cluster)", selection.Count(len(different), "different object"))
}
