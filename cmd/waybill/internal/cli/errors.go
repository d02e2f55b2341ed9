package cli

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// Exit codes. The page docs/reference/exit-codes.md is made of these comments and of the help of commands.
const (
	// ExitDone: the command did what it says. With --exit-code: it found nothing to do, and no difference.
	ExitDone = 0
	// ExitFailed: the command failed; a line on stderr says why. With --exit-code: something differs, or was done.
	ExitFailed = 1
	// ExitUsage: the command line is wrong, and nothing was done. With --exit-code also: the command failed.
	ExitUsage = 2
	// ExitRefused: a change budget, or a limit such as --max-clusters, refused the change.
	ExitRefused = 3
)

// ExitError is an error with its own exit code. If Err is nil, the command has printed the reason already.
type ExitError struct {
	Code int
	Err  error
}

func (e *ExitError) Error() string {
	if e.Err == nil {
		return fmt.Sprintf("exit status %d", e.Code)
	}
	return e.Err.Error()
}

func (e *ExitError) Unwrap() error { return e.Err }

// Usagef returns a usage error, which ends the program with exit code 2.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// WithExitCode returns err with exit code 2 if the user set --exit-code, as 1 then means that something differs.
func WithExitCode(exitCode bool, err error) error {
	var coded *ExitError
	if err != nil && exitCode && !errors.As(err, &coded) {
		return &ExitError{Code: ExitUsage, Err: err}
	}
	return err
}

// Message returns the text of err in one line. As in kpt, the field, value and reason of an invalid pipeline have lines of
// their own.
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

// OneLine returns the text of err in one line; lines become clauses, separated by semicolons.
func OneLine(err error) string {
	var b strings.Builder
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		switch text := b.String(); {
		case strings.HasSuffix(text, ":") || strings.HasSuffix(text, ";"):
			b.WriteString(" ")
		case text != "":
			b.WriteString("; ")
		}
		b.WriteString(line)
	}
	return b.String()
}

// Warner returns a function that prints a warning on stderr, in one line.
func Warner(cmd *cobra.Command) func(text string) {
	return func(text string) {
		fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", SafeText(OneLine(errors.New(text))))
	}
}
