package tell

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/inert"
)

// Longest texts, in characters: of names, which Kubernetes bounds, and of values.
const (
	longestName  = 260
	longestValue = 200
	longestField = 200
	longestFile  = 4096
)

// count is a number of things: of many, with an s.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

// object is the kind and name of an object.
func object(o waybill.PreviewObject) string {
	name := o.Name
	if o.Namespace != "" {
		name = o.Namespace + "/" + o.Name
	}
	return inert.Short(strings.TrimSpace(o.Kind+" "+name), longestName+2*len("/"))
}

// happened is what a group says, without where.
func happened(g *waybill.PreviewGroup) string {
	switch {
	case g.Change == "moved":
		return "comes in another work"
	case g.Change != "changed":
		return g.Change
	case len(g.Shapes[0].Fields) == 1:
		return "1 field changes"
	}
	return fmt.Sprintf("%d fields change", len(g.Shapes[0].Fields))
}

// title is one line about a group.
func title(g *waybill.PreviewGroup) string {
	line := object(g.Object) + ": " + happened(g) + " on " + count(g.Clusters, "cluster")
	switch g.With {
	case "joined":
		line += " that joined"
	case "left":
		line += " that left"
	}
	return line
}

// field is what happens to a field.
func field(f waybill.PreviewField) string {
	name := inert.Short(f.Field, longestField)
	if name == "" {
		return "it is written in another order, or annotations of tools differ"
	}
	switch {
	case f.From == nil && f.To == nil:
		return name + " " + f.Change
	case f.From == nil:
		return name + ": added " + inert.Short(*f.To, longestValue)
	case f.To == nil:
		return name + ": removed, was " + inert.Short(*f.From, longestValue)
	case *f.From == *f.To: // what they are is not told
		return name + ": changed " + inert.Short(*f.To, longestValue)
	case f.Change == "moved":
		return name + ": order " + inert.Short(*f.From, longestValue) + " → " + inert.Short(*f.To, longestValue)
	}
	return name + ": " + inert.Short(*f.From, longestValue) + " → " + inert.Short(*f.To, longestValue)
}

// names lists clusters, as many as most.
func names(clusters []string, most int) string {
	var out []string
	for _, c := range clusters[:min(len(clusters), most)] {
		out = append(out, inert.Short(c, longestName))
	}
	text := strings.Join(out, ", ")
	if more := len(clusters) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// Headline is what changes, in one sentence.
func Headline(p *waybill.FleetPreview) string {
	s := p.Summary
	if len(p.Groups) == 0 {
		return fmt.Sprintf("Nothing changes on any of %s.", count(p.After.Clusters, "cluster"))
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
	add(s.Moved, "moved to other works")
	text := fmt.Sprintf("%d of %s", s.Clusters, count(all, "cluster"))
	if s.Clusters == 1 {
		text += " changes"
	} else {
		text += " change"
	}
	if len(parts) > 0 {
		text += ". Objects: " + strings.Join(parts, ", ")
	}
	if s.Works > 0 {
		text += fmt.Sprintf(". Works themselves: %d", s.Works)
	}
	return text + "."
}
