package cli

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/style"
)

// TestPalette decides about colours by the flag, then by the environment, then by the output.
func TestPalette(t *testing.T) {
	for name, tc := range map[string]struct {
		mode     string
		terminal bool
		env      map[string]string
		want     style.Palette
	}{
		"Terminal":         {"auto", true, map[string]string{"TERM": "xterm"}, true},
		"Pipe":             {"auto", false, map[string]string{"TERM": "xterm"}, false},
		"NO_COLOR":         {"auto", true, map[string]string{"TERM": "xterm", "NO_COLOR": "0"}, false},
		"Empty NO_COLOR":   {"auto", true, map[string]string{"TERM": "xterm", "NO_COLOR": ""}, true},
		"Dumb":             {"auto", true, map[string]string{"TERM": "dumb"}, false},
		"Unknown terminal": {"auto", true, nil, false},
		"Always":           {"always", false, map[string]string{"NO_COLOR": "1", "TERM": "dumb"}, true},
		"Never":            {"never", true, map[string]string{"TERM": "xterm"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			if got := palette(tc.mode, tc.terminal, func(name string) string { return tc.env[name] }); got != tc.want {
				t.Errorf("got %v", got)
			}
		})
	}
}

// TestPaintedTable colours a header and the words that judge, and moves no column.
func TestPaintedTable(t *testing.T) {
	header := []string{"NAME", "ACTION", "OP STATE", "STATE"}
	rows := [][]string{
		{"créé", "would be created", "failed", "done"},
		{"a", "failed", "x", "ordinary"},
		{"cut\nhere", "", "", "Missing"},
	}
	p := Printer{Format: "table"}
	var plain, painted strings.Builder
	if err := p.Print(&plain, nil, header, rows); err != nil {
		t.Fatal(err)
	}
	if err := p.Print(style.On(&painted, true), nil, header, rows); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(plain.String(), style.Plain(painted.String())); diff != "" {
		t.Errorf("columns move (-plain +painted):\n%s", diff)
	}
	for _, want := range []string{"\x1b[1mNAME ", "   \x1b[32mwould be created\x1b[0m   failed     \x1b[32mdone\x1b[0m\n", "\x1b[1;31mfailed\x1b[0m   "} {
		if !strings.Contains(painted.String(), want) {
			t.Errorf("no %q in:\n%q", want, painted.String())
		}
	}
}

// TestPaintedMessages colours what messages begin with, at the start of lines only, whatever pieces they come in.
func TestPaintedMessages(t *testing.T) {
	var b strings.Builder
	m := &messages{stream: stream{&b, nil, func() string { return "always" }}, fresh: true}
	for _, text := range []string{"error: a\n    [warning]: b\n", "no error: ", "error: c\nwarning: d\n", "", "[PASS] \"e\"\n", "\"warning: f\"\n"} {
		if n, err := m.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
	}
	const want = "\x1b[1;31merror:\x1b[0m a\n    \x1b[1;33m[warning]\x1b[0m: b\nno error: error: c\n\x1b[1;33mwarning:\x1b[0m d\n" +
		"\x1b[32m[PASS]\x1b[0m \"e\"\n\"warning: f\"\n"
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestCommandsInColours changes what a CI system would act on, also behind a colour.
func TestCommandsInColours(t *testing.T) {
	for text, want := range map[string]string{
		"  \x1b[32m::error::x\x1b[0m\n": "  \x1b[32m\\u003a:error::x\x1b[0m\n",
		"\x1b[2m \x1b[0m::x\n":          "\x1b[2m \x1b[0m\\u003a:x\n",
		"a ::x\n":                       "a ::x\n",
	} {
		var b strings.Builder
		if err := WithoutCommands(&b, writes(text)); err != nil || b.String() != want {
			t.Errorf("%q: got %q, %v", text, b.String(), err)
		}
	}
}
