package format

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/selection"
)

// MostMarkdown bounds the bytes of Markdown: GitHub accepts comments of 65,536 characters.
const MostMarkdown = 60_000

// Marker is the first line of the Markdown: scripts find and replace the comment by it. It is not shown.
const Marker = "<!-- waybill fleet preview -->"

// tailRoom is kept for the line that says what is left out.
const tailRoom = 200

// Markdown writes p as a comment on a pull request: risks first, then each group folded. It is bounded, and says what it
// leaves out.
func Markdown(out io.Writer, p *waybill.FleetPreview) error {
	w := &markdown{writer: writer{groups: everything, shapes: textShapes, fields: textFields, names: textNames}}
	w.line("%s\n### Fleet preview\n\n%s", Marker, Headline(p))
	if s := p.Summary.Left; len(s) > 0 {
		w.line("\nReceiving nothing any more: %s.", code(Names(s, textNames)))
		w.losses(p.Summary.Leaving)
	}
	if s := p.Summary.Joined; len(s) > 0 {
		w.line("\nReceiving something for the first time: %s.", code(Names(s, textNames)))
	}
	w.table(p.Risks)
	shown, movers := visibleGroups(p, false)
	hidden := 0
	for i := range shown {
		text := details(&shown[i])
		if w.Len()+len(text)+tailRoom > MostMarkdown {
			hidden = len(shown) - i
			break
		}
		w.WriteString(text)
	}
	if hidden > 0 {
		w.line("\n%s not shown here.", selection.Count(hidden, "more group"))
	}
	if movers > 0 {
		w.line("\n%s about clusters that join or leave as a whole not shown here.", selection.Count(movers, "group"))
	}
	_, err := io.WriteString(out, w.String())
	return err
}

type markdown struct{ writer }

func (w *markdown) losses(all []waybill.PreviewLeaving) {
	w.line("")
	for i, l := range all {
		if i == textShapes {
			w.line("- … %s", selection.Count(len(all)-i, "more group"))
			return
		}
		w.line("- %s: %s", code(Names(l.Clusters, textNames)), code(loss(&l)))
	}
}

func (w *markdown) table(risks []waybill.PreviewRisk) {
	if len(risks) == 0 {
		return
	}
	w.line("\n| | risk | clusters | |\n|---|---|--:|---|")
	for _, r := range risks {
		w.line("| %s | %s | %d | %s |", r.Level, r.Name, r.Clusters, r.Says)
	}
}

func details(g *waybill.PreviewGroup) string {
	w := &markdown{}
	w.line("\n<details><summary>%s</summary>\n", code(title(g))+strings.ReplaceAll(riskSuffix(g.Level, g.Risks), "  ", " "))
	for i, s := range g.Shapes {
		if i == textShapes {
			w.line("… %s", selection.Count(len(g.Shapes)-i, "more variant"))
			break
		}
		switch {
		case len(g.Shapes) == 1:
			w.line("%s\n", code(Names(s.Clusters, textNames)))
		case i == 0:
			w.line("The same on %s: %s\n", selection.Count(len(s.Clusters), "cluster"), code(Names(s.Clusters, textNames)))
		default:
			w.line("Different on %s: %s\n", selection.Count(len(s.Clusters), "cluster"), code(Names(s.Clusters, textNames)))
		}
		if s.Says != "" {
			w.line("%s\n", code(says(&s)))
		}
		w.fieldList(s.Fields)
	}
	w.line("</details>")
	return w.String()
}

func (w *markdown) fieldList(fields []waybill.PreviewField) {
	for j, f := range fields {
		if j == textFields {
			w.line("- … %s", selection.Count(len(fields)-j, "more field"))
			break
		}
		w.line("- %s", code(Field(f)))
	}
	if len(fields) > 0 {
		w.line("")
	}
}

// code is text as code, in which GitHub finds no mentions. Characters that could be markup are written by number, as
// Markdown within HTML is Markdown.
func code(text string) string {
	var b strings.Builder
	b.WriteString("<code>")
	for _, r := range text {
		switch {
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == ' ' || r == '/' || r == '-' ||
			r == '.' || r == ',' || r > '~':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "&#%d;", r)
		}
	}
	b.WriteString("</code>")
	return b.String()
}
