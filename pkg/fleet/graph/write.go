package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

// escaped replaces each character that is neither a letter, a digit nor one of plain.
func escaped(text, plain string, escape func(r rune) string) string {
	var b strings.Builder
	for _, r := range text {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(plain, r) {
			b.WriteRune(r)
		} else {
			b.WriteString(escape(r))
		}
	}
	return b.String()
}

// inMermaid is a label between quotes. Characters that may mean something in Mermaid, Markdown or HTML are entity codes.
func inMermaid(label string) string {
	return escaped(safetext.Middle(label, longest), " -./:,", func(r rune) string { return fmt.Sprintf("#%d;", r) })
}

// inDOT is a label between quotes, where a backslash and an ampersand begin escapes.
func inDOT(label string) string {
	return strings.NewReplacer(`\`, `\\`, `"`, `\"`, "&", "&amp;").Replace(safetext.Middle(label, longest))
}

// strokes are the colours of what changes, by level.
var strokes = map[string]string{"": "#2a5580", "low": "#2a5580", "medium": "#b36b00", "high": "#a1161c"}

// changeMark is what the label of a node that changes begins with.
func changeMark(n Node) string {
	if !n.Changed {
		return ""
	}
	return strings.TrimSpace("± "+n.Level) + " "
}

// Mermaid writes a flowchart.
func Mermaid(out io.Writer, g *Graph) error {
	_, err := io.WriteString(out, mermaid(g))
	return err
}

var boxes = map[Role][2]string{Policy: {`(["`, `"])`}, Object: {`["`, `"]`}, Clusters: {`[["`, `"]]`}}

func mermaid(g *Graph) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, says := range g.Folded {
		fmt.Fprintf(&b, "  %%%% %s\n", says)
	}
	for _, n := range g.Nodes {
		fmt.Fprintf(&b, "  %s%s%s%s\n", n.Name, boxes[n.Role][0], changeMark(n)+inMermaid(n.Label), boxes[n.Role][1])
	}
	for _, n := range g.Nodes {
		if n.Changed {
			fmt.Fprintf(&b, "  style %s stroke:%s,stroke-width:3px\n", n.Name, strokes[n.Level])
		}
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %s --> %s\n", e.From, e.To)
	}
	return b.String()
}

// Markdown writes the flowchart as a block of a document, and below it what was folded.
func Markdown(out io.Writer, g *Graph) error {
	text := "```mermaid\n" + mermaid(g) + "```\n"
	for i, says := range g.Folded {
		if i == 0 {
			text += "\n"
		}
		text += "* " + says + "\n"
	}
	_, err := io.WriteString(out, text)
	return err
}

var shapes = map[Role]string{Policy: "ellipse", Object: "box", Clusters: "box3d"}

// DOT writes a digraph for Graphviz.
func DOT(out io.Writer, g *Graph) error {
	var b strings.Builder
	b.WriteString("digraph fleet {\n  charset=\"UTF-8\";\n  rankdir=LR;\n")
	for _, says := range g.Folded {
		fmt.Fprintf(&b, "  // %s\n", says)
	}
	for _, n := range g.Nodes {
		style := ""
		if n.Changed {
			style = fmt.Sprintf(", color=\"%s\", penwidth=3", strokes[n.Level])
		}
		fmt.Fprintf(&b, "  %s [shape=%s, label=\"%s\"%s];\n", n.Name, shapes[n.Role], changeMark(n)+inDOT(n.Label), style)
	}
	for _, e := range g.Edges {
		fmt.Fprintf(&b, "  %s -> %s;\n", e.From, e.To)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(out, b.String())
	return err
}
