package cli

import (
	"errors"
	"fmt"
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

// Exit codes, as the documentation promises them.
const (
	ExitDone   = 0
	ExitFailed = 1
	ExitUsage  = 2
	// ExitRefused: a change budget refused.
	ExitRefused = 3
)

// ExitError is an error with an exit code of its own. Without err the command has said already
// what went wrong.
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

// Usagef makes err a usage error, which ends in exit code 2.
func Usagef(format string, args ...any) error {
	return &ExitError{Code: ExitUsage, Err: fmt.Errorf(format, args...)}
}

// WithExitCode makes what went wrong exit code 2 under --exit-code, where 1 says that something differs.
func WithExitCode(exitCode bool, err error) error {
	var coded *ExitError
	if err != nil && exitCode && !errors.As(err, &coded) {
		return &ExitError{Code: ExitUsage, Err: err}
	}
	return err
}
