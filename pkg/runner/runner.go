// Package runner is how a function of a pipeline is run: linked in-process, as an executable, or
// in a container.
//
// Shape: a Factory prepares a Runner from a Kptfile's function entry; a Runner takes items and
// gives items. All kinds give the same items, to the byte, for the same function: what crosses a
// process boundary goes through Exchange, which speaks the ResourceList protocol and puts back
// what the boundary loses (comments, field order, the identity of unchanged objects).
// Cost: in-process nothing is copied; a process costs one encode of its items, which is in memory
// once, and one parse of those that do not come back to the byte. Form is put back in one walk.
// Errors: a *Failure tells how a function failed: its results, its stderr, its exit status.
// Source: the KRM Functions Specification, and what kpt adds to it between calls; for the form of
// changed items kyaml's CopyComments and SyncOrder, whose result ours equals.
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
)

// Runner runs one function. It leaves the input and its objects unchanged.
type Runner interface {
	// Run gives the function in. A function that failed is a *Failure; any other error means
	// that it could not be run or did not keep to the protocol.
	Run(ctx context.Context, in *fn.Input) (*Output, error)
	// Kind says how the function is run: "in-process", "exec", "podman", "docker", "nerdctl".
	Kind() string
}

// Identified is a Runner of which may be known what it computes.
type Identified interface {
	// Identity is equal only for functions that always answer the same to the same input, as long as
	// the running program is the same; empty when that is not known.
	Identity() string
}

// Output is what a function that succeeded gave back.
type Output struct {
	fn.Output
	Stderr string
	// Outside says that it depends on more than the Runner's Identity tells of: on functions that this one
	// called.
	Outside bool
}

// Factory prepares a Runner, without running anything: it refuses what is not allowed and settles
// which image is meant.
type Factory interface {
	Prepare(ctx context.Context, f *kptfilev1.Function) (Runner, error)
}

// Failure is a function that ran and said no.
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

// SilentError is a function that exited with status 0 and printed nothing, not even an empty list.
type SilentError struct {
	Stderr string
	Err    error
}

func (e *SilentError) Error() string { return "its output: " + e.Err.Error() }

func (e *SilentError) Unwrap() error { return e.Err }

// mostOfLine is how much of a line a message takes.
const mostOfLine = 1000

// LastLine is what a message says of a program's stderr: its last line that is not blank, cut when it
// is very long, without what would move the cursor.
func LastLine(stderr string) string {
	line := strings.TrimSpace(stderr)
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if len(line) > mostOfLine {
		line = line[:mostOfLine] + "…"
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, line)
}
