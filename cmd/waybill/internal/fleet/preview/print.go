package preview

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/format"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// grouped adds the API group to a kind that several groups of the preview have.
func grouped(p *waybillapi.FleetPreview) *waybillapi.FleetPreview {
	out := *p
	out.Groups = slices.Clone(p.Groups)
	var objects []*waybillapi.PreviewObject
	for i := range out.Groups {
		objects = append(objects, &out.Groups[i].Object)
	}
	format.AddGroups(objects)
	return &out
}

// Formats are the values of --output.
var Formats = []string{"text", "json", "yaml", "markdown", "sarif", "github"}

func (p *command) check() error {
	if p.output == "table" { // the name that other commands use
		p.output = "text"
	}
	if !slices.Contains(Formats, p.output) {
		return cli.Usagef("--output %q: want %s", p.output, strings.Join(Formats, ", "))
	}
	if p.all && p.output != "text" {
		return cli.Usagef("--all is for -o text; -o %s leaves nothing out", p.output)
	}
	return nil
}

func (p *command) print(w io.Writer, preview *waybillapi.FleetPreview) error {
	switch p.output {
	case "markdown":
		return format.Markdown(w, grouped(preview))
	case "sarif":
		return format.SARIF(w, preview)
	case "github":
		return format.Annotations(w, grouped(preview))
	case "json", "yaml":
		return cli.PrintSafe(w, p.output, preview)
	}
	return cli.WithoutCommands(w, func(w io.Writer) error { return format.Text(w, grouped(preview), p.all) })
}

// mostDuplicates limits how many duplicate works are named for each side.
const mostDuplicates = 3

// duplicates warns of works that stand in several files.
func duplicates(side string, f *fleet.Fleet) (out []string) {
	all := f.Duplicates()
	for i, t := range all {
		if i == mostDuplicates {
			return append(out, fmt.Sprintf("warning: %s: %d more works are in several files", side, len(all)-i))
		}
		out = append(out, safetext.Visible(fmt.Sprintf("warning: %s: work %s/%s is in %s: a cluster can have only one work of that name", side,
			t.Cluster, t.Work, strings.Join(t.Files, " and in "))))
	}
	return out
}
