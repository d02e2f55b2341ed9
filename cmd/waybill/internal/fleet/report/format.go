package report

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/fleet/atlas"
	"github.com/waybill-dev/waybill/pkg/fleet/graph"
	"github.com/waybill-dev/waybill/pkg/fleet/page"
)

// drawn is the content of a report.
type drawn struct {
	name, side string
	index      *atlas.Atlas
}

// drawing writes a report in one format.
type drawing func(io.Writer, drawn) error

func drawPage(w io.Writer, d drawn) error {
	return page.Write(w, d.index, page.Options{Name: d.name, Side: d.side})
}

func drawGraph(write func(io.Writer, *graph.Graph) error) drawing {
	return func(w io.Writer, d drawn) error { return write(w, graph.Of(d.index)) }
}

// format returns the format that --graph or else the file name asks for.
func (r *command) format() (drawing, error) {
	switch r.graph {
	case "mermaid":
		return drawGraph(graph.Mermaid), nil
	case "markdown":
		return drawGraph(graph.Markdown), nil
	case "dot":
		return drawGraph(graph.DOT), nil
	case "":
	default:
		return nil, cli.Usagef("--graph %q: want mermaid, dot or markdown", r.graph)
	}
	switch strings.ToLower(filepath.Ext(r.output)) {
	case ".html", ".htm":
		return drawPage, nil
	case ".mmd":
		return drawGraph(graph.Mermaid), nil
	case ".md":
		return drawGraph(graph.Markdown), nil
	case ".dot", ".gv":
		return drawGraph(graph.DOT), nil
	}
	switch r.output {
	case "":
		return nil, cli.Usagef("name the file to write, such as -o report.html, or ask for a graph: --graph mermaid")
	case "-":
		return drawPage, nil
	}
	return nil, cli.Usagef("-o %q: want a name that ends in .html, .mmd, .md or .dot, or --graph", r.output)
}
