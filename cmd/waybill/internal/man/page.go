package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
)

// columns is the width of lists of flags, for terminals of 80 columns.
const columns = 72

var beyondASCII = lazyregexp.New(`[^\x00-\x7f]`)

// page makes manual pages in the language of man(7). cobra's own generator reads help as Markdown; Waybill's help is plain text,
// in which a * is a * and <NAME> is no HTML.
type page struct {
	version string
	date    time.Time
}

// of is the page of a command: its help, under the headings of manual pages.
func (p page) of(cmd *cobra.Command) []byte {
	var out strings.Builder
	name := pageName(cmd)
	fmt.Fprintf(&out, ".TH \"%s\" \"1\" \"%s\" \"waybill %s\" \"Waybill\"\n.nh\n.ad l\n",
		escape(strings.ToUpper(name)), p.date.Format(time.DateOnly), escape(p.version))
	section(&out, "NAME", escape(name)+" \\- "+escape(cmd.Short))
	section(&out, "SYNOPSIS", verbatim(cmd.UseLine()))
	section(&out, "DESCRIPTION", description(cmp.Or(cmd.Long, cmd.Short)))
	section(&out, "OPTIONS", flags(cmd.NonInheritedFlags()))
	section(&out, "GLOBAL OPTIONS", flags(cmd.InheritedFlags()))
	section(&out, "EXAMPLES", verbatim(cmd.Example))
	section(&out, "SEE ALSO", seeAlso(cmd))
	return []byte(out.String())
}

func section(out *strings.Builder, title, text string) {
	if text != "" {
		fmt.Fprintf(out, ".SH \"%s\"\n%s\n", title, text)
	}
}

// description fills paragraphs; lists and tables, which have indented lines or columns, keep their lines.
func description(text string) string {
	var parts []string
	for part := range strings.SplitSeq(strings.Trim(text, "\n"), "\n\n") {
		if strings.HasPrefix(part, " ") || strings.Contains(part, "\n ") || strings.Contains(part, "\t") || strings.Contains(part, "  ") {
			parts = append(parts, verbatim(part))
		} else {
			parts = append(parts, escape(part))
		}
	}
	return strings.Join(parts, "\n.PP\n")
}

func flags(set *pflag.FlagSet) string { return verbatim(set.FlagUsagesWrapped(columns)) }

func verbatim(text string) string {
	if text = strings.Trim(text, "\n"); text == "" {
		return ""
	}
	return ".nf\n" + escape(text) + "\n.fi"
}

// seeAlso names the command above, and those below.
func seeAlso(cmd *cobra.Command) string {
	var pages []string
	if cmd.HasParent() {
		pages = append(pages, "\\fB"+escape(pageName(cmd.Parent()))+"\\fP(1)")
	}
	for _, sub := range listed(cmd) {
		pages = append(pages, "\\fB"+escape(pageName(sub))+"\\fP(1)")
	}
	return strings.Join(pages, ",\n")
}

// listed are the commands that help lists, sorted by name.
func listed(cmd *cobra.Command) (out []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		if sub.IsAvailableCommand() {
			out = append(out, sub)
		}
	}
	return out
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

// escape keeps a text from being read as requests, which begin a line with a dot or an apostrophe, and writes it in ASCII.
func escape(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	text = beyondASCII.ReplaceAllStringFunc(text, func(char string) string { return fmt.Sprintf(`\[u%04X]`, []rune(char)[0]) })
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
