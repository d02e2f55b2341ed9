package root

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

// placeholder stands in for `waybill controller`, which another package has.
var placeholder = Parts{Controller: func() *cobra.Command {
	return &cobra.Command{Use: "controller", Run: func(*cobra.Command, []string) {}}
}}

// TestGroupNames holds the names of groups to those of their commands.
func TestGroupNames(t *testing.T) {
	for _, g := range groups(placeholder) {
		if got := g.make().Name(); got != g.name {
			t.Errorf("group %q makes the command %q", g.name, got)
		}
	}
}

// TestCommandFor finds every command that runs as in the whole tree, with the same help and the same flags, and without other groups.
func TestCommandFor(t *testing.T) {
	var leaves int
	var walk func(*cobra.Command)
	walk = func(want *cobra.Command) {
		for _, sub := range want.Commands() {
			walk(sub)
		}
		args := strings.Fields(want.CommandPath())[1:]
		if want.HasSubCommands() || !want.HasParent() || args[0] == "completion" || args[0] == "help" {
			return
		}
		leaves++
		root := commandFor(placeholder, args)
		got, rest, err := root.Find(args)
		if err != nil || len(rest) > 0 || len(root.Commands()) != 1 {
			t.Fatalf("%v: %v, %v, %d groups", args, rest, err, len(root.Commands()))
		}
		if diff := cmp.Diff(want.Long+want.UsageString(), got.Long+got.UsageString()); diff != "" {
			t.Errorf("%v (-whole tree +its own group):\n%s", args, diff)
		}
	}
	walk(NewCommand(placeholder))
	if leaves < 40 {
		t.Errorf("there are only %d commands", leaves)
	}
}

// TestCommandForAll makes all commands for what lists or proposes commands, and for what is none.
func TestCommandForAll(t *testing.T) {
	for _, line := range []string{"", "fn", "fn --help", "--help", "--version", "help fn render", "fn rendr", "fn status", "completion bash",
		"__complete fn re", "--color never fn render", "unknown"} {
		if got := len(commandFor(placeholder, strings.Fields(line)).Commands()); got < len(groups(placeholder)) {
			t.Errorf("%q: %d groups", line, got)
		}
	}
}
