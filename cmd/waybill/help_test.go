package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/fn/fntest"
)

//go:generate go test . -run ^TestHelp$ -update

// commands are all commands, the root included.
func commands() []*cobra.Command {
	var out []*cobra.Command
	var walk func(*cobra.Command)
	walk = func(cmd *cobra.Command) {
		out = append(out, cmd)
		for _, sub := range cmd.Commands() {
			walk(sub)
		}
	}
	root := newRootCommand()
	root.InitDefaultHelpCmd()
	walk(root)
	return out
}

// TestHelp holds --help of every command to a file; no file is left over of a command that went.
func TestHelp(t *testing.T) {
	const dir = "testdata/help"
	var want, got []string
	for _, cmd := range commands() {
		path := strings.Fields(cmd.CommandPath())
		name := strings.Join(path, "_") + ".txt"
		want = append(want, name)
		r := runCLI(t, append(path[1:], "--help")...)
		if r.code != exitDone || r.stderr != "" {
			t.Fatalf("%s --help: exit code %d, stderr %q", cmd.CommandPath(), r.code, r.stderr)
		}
		checkGolden(t, filepath.Join(dir, name), r.stdout)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files in %s (-commands +files):\n%s", dir, diff)
	}
}

func checkGolden(t *testing.T, file, got string) {
	t.Helper()
	if *fntest.Update {
		writeFile(t, file, got, 0o644)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got); -update rewrites it:\n%s", file, diff)
	}
}

// TestHelpReads holds what help says to a form: it fits a terminal, flags say what they do, and
// every command that does something shows how.
func TestHelpReads(t *testing.T) {
	for _, cmd := range commands() {
		if strings.HasPrefix(cmd.CommandPath(), "waybill completion") {
			continue // cobra's
		}
		for line := range strings.Lines(cmd.Long + "\n" + cmd.Example) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n > 100 {
				t.Errorf("%s: a line of help is %d wide: %s", cmd.CommandPath(), n, line)
			}
		}
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") || len(cmd.Short) > 80 {
			t.Errorf("%s: %q is no short description", cmd.CommandPath(), cmd.Short)
		}
		if !cmd.HasSubCommands() && cmd.Example == "" {
			t.Errorf("%s has no example", cmd.CommandPath())
		}
	}
}

// TestExamplesParse takes the examples in help at their word: command, flags and arguments.
func TestExamplesParse(t *testing.T) {
	seen := 0
	for _, cmd := range commands() {
		for line := range strings.Lines(cmd.Example) {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			seen++
			if err := parses(line); err != nil {
				t.Errorf("%s: example %q: %v", cmd.CommandPath(), line, err)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d examples were found", seen)
	}
}
