package cli

import (
	"errors"
	"fmt"
)

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
