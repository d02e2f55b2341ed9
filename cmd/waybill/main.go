// Command waybill computes, previews and commits the configuration of fleets of Kubernetes
// clusters, as data, in Git. Run `waybill --help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// Exit codes, as the documentation promises them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
	// exitRefused: a change budget refused.
	exitRefused = 3
)

func main() {
	paceCollector(os.LookupEnv)
	boundHeap(os.LookupEnv)
	ctx := interruptible(func() { os.Exit(exitFailed) })
	os.Exit(execute(ctx, os.Args[1:], stoppable{ctx, os.Stdin}, os.Stdout, os.Stderr))
}

// execute runs one command line and returns its exit code.
func execute(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRootCommand()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	var silent *exitError
	if errors.As(err, &silent) && silent.err == nil {
		return silent.code
	}
	if interrupted(ctx, err) {
		err = errInterrupted
	}
	fmt.Fprintf(stderr, "error: %s\n", message(err))
	if silent != nil {
		return silent.code
	}
	return exitFailed
}

// message is what err says to people: one line, but for a pipeline that is invalid, of which field,
// value and reason have lines of their own, as in kpt.
func message(err error) string {
	var invalid *kptfile.InvalidError
	if !errors.As(err, &invalid) {
		return inert(oneLine(err))
	}
	before, after, _ := strings.Cut(err.Error(), invalid.Error())
	text := oneLine(errors.New(before)) + " Kptfile is invalid:\nField: `" + invalid.Field + "`"
	if invalid.Value != "" {
		text += "\nValue: " + strconv.Quote(invalid.Value)
	}
	text += "\nReason: " + oneLine(errors.New(invalid.Reason))
	if after = oneLine(errors.New(after)); after != "" {
		text += "\n" + after
	}
	return inert(strings.TrimPrefix(text, " "))
}

// oneLine is what err says, in one line: causes that come together, or in kpt's form of several
// lines, are set apart by semicolons.
func oneLine(err error) string {
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

// exitError is an error with an exit code of its own. Without err the command has said already
// what went wrong.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit status %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// usage makes err a usage error, which ends in exit code 2.
func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// usageArgs makes what a cobra argument check finds a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usage("%w; see '%s --help'", err, cmd.CommandPath())
		}
		return nil
	}
}

// noArgs refuses arguments to a command that takes none.
func noArgs(_ *cobra.Command, args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("this command takes no arguments, got %q", args[0])
	}
	return nil
}
