package cli

import (
	"errors"
	"strconv"
	"strings"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// Message is what err says to people: one line, but for a pipeline that is invalid, of which field,
// value and reason have lines of their own, as in kpt.
func Message(err error) string {
	var invalid *kptfile.InvalidError
	if !errors.As(err, &invalid) {
		return SafeText(OneLine(err))
	}
	before, after, _ := strings.Cut(err.Error(), invalid.Error())
	text := OneLine(errors.New(before)) + " Kptfile is invalid:\nField: `" + invalid.Field + "`"
	if invalid.Value != "" {
		text += "\nValue: " + strconv.Quote(invalid.Value)
	}
	text += "\nReason: " + OneLine(errors.New(invalid.Reason))
	if after = OneLine(errors.New(after)); after != "" {
		text += "\n" + after
	}
	return SafeText(strings.TrimPrefix(text, " "))
}

// OneLine is what err says, in one line: causes that come together, or in kpt's form of several
// lines, are set apart by semicolons.
func OneLine(err error) string {
	var b strings.Builder
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		switch said := b.String(); {
		case strings.HasSuffix(said, ":") || strings.HasSuffix(said, ";"):
			b.WriteString(" ")
		case said != "":
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}
