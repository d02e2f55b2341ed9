package main

import (
	"io"
	"slices"
	"strings"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/tell"
)

// previewFormats are the values of --output.
var previewFormats = []string{"text", "json", "yaml", "markdown", "sarif", "github"}

// check refuses what is wrong before any work is done.
func (p *fleetPreview) check() error {
	if p.output == "table" { // what the other commands call it
		p.output = "text"
	}
	if !slices.Contains(previewFormats, p.output) {
		return usage("--output %q: want %s", p.output, strings.Join(previewFormats, ", "))
	}
	if p.all && p.output != "text" {
		return usage("--all is about the text; -o %s is as long as it is", p.output)
	}
	return nil
}

// places reports whether it matters where the package says what objects are.
func (p *fleetPreview) places() bool { return p.output != "text" && p.output != "markdown" }

func (p *fleetPreview) print(w io.Writer, preview *waybillapi.FleetPreview) error {
	switch p.output {
	case "markdown":
		return tell.Markdown(w, preview)
	case "sarif":
		return tell.SARIF(w, preview)
	case "github":
		return tell.Annotations(w, preview)
	case "json", "yaml":
		return (&printer{format: p.output}).print(w, preview, nil, nil)
	}
	return tell.Text(w, preview, p.all)
}
