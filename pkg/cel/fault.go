package cel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common"
)

// maxFaults is how many bytes of faults an error has (the last fault may exceed it), and maxLine the
// longest line that is quoted.
const maxFaults, maxLine = 8 << 10, 16 << 10

// Fault is an error of the library about an expression.
type Fault struct {
	// Stage is "parse" or "check".
	Stage string
	// Errors are in the order of their places.
	Errors []*cel.Error
	text   string
}

// fault is nil if there are no issues.
func fault(stage, text string, issues *cel.Issues) error {
	errs := slices.Clone(issues.Errors())
	if len(errs) == 0 {
		return nil
	}
	slices.SortStableFunc(errs, func(a, b *cel.Error) int {
		return cmp.Or(cmp.Compare(a.Location.Line(), b.Location.Line()), cmp.Compare(a.Location.Column(), b.Location.Column()))
	})
	return &Fault{stage, errs, text}
}

// Error is the message of the library, with places, lines and arrows, up to a limit: the time that the
// library takes for it grows with the square of the length.
func (f *Fault) Error() string {
	var out strings.Builder
	source := common.NewTextSource("")
	if f.Errors[len(f.Errors)-1].Location.Line() > 0 {
		source = common.NewTextSource(f.text)
	}
	for i, e := range f.Errors {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "ERROR: <input>:%d:%d: %s", e.Location.Line(), e.Location.Column()+1, e.Message)
		if line, found := source.Snippet(e.Location.Line()); found && len(line) <= maxLine {
			point(&out, strings.ReplaceAll(line, "\t", " "), e.Location.Column())
		}
		if out.Len() > maxFaults {
			break
		}
	}
	return out.String()
}

// point writes a line and below it an arrow, with the width of the characters.
func point(out *strings.Builder, line string, column int) {
	out.WriteString("\n | " + line + "\n | ")
	for ; column > 0 && line != ""; column-- {
		_, size := utf8.DecodeRuneInString(line)
		out.WriteString(wide(size, ".", "\uff0e"))
		line = line[size:]
	}
	_, size := utf8.DecodeRuneInString(line)
	out.WriteString(wide(size, "^", "\uff3e"))
}

func wide(size int, narrow, wide string) string {
	if size > 1 {
		return wide
	}
	return narrow
}
