// Package runner runs the functions of a pipeline: linked in-process, as executables, or
// in containers.
//
// Shape: a Factory prepares a Runner from a Kptfile's function entry; a Runner takes items and
// returns items. All kinds return the same items, byte for byte, for the same function: data that crosses a
// process boundary goes through Exchange, which uses the ResourceList protocol and restores
// what the protocol loses (comments, field order, the identity of unchanged objects).
// Cost: in-process nothing is copied; a process costs one encoding of its items, which is in memory
// once, and one parse of the items that come back with another text. The format is restored in one walk.
// Errors: a *Failure says how a function failed: its results, its stderr, its exit status.
// Source: the KRM Functions Specification, and what kpt adds to it between calls; for the format of
// changed items kyaml's CopyComments and SyncOrder, which have the same result.
package runner

import (
	"context"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Runner runs one function. It leaves the input and its objects unchanged.
type Runner interface {
	// Run runs the function on in. If the function fails, the error is a *Failure; any other error means
	// that it could not be run or violated the protocol.
	Run(ctx context.Context, in *fn.Input) (*Output, error)
	// Kind says how the function is run: "in-process", "exec", "podman", "docker", "nerdctl".
	Kind() string
}

// Identified is a Runner whose function may have an identity.
type Identified interface {
	// Identity is equal only for functions that give the same output for the same input, as long as
	// this program is the same; empty when that is not known.
	Identity() string
}

// FileReader is a Runner whose function reads files of the package.
type FileReader interface {
	// FilePaths are the files and folders that it reads with this config, nil for none; see fn.Function.Files.
	FilePaths(config *krm.Object) ([]string, error)
}

// Output is the output of a function that succeeded.
type Output struct {
	fn.Output
	Stderr string
	// Outside says that the output depends on more than the Runner's Identity: on functions that this one
	// called.
	Outside bool
}

// Factory prepares a Runner without running it: it refuses what is not allowed and resolves
// the image.
type Factory interface {
	Prepare(ctx context.Context, f *kptfilev1.Function) (Runner, error)
}

// Failure says that a function ran and failed.
type Failure struct {
	Results  sdk.Results
	Stderr   string
	ExitCode int
}

func (e *Failure) Error() string {
	var parts []string
	for _, r := range e.Results {
		if r.Severity == sdk.Error {
			parts = append(parts, strings.TrimPrefix(fn.FormatResult(r), "[error] "))
		}
	}
	if len(parts) == 0 {
		if text := LastLine(e.Stderr); text != "" {
			parts = append(parts, text)
		}
		parts = append(parts, fmt.Sprintf("exit status %d", e.ExitCode))
	}
	return strings.Join(parts, "; ")
}

// OutputError says that a function ran, and that its output is refused.
type OutputError struct{ Err error }

func (e *OutputError) Error() string { return e.Err.Error() }

func (e *OutputError) Unwrap() error { return e.Err }

// SilentError says that a function exited with status 0 and printed nothing, not even an empty list. It wraps an *OutputError.
type SilentError struct {
	Stderr string
	Err    error
}

func (e *SilentError) Error() string { return e.Err.Error() }

func (e *SilentError) Unwrap() error { return e.Err }

// maxLine bounds the part of a line that a message shows.
const maxLine = 1000

// LastLine is the part of a program's stderr for a message: its last line that is not blank, truncated if it
// is very long, without control characters.
func LastLine(stderr string) string {
	line := strings.TrimSpace(stderr)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if len(line) > maxLine {
		line = line[:maxLine] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, line)
}
