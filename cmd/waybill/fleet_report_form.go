package main

import (
	"io"
	"path/filepath"
	"strings"

	"github.com/waybill-dev/waybill/pkg/fleet/graph"
	"github.com/waybill-dev/waybill/pkg/fleet/html"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
)

// drawn is what a report is about.
type drawn struct {
	name, side string
	index      *index.Index
}

// drawing writes a report.
type drawing func(io.Writer, drawn) error

func drawPage(w io.Writer, d drawn) error {
	return html.Write(w, d.index, html.Options{Name: d.name, Side: d.side})
}

func drawGraph(write func(io.Writer, *graph.Graph) error) drawing {
	return func(w io.Writer, d drawn) error { return write(w, graph.Of(d.index)) }
}

// form is what to draw, by --graph or else by the file's name.
func (r *fleetReport) form() (drawing, error) {
	switch r.graph {
	case "mermaid":
		return drawGraph(graph.Mermaid), nil
	case "markdown":
		return drawGraph(graph.Markdown), nil
	case "dot":
		return drawGraph(graph.DOT), nil
	case "":
	default:
		return nil, usage("--graph %q: want mermaid, dot or markdown", r.graph)
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
		return nil, usage("name the file to write, such as -o report.html, or ask for a graph: --graph mermaid")
	case "-":
		return drawPage, nil
	}
	return nil, usage("-o %q: want a name that ends in .html, .mmd, .md or .dot, or --graph", r.output)
}
