package main

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/style"
)

// TestHelpFits wraps the help of every command at the width of the terminal, from 40 to 100 columns, and loses no word. Command lines
// stay as they are.
func TestHelpFits(t *testing.T) {
	t.Setenv("TERM", "xterm")
	for columns, most := range map[uint16]int{20: 40, 40: 40, 80: 80, 200: 100} {
		for _, cmd := range commands() {
			args := append(strings.Fields(cmd.CommandPath())[1:], "--help")
			plain, fitted := runCLI(t, args...), style.Plain(runOnTerminals(t, columns, true, false, args...).stdout)
			if diff := cmp.Diff(strings.Fields(plain.stdout), strings.Fields(fitted)); diff != "" {
				t.Errorf("%q at %d columns: words (-plain +fitted):\n%s", args, columns, diff)
			}
			if diff := cmp.Diff(commandLines(plain.stdout), commandLines(fitted)); diff != "" {
				t.Errorf("%q at %d columns: command lines (-plain +fitted):\n%s", args, columns, diff)
			}
			for line := range strings.SplitSeq(commandSections.ReplaceAllString(fitted, ""), "\n") {
				if words := len(strings.Fields(line)); utf8.RuneCountInString(line) > most && words > 1 && !oneFlag.MatchString(line) &&
					!strings.HasPrefix(line, "\t") {
					t.Errorf("%q at %d columns: a line is wider than %d: %q", args, columns, most, line)
				}
			}
		}
	}
}

var (
	commandSections = regexp.MustCompile(`(?m)^(Usage|Aliases|Examples):\n((  .*)?\n)*`)
	oneFlag         = regexp.MustCompile(`^ +(-\w, )?--[\w-]+ \S+$`) // a flag and its value are not parted
)

func commandLines(help string) []string { return commandSections.FindAllString(help, -1) }
