package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/safetext"
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
		return format.Markdown(w, grouped(preview))
	case "sarif":
		return format.SARIF(w, preview)
	case "github":
		return format.Annotations(w, grouped(preview))
	case "json", "yaml":
		return printInert(w, p.output, preview)
	}
	return withoutCommands(w, func(w io.Writer) error { return format.Text(w, grouped(preview), p.all) })
}

// mostTwins is how many works that stand in several files are named for each side.
const mostTwins = 3

// twins warns of works of which there can be only one.
func twins(side string, f *fleet.Fleet) (out []string) {
	all := f.Duplicates()
	for i, t := range all {
		if i == mostTwins {
			return append(out, fmt.Sprintf("warning: %s: %d more works stand in several files", side, len(all)-i))
		}
		out = append(out, safetext.Visible(fmt.Sprintf("warning: %s: work %s/%s stands in %s: a cluster can have only one of that name", side,
			t.Cluster, t.Work, strings.Join(t.Files, " and in "))))
	}
	return out
}
