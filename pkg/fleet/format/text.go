package format

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/selection"
	"github.com/waybill-dev/waybill/pkg/style"
)

// Bounds of the text on a terminal without --all.
const (
	textGroups = 25
	textShapes = 4
	textFields = 8
	textNames  = 5
)

const everything = int(^uint(0) >> 1)

// writer writes lines within bounds, and counts what it leaves out.
type writer struct {
	strings.Builder
	colors                        style.Palette
	groups, shapes, fields, names int
	left                          bool
}

// Text writes p for a terminal, in the colours of out. Unless all is set it is bounded, and says what it leaves out.
func Text(out io.Writer, p *waybill.FleetPreview, all bool) error {
	w := &writer{colors: style.Of(out), groups: textGroups, shapes: textShapes, fields: textFields, names: textNames}
	if all {
		w.groups, w.shapes, w.fields, w.names = everything, everything, everything, everything
	}
	w.line("%s", w.colors.Paint(style.Heading, Headline(p)))
	w.movers(p)
	w.risks(p)
	shown, hidden := visibleGroups(p, all)
	bounded(w, "\n", shown, w.groups, "more group", func(_ int, g *waybill.PreviewGroup) { w.group(g) })
	if hidden > 0 {
		w.line("\n… %s about clusters that join or leave as a whole not shown", selection.Count(hidden, "group"))
	}
	if w.left || hidden > 0 {
		w.line("\nFor everything, use --all or -o json.")
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// visibleGroups are the groups to print. Changes because a cluster joins or leaves are printed once, above.
func visibleGroups(p *waybill.FleetPreview, all bool) (shown []waybill.PreviewGroup, hidden int) {
	if all {
		return p.Groups, 0
	}
	for _, g := range p.Groups {
		if g.With != "" {
			hidden++
		} else {
			shown = append(shown, g)
		}
	}
	return shown, hidden
}

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// bounded prints the first items, and counts the others.
func bounded[T any](w *writer, indent string, all []T, most int, what string, print func(int, *T)) {
	for i := range all[:min(len(all), most)] {
		print(i, &all[i])
	}
	if more := len(all) - most; more > 0 {
		w.line("%s… %s not shown", indent, selection.Count(more, what))
		w.left = true
	}
}

// movers prints the clusters that join and leave.
func (w *writer) movers(p *waybill.FleetPreview) {
	if s := p.Summary.Left; len(s) > 0 {
		w.line("%s", w.colors.Paint(style.Removed, fmt.Sprintf("Receiving nothing any more: %s.", Names(s, w.names))))
	}
	bounded(w, "  ", p.Summary.Leaving, w.shapes, "more group", func(_ int, l *waybill.PreviewLeaving) {
		w.line("  %s: %s", Names(l.Clusters, w.names), loss(l))
	})
	if s := p.Summary.Joined; len(s) > 0 {
		w.line("%s", w.colors.Paint(style.Added, fmt.Sprintf("Receiving something for the first time: %s.", Names(s, w.names))))
	}
}

// widestLevel is the width of the widest level of risk.
const widestLevel = len("medium")

func (w *writer) risks(p *waybill.FleetPreview) {
	if len(p.Risks) == 0 {
		return
	}
	w.line("\n%s", w.colors.Paint(style.Heading, "Risks:"))
	width := 0
	for _, r := range p.Risks {
		width = max(width, len(r.Name))
	}
	for _, r := range p.Risks {
		level := w.colors.Paint(style.Word(r.Level), r.Level) + strings.Repeat(" ", max(0, widestLevel-len(r.Level)))
		w.line("  %s  %-*s  %s: %s", level, width, r.Name, selection.Count(r.Clusters, "cluster"), r.Says)
	}
}

func (w *writer) group(g *waybill.PreviewGroup) {
	w.line("\n%s: %s%s%s", w.colors.Paint(style.Heading, object(g.Object)), w.colors.Paint(changeStyle(g), happened(g)), where(g),
		w.colors.Paint(style.Word(g.Level), riskSuffix(g.Level, g.Risks)))
	if len(g.Shapes) > w.shapes && differsEverywhere(g.Shapes) {
		w.oneExample(g)
		return
	}
	bounded(w, "  ", g.Shapes, w.shapes, "more variant", func(i int, s *waybill.PreviewShape) { w.shape(g, i, s) })
}

// changeStyle is the style of what happens to an object.
func changeStyle(g *waybill.PreviewGroup) style.Style {
	return cmp.Or(style.Word(g.Change), style.Changed)
}

// fieldStyle is the style of what happens to a field.
func fieldStyle(f *waybill.PreviewField) style.Style {
	switch {
	case f.From == nil && f.To != nil:
		return style.Added
	case f.From != nil && f.To == nil:
		return style.Removed
	}
	return cmp.Or(style.Word(f.Change), style.Changed)
}

func riskSuffix(level string, risks []string) string {
	if level == "" {
		return ""
	}
	return fmt.Sprintf("  [%s: %s]", level, strings.Join(risks, ", "))
}

// differsEverywhere reports whether the same fields change on every cluster, with the same risks, to another value on each.
func differsEverywhere(shapes []waybill.PreviewShape) bool {
	return len(shapes[0].Fields) > 0 && !slices.ContainsFunc(shapes, func(s waybill.PreviewShape) bool {
		return len(s.Clusters) > 1 || !slices.Equal(s.Risks, shapes[0].Risks)
	})
}

// oneExample prints such a group by one of its clusters.
func (w *writer) oneExample(g *waybill.PreviewGroup) {
	var clusters []string
	for _, s := range g.Shapes {
		clusters = append(clusters, s.Clusters...)
	}
	w.line("  different on each of %d clusters: %s", len(clusters), w.clusters(clusters))
	w.line("  for example on %s:", Names(clusters[:1], 1))
	w.left = true
	w.fieldsOf(&g.Shapes[0])
}

// shapeRisks are the risks of a shape, if they differ from the risks of its group.
func shapeRisks(g *waybill.PreviewGroup, s *waybill.PreviewShape) string {
	switch {
	case slices.Equal(g.Risks, s.Risks):
		return ""
	case len(s.Risks) == 0:
		return "  [ordinary]"
	}
	return "  [" + strings.Join(s.Risks, ", ") + "]"
}

func (w *writer) shape(g *waybill.PreviewGroup, i int, s *waybill.PreviewShape) {
	switch text := w.clusters(s.Clusters) + shapeRisks(g, s); {
	case len(g.Shapes) == 1 || g.Change == "added" || g.Change == "removed":
		w.line("  %s", text)
	case len(s.Clusters) == 1:
		w.line("  this one differs: %s", text)
	case i == 0:
		w.line("  the same on %d clusters: %s", len(s.Clusters), text)
	default:
		w.line("  these %d differ: %s", len(s.Clusters), text)
	}
	w.fieldsOf(s)
}

func (w *writer) fieldsOf(s *waybill.PreviewShape) {
	if s.Says != "" {
		w.line("    %s", says(s))
	}
	bounded(w, "    ", s.Fields, w.fields, "more field", func(_ int, f *waybill.PreviewField) {
		w.line("    %s", w.colors.Paint(fieldStyle(f), Field(*f)))
	})
}

func (w *writer) clusters(all []string) string {
	w.left = w.left || len(all) > w.names
	return Names(all, w.names)
}
