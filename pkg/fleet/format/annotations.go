package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// mostAnnotations is how many annotations of each kind GitHub shows for a step.
const mostAnnotations = 10

// Annotations writes p as commands of a GitHub workflow: one notice about everything, then one annotation for each group,
// the riskiest first, up to the number that GitHub shows.
func Annotations(out io.Writer, p *waybill.FleetPreview) error {
	var b strings.Builder
	annotate(&b, "notice", "", "Fleet preview", Headline(p))
	for i, l := range p.Summary.Leaving {
		if i == textShapes {
			break
		}
		annotate(&b, "notice", "", "Fleet preview, clusters that leave", Names(l.Clusters, textNames)+": "+loss(&l))
	}
	left := map[string]int{"error": mostAnnotations, "warning": mostAnnotations,
		"notice": mostAnnotations - 2 - min(textShapes, len(p.Summary.Leaving))}
	silent := 0
	for i := range p.Groups {
		g := &p.Groups[i]
		kind := severity(g.Level, "notice")
		if left[kind] == 0 || kind == "notice" && g.With != "" {
			silent++
			continue
		}
		left[kind]--
		annotate(&b, kind, at(g), strings.Join(append([]string{"Fleet preview"}, g.Risks...), ", "), sentence(g))
	}
	if silent > 0 {
		annotate(&b, "notice", "", "Fleet preview", selection.Count(silent, "more group")+" of changes not annotated")
	}
	_, err := io.WriteString(out, b.String())
	return err
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

// place is the file with the cause of a group: the file that defines its object, or else the file that delivers it. Line 0
// is unknown.
func place(g *waybill.PreviewGroup) (file string, line int) {
	if g.Source != nil {
		return g.Source.File, g.Source.Line
	}
	return g.Shapes[0].File, 0
}

func annotate(b *strings.Builder, kind, at, title, message string) {
	fmt.Fprintf(b, "::%s %stitle=%s::%s\n", kind, at, property(title), data(message))
}

func data(text string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(text)
}

func property(text string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(data(text))
}

// sentence describes a group in one line: the clusters, and the riskiest or else the commonest shape.
func sentence(g *waybill.PreviewGroup) string {
	s := &g.Shapes[0]
	text := title(g) + " (" + Names(s.Clusters, textNames)
	if others := len(g.Shapes) - 1; others > 0 {
		var rest []string
		for _, other := range g.Shapes[1:] {
			rest = append(rest, other.Clusters...)
		}
		text += "; " + selection.Count(others, "other variant") + ": " + Names(rest, textNames)
	}
	text += ")"
	if s.Says != "" {
		text += ". " + strings.TrimSuffix(says(s), ".")
	}
	for i, f := range s.Fields {
		switch i {
		case textShapes:
			return text + fmt.Sprintf("; … %s", selection.Count(len(s.Fields)-i, "more field"))
		case 0:
			text += ". "
		default:
			text += "; "
		}
		text += Field(f)
	}
	return text + "."
}
