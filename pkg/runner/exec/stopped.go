package exec

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/runner"
)

// maxStderr bounds the part of the stderr of a stopped program that is reported.
const maxStderr = 4 << 10

// Stopped is the error of a program that was stopped: the reason, the last line of its
// stderr, and in a *runner.Failure the last few lines.
func Stopped(stderr []byte, why string, args ...any) error {
	text := string(stderr)
	if len(text) > maxStderr {
		text = text[len(text)-maxStderr:]
		text = text[strings.IndexByte(text, '\n')+1:]
	}
	return &stopped{fmt.Sprintf(why, args...), &runner.Failure{Stderr: text}}
}

type stopped struct {
	why     string
	failure *runner.Failure
}

func (e *stopped) Error() string {
	if text := runner.LastLine(e.failure.Stderr); text != "" {
		return e.why + ": " + text
	}
	return e.why
}

func (e *stopped) Unwrap() error { return e.failure }
