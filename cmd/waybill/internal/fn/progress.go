package fn

import (
	"cmp"
	"fmt"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/render"
)

// renderProgress prints the steps of a render as kpt does.
type renderProgress struct {
	out      io.Writer
	truncate bool // print at most four lines of what a function prints
}

func (p *renderProgress) observe(e render.Event) {
	switch {
	case e.Step == nil:
		fmt.Fprintf(p.out, "Package %q:\n", e.Package)
	case !e.Done:
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
	fmt.Fprintf(p.out, "[%s] %q in %s\n", word, s.Title(), s.Took.Round(100*time.Millisecond))
	p.results(s)
	p.stderr(s.Stderr)
	if s.Err != nil && s.ExitCode != 0 {
		fmt.Fprintf(p.out, "  Exit code: %d\n", s.ExitCode)
	}
}

// stderr prints what a function wrote to stderr, quoted as in kpt, so that it cannot act on the terminal.
func (p *renderProgress) stderr(text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	lines := strings.Split(strings.TrimRight(text, "\r\n"), "\n")
	for i, line := range lines {
		lines[i] = strconv.Quote(strings.TrimSuffix(line, "\r"))
	}
	fmt.Fprintln(p.out, "  Stderr:")
	p.lines(lines)
}

func (p *renderProgress) results(s *render.Step) {
	if len(s.Results) > 0 {
		fmt.Fprintln(p.out, "  Results:")
	}
	var lines []string
	for _, r := range s.Results {
		lines = append(lines, resultLine(r))
		if r.Severity == sdk.Error && s.Err == nil {
			lines = append(lines, fmt.Sprintf("[warning]: %q reported an error and exited with status 0, which passes", s.Title()))
		}
	}
	p.lines(lines)
}

func (p *renderProgress) lines(lines []string) {
	const most = 4
	for i, line := range lines {
		if p.truncate && i == most {
			fmt.Fprintf(p.out, "    ...(%d line(s) truncated, use '--truncate-output=false' to disable)\n", len(lines)-most)
			return
		}
		fmt.Fprintf(p.out, "    %s\n", line)
	}
}

// resultLine formats a result as kpt does, and adds the file.
func resultLine(r *sdk.Result) string {
	line := fmt.Sprintf("[%s]", cmp.Or(r.Severity, sdk.Info))
	if ref := r.ResourceRef; ref != nil {
		line += " " + path.Join(ref.APIVersion, ref.Kind, ref.Namespace, ref.Name)
	}
	if r.File != nil && r.File.Path != "" {
		line += " (" + r.File.Path + ")"
	}
	message := strings.Join(strings.Fields(r.Message), " ")
	if r.Field != nil && r.Field.Path != "" {
		line += " " + r.Field.Path
		message = strings.TrimPrefix(message, r.Field.Path+": ") // many messages begin with it
	}
	return cli.SafeText(line + ": " + message)
}

// partial prints how far a failed render got, if the package keeps that.
func (p *renderProgress) partial(result *render.Result) {
	passed := slices.DeleteFunc(slices.Clone(result.Steps), func(s render.Step) bool { return s.Err != nil })
	if len(passed) == 0 {
		fmt.Fprintf(p.out, "Failed to execute any functions in %d package(s).\n", result.Packages)
		return
	}
	fmt.Fprintf(p.out, "Partially executed %d function(s) in %d package(s).\n", len(passed), result.Packages)
}
