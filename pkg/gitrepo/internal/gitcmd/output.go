package gitcmd

import (
	"bytes"
	"strings"
	"sync"
	"unicode"

	"github.com/waybill-dev/waybill/pkg/safetext"
)

const (
	maxMessage = 500            // bytes of a program's output that an error repeats
	maxOutput  = 4 * maxMessage // bytes that are kept of it: runs of space count here
)

// Output keeps the beginning of what is written to it. It is safe for concurrent use.
type Output struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (h *Output) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.buf.Write(p[:min(len(p), max(0, maxOutput-h.buf.Len()))])
	return len(p), nil
}

// String is what was written, on one line.
func (h *Output) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return OneLine(h.buf.String())
}

// Entries splits output of which each entry ends in a NUL.
func Entries(out []byte) []string {
	if len(out) == 0 {
		return nil
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// OneLine makes the output of a program fit for a one-line error: no control characters, no runs of space, bounded.
func OneLine(s string) string {
	s = strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
	return safetext.Cut(strings.ToValidUTF8(s, "?"), maxMessage, "…")
}
