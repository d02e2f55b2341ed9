package tell

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// Bounds of what a terminal shows unless all is asked for.
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
	groups, shapes, fields, names int
	left                          bool
}

// Text writes p for a terminal. Unless all is asked for it is bounded, and says what it leaves out.
func Text(out io.Writer, p *waybill.FleetPreview, all bool) error {
	w := &writer{groups: textGroups, shapes: textShapes, fields: textFields, names: textNames}
	if all {
		w.groups, w.shapes, w.fields, w.names = everything, everything, everything, everything
	}
	w.line("%s", Headline(p))
	w.movers(p)
	w.risks(p)
	shown, hidden := told(p, all)
	for i := range shown {
		if i == w.groups {
			w.line("\n… %s not shown", count(len(shown)-i, "more group"))
			w.left = true
			break
		}
		w.group(&shown[i])
	}
	if hidden > 0 {
		w.line("\n… %s about clusters that join or leave as a whole not shown", count(hidden, "group"))
	}
	if w.left || hidden > 0 {
		w.line("\nAll of it: --all, or -o json.")
	}
	_, err := io.WriteString(out, w.String())
	return err
}

// told are the groups to tell of. What happens because a cluster joins or leaves is told of once, above.
func told(p *waybill.FleetPreview, all bool) (shown []waybill.PreviewGroup, hidden int) {
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

// movers tells which clusters join and leave.
func (w *writer) movers(p *waybill.FleetPreview) {
	if s := p.Summary.Left; len(s) > 0 {
		w.line("Receiving nothing any more: %s.", names(s, w.names))
	}
	if s := p.Summary.Joined; len(s) > 0 {
		w.line("Receiving something for the first time: %s.", names(s, w.names))
	}
}

func (w *writer) risks(p *waybill.FleetPreview) {
	if len(p.Risks) == 0 {
		return
	}
	w.line("\nRisks:")
	width := 0
	for _, r := range p.Risks {
		width = max(width, len(r.Name))
	}
	for _, r := range p.Risks {
		w.line("  %-6s  %-*s  %s: %s", r.Level, width, r.Name, count(r.Clusters, "cluster"), r.Says)
	}
}

func (w *writer) group(g *waybill.PreviewGroup) {
	w.line("\n%s", title(g)+marks(g.Level, g.Risks))
	if g.Change == "added" || g.Change == "removed" {
		w.line("  %s", w.clusters(g.Shapes[0].Clusters))
		return
	}
	for i, s := range g.Shapes {
		if i == w.shapes {
			w.line("  … %s not shown", count(len(g.Shapes)-i, "more variant"))
			w.left = true
			return
		}
		w.shape(g, i, &s)
	}
}

// marks are the risks of a group.
func marks(level string, risks []string) string {
	if level == "" {
		return ""
	}
	return fmt.Sprintf("  [%s: %s]", level, strings.Join(risks, ", "))
}

func (w *writer) shape(g *waybill.PreviewGroup, i int, s *waybill.PreviewShape) {
	switch {
	case len(g.Shapes) == 1:
		w.line("  %s", w.clusters(s.Clusters))
	case i == 0:
		w.line("  the same on %s: %s", count(len(s.Clusters), "cluster"), w.clusters(s.Clusters))
	case len(s.Clusters) == 1:
		w.line("  this one differs: %s", w.clusters(s.Clusters))
	default:
		w.line("  these %d differ: %s", len(s.Clusters), w.clusters(s.Clusters))
	}
	for j, f := range s.Fields {
		if j == w.fields {
			w.line("    … %s not shown", count(len(s.Fields)-j, "more field"))
			w.left = true
			return
		}
		w.line("    %s", field(f))
	}
}

func (w *writer) clusters(all []string) string {
	w.left = w.left || len(all) > w.names
	return names(all, w.names)
}
