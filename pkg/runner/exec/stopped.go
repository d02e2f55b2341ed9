package exec

import (
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/runner"
)

// mostSaid is how much of the stderr of a program that was stopped goes into a report.
const mostSaid = 4 << 10

// Stopped is the error of a program that did not come to its own end: why, the last line of what it
// had said on stderr by then, and in a *runner.Failure the last few lines.
func Stopped(stderr []byte, why string, args ...any) error {
	said := string(stderr)
	if len(said) > mostSaid {
		said = said[len(said)-mostSaid:]
		said = said[strings.IndexByte(said, '\n')+1:]
	}
	return &stopped{fmt.Sprintf(why, args...), &runner.Failure{Stderr: said}}
}

type stopped struct {
	why  string
	said *runner.Failure
}

func (e *stopped) Error() string {
	if text := runner.LastLine(e.said.Stderr); text != "" {
		return e.why + ": " + text
	}
	return e.why
}

func (e *stopped) Unwrap() error { return e.said }
