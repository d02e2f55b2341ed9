package report

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/graph"
	"github.com/waybill-dev/waybill/pkg/fleet/html"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
)

// drawn is the content of a report.
type drawn struct {
	name, side string
	index      *index.Index
	refused    []string
}

// drawing writes a report in one format.
type drawing func(io.Writer, drawn) error

func drawPage(w io.Writer, d drawn) error {
	return html.Write(w, d.index, html.Options{Name: d.name, Side: d.side, Refused: d.refused})
}

func drawGraph(write func(io.Writer, *graph.Graph) error) drawing {
	return func(w io.Writer, d drawn) error { return write(w, graph.Of(d.index)) }
}

// Formats by the value of --graph, and by the ending of the file's name.
var (
	graphFormats = map[string]drawing{
		"mermaid": drawGraph(graph.Mermaid), "markdown": drawGraph(graph.Markdown), "dot": drawGraph(graph.DOT),
	}
	fileFormats = map[string]drawing{
		".html": drawPage, ".htm": drawPage, ".mmd": drawGraph(graph.Mermaid), ".md": drawGraph(graph.Markdown),
		".dot": drawGraph(graph.DOT), ".gv": drawGraph(graph.DOT),
	}
)

// format returns the format that --graph or else the file name asks for.
func (r *command) format() (drawing, error) {
	if r.graph != "" {
		if draw, ok := graphFormats[r.graph]; ok {
			return draw, nil
		}
		return nil, cli.Usagef("--graph %q: want mermaid, dot or markdown", r.graph)
	}
	if draw, ok := fileFormats[strings.ToLower(filepath.Ext(r.output))]; ok {
		return draw, nil
	}
	switch r.output {
	case "":
		return nil, cli.Usagef("name the file to write, such as -o report.html, or ask for a graph: --graph mermaid")
	case "-":
		return drawPage, nil
	}
	return nil, cli.Usagef("-o %q: want a name that ends in .html, .mmd, .md or .dot, or --graph", r.output)
}
