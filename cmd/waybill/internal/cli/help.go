package cli

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/style"
)

// The narrowest and widest help on a terminal.
const (
	narrowestHelp = 40
	widestHelp    = 100
)

// SetHelp makes help fit the terminal, with headings that stand out. Where stdout is no terminal, help has the width of its source.
func SetHelp(root *cobra.Command) {
	plain := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		out := cmd.OutOrStdout()
		terminal, colors := Terminal(out), style.Of(out)
		if terminal == nil && !bool(colors) {
			plain(cmd, args)
			return
		}
		long, usage := strings.TrimRight(cmp.Or(cmd.Long, cmd.Short), " \n")+"\n\n", cmd.UsageString()
		if terminal != nil {
			width := min(max(columns(terminal), narrowestHelp), widestHelp)
			long, usage = fit(long, width), fitUsage(usage, width)
		}
		_, _ = io.WriteString(out, long+headings.ReplaceAllStringFunc(usage, func(head string) string {
			return colors.Paint(style.Heading, head)
		})) // as cobra does
	})
}

var headings = lazyregexp.New(`(?m)^[A-Z][A-Za-z ]*:$`)

// verbatim are the sections with command lines, which a user copies.
var verbatim = map[string]bool{"Usage:": true, "Aliases:": true, "Examples:": true}

// fitUsage wraps all sections but those with command lines.
func fitUsage(usage string, width int) string {
	var out strings.Builder
	keep := false
	for section := range strings.SplitSeq(usage, "\n\n") {
		if head, _, _ := strings.Cut(section, "\n"); headings.MatchString(head) { // examples have empty lines
			keep = verbatim[head]
		}
		if out.Len() > 0 {
			out.WriteString("\n\n")
		}
		if !keep {
			section = fit(section, width)
		}
		out.WriteString(section)
	}
	return out.String()
}

// fit wraps lines at width. It fills paragraphs, and the description of an item of a list below itself. Lines with a tab stay.
func fit(text string, width int) string {
	var out strings.Builder
	var p paragraph
	for line := range strings.Lines(text) {
		line, end := strings.TrimSuffix(line, "\n"), line[len(strings.TrimSuffix(line, "\n")):]
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "\t"):
			p.write(&out, width)
			p = paragraph{}
			out.WriteString(line + end)
		case p.continues(line):
			p.words, p.end = append(p.words, strings.Fields(line)...), end
		default:
			p.write(&out, width)
			p = p.next(line)
			p.end = end
		}
	}
	p.write(&out, width)
	return out.String()
}
