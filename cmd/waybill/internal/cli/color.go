package cli

import (
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/style"
)

// colorFlag is the name of the flag that says whether output is coloured.
const colorFlag = "color"

// Values of --color.
const (
	colorAuto   = "auto"
	colorAlways = "always"
	colorNever  = "never"
)

// AddColor adds --color to all commands.
func AddColor(root *cobra.Command) {
	mode, values := colorAuto, []string{colorAuto, colorAlways, colorNever}
	root.PersistentFlags().Var(choice{&mode, colorFlag, "auto, always or never", values}, colorFlag,
		"when to use colours: auto, always or never; auto is on a terminal, unless NO_COLOR is set or TERM is dumb")
	if err := root.RegisterFlagCompletionFunc(colorFlag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic(err) // the flag was just added
	}
}

// SetOutputs makes root print to stdout and stderr, each in colours if --color and the environment want that.
func SetOutputs(root *cobra.Command, stdout, stderr io.Writer) {
	mode := func() string { return root.PersistentFlags().Lookup(colorFlag).Value.String() }
	root.SetOut(&stream{stdout, Terminal(stdout), mode})
	root.SetErr(&messages{stream: stream{stderr, Terminal(stderr), mode}, fresh: true})
}

// stream is an output whose palette is known once the flags are parsed.
type stream struct {
	io.Writer
	terminal *os.File // nil if it is none
	mode     func() string
}

// Palette implements the interface that style.Of asks for.
func (s *stream) Palette() style.Palette { return palette(s.mode(), s.terminal != nil, os.Getenv) }

func (s *stream) file() *os.File { return s.terminal }

func palette(mode string, terminal bool, env func(string) string) style.Palette {
	if mode != colorAuto {
		return mode == colorAlways
	}
	return style.Palette(terminal && env("NO_COLOR") == "" && !isDumb(env("TERM")))
}

// isDumb reports whether a terminal of this type acts on no escape codes.
func isDumb(term string) bool { return term == "" || term == "dumb" }

// judging are the headers of columns whose words are coloured.
var judging = map[string]bool{"ACTION": true, "CHANGE": true, "OP": true, "STATE": true}

// paintTable paints the header of a table, and the words that judge. The table is laid out already, so codes move no column.
func paintTable(p style.Palette, header []string, table string) string {
	head, body, _ := strings.Cut(table, "\n")
	var columns []int
	at := 0
	for _, name := range header {
		at += strings.Index(head[at:], name)
		if judging[name] {
			columns = append([]int{at}, columns...) // from the right, so that codes move none that follows
		}
		at += len(name)
	}
	var out strings.Builder
	out.WriteString(p.Paint(style.Heading, head) + "\n")
	for line := range strings.Lines(body) {
		for _, column := range columns {
			line = paintCell(p, line, column)
		}
		out.WriteString(line)
	}
	return out.String()
}

// paintCell paints the cell that begins at a column, if its last word judges.
func paintCell(p style.Palette, line string, column int) string {
	runes := []rune(line)
	if column >= len(runes) {
		return line
	}
	before, cell := string(runes[:column]), strings.TrimSuffix(string(runes[column:]), "\n")
	if end := strings.Index(cell, "  "); end >= 0 {
		cell = cell[:end]
	}
	rest := line[len(before)+len(cell):]
	return before + p.Paint(style.Word(cell[strings.LastIndex(cell, " ")+1:]), cell) + rest
}
