package main

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/render"
)

// renderProgress tells what a render does, in the words of kpt.
type renderProgress struct {
	out   io.Writer
	began time.Time
}

func (p *renderProgress) observe(e render.Event) {
	switch {
	case e.Step == nil:
		fmt.Fprintf(p.out, "Package %q:\n", e.Package)
	case !e.Done:
		p.began = time.Now()
		on := ""
		if e.Step.Selected >= 0 {
			on = fmt.Sprintf(" on %d resource(s)", e.Step.Selected)
		}
		fmt.Fprintf(p.out, "[RUNNING] %q%s (%s)\n", e.Step.Title(), on, e.Step.Runner)
	default:
		p.done(e.Step)
	}
}

func (p *renderProgress) done(s *render.Step) {
	word := "PASS"
	if s.Err != nil {
		word = "FAIL"
	}
	fmt.Fprintf(p.out, "[%s] %q in %s\n", word, s.Title(), time.Since(p.began).Round(100*time.Millisecond))
	p.results(s)
	if s.Err == nil {
		return
	}
	if s.Stderr != "" {
		fmt.Fprintf(p.out, "  Stderr:\n    %s\n", strings.ReplaceAll(strings.TrimSpace(s.Stderr), "\n", "\n    "))
	}
	if s.ExitCode != 0 {
		fmt.Fprintf(p.out, "  Exit code: %d\n", s.ExitCode)
	}
}

func (p *renderProgress) results(s *render.Step) {
	if len(s.Results) > 0 {
		fmt.Fprintln(p.out, "  Results:")
	}
	for _, r := range s.Results {
		fmt.Fprintf(p.out, "    %s\n", resultLine(r))
		if r.Severity == sdk.Error && s.Err == nil {
			fmt.Fprintf(p.out, "    [warning]: %q reported an error and exited with status 0, which passes\n", s.Title())
		}
	}
}

// resultLine is a result as kpt prints it, and the file it is about, which kpt keeps to itself.
func resultLine(r *sdk.Result) string {
	line := fmt.Sprintf("[%s]", cmp.Or(r.Severity, sdk.Info))
	if ref := r.ResourceRef; ref != nil {
		line += " " + path.Join(ref.APIVersion, ref.Kind, ref.Namespace, ref.Name)
	}
	if r.File != nil && r.File.Path != "" {
		line += " (" + r.File.Path + ")"
	}
	if r.Field != nil && r.Field.Path != "" {
		line += " " + r.Field.Path
	}
	return line + ": " + strings.Join(strings.Fields(r.Message), " ")
}

func (p *renderProgress) summary(functions, packages int) {
	fmt.Fprintf(p.out, "Successfully executed %d function(s) in %d package(s).\n", functions, packages)
}
