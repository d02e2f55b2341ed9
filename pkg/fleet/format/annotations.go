package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// mostAnnotations is how many of each kind GitHub shows for a step.
const mostAnnotations = 10

// Annotations writes p as commands of a GitHub workflow: one notice about all, then one annotation for each group, the
// riskiest first, as many as are shown.
func Annotations(out io.Writer, p *waybill.FleetPreview) error {
	var b strings.Builder
	annotate(&b, "notice", "", "Fleet preview", Headline(p))
	for i, l := range p.Summary.Leaving {
		if i == textShapes {
			break
		}
		annotate(&b, "notice", "", "Fleet preview, clusters that leave", names(l.Clusters, textNames)+": "+loss(&l))
	}
	left := map[string]int{"error": mostAnnotations, "warning": mostAnnotations,
		"notice": mostAnnotations - 2 - min(textShapes, len(p.Summary.Leaving))}
	silent := 0
	for i := range p.Groups {
		g := &p.Groups[i]
		kind := annotationOf(g.Level)
		if left[kind] == 0 || kind == "notice" && g.With != "" {
			silent++
			continue
		}
		left[kind]--
		annotate(&b, kind, at(g), heading(g), sentence(g))
	}
	if silent > 0 {
		annotate(&b, "notice", "", "Fleet preview", count(silent, "more group")+" of changes not annotated")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

func annotationOf(level string) string {
	switch level {
	case "high":
		return "error"
	case "medium":
		return "warning"
	}
	return "notice"
}

// at is the place of a group as properties of a command.
func at(g *waybill.PreviewGroup) string {
	file, line := place(g)
	text := "file=" + property(safetext.Short(file, longestFile))
	if line > 0 {
		text += fmt.Sprintf(",line=%d", line)
	}
	return text + ","
}

// place is where to look for the cause of a group: where its object is defined, or else where it is shipped. A line of 0 is
// not known.
func place(g *waybill.PreviewGroup) (file string, line int) {
	if g.Source != nil {
		return g.Source.File, g.Source.Line
	}
	return g.Shapes[0].File, 0
}

func annotate(b *strings.Builder, kind, at, title, message string) {
	fmt.Fprintf(b, "::%s %stitle=%s::%s\n", kind, at, property(title), data(message))
}

// data is text as the message of a command.
func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

// property is text as the value of a property of a command.
func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

// heading is a few words about a group.
func heading(g *waybill.PreviewGroup) string {
	if len(g.Risks) == 0 {
		return "Fleet preview"
	}
	return "Fleet preview, " + strings.Join(g.Risks, ", ")
}

// sentence tells of a group in one line: where it happens, and what the riskiest shape is, or else the commonest.
func sentence(g *waybill.PreviewGroup) string {
	s := &g.Shapes[0]
	text := title(g) + " (" + names(s.Clusters, textNames)
	if others := len(g.Shapes) - 1; others > 0 {
		var rest []string
		for _, other := range g.Shapes[1:] {
			rest = append(rest, other.Clusters...)
		}
		text += "; " + count(others, "other variant") + ": " + names(rest, textNames)
	}
	text += ")"
	if s.Says != "" {
		text += ". " + strings.TrimSuffix(says(s), ".")
	}
	for i, f := range s.Fields {
		switch i {
		case textShapes:
			return text + fmt.Sprintf("; … %s", count(len(s.Fields)-i, "more field"))
		case 0:
			text += ". "
		default:
			text += "; "
		}
		text += field(f)
	}
	return text + "."
}
