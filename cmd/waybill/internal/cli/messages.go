package cli

import (
	"io"
	"strings"
	"sync"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/style"
)

// messages is stderr: it colours the words that messages begin with, and keeps them apart from a line of progress.
type messages struct {
	stream
	sync.Mutex
	fresh bool // the next text begins a line
	shown bool // the terminal shows a line of progress
}

func (m *messages) Write(p []byte) (int, error) {
	m.Lock()
	defer m.Unlock()
	if err := m.erase(); err != nil {
		return 0, err
	}
	text := string(p)
	if colors := m.Palette(); colors {
		text = paintMessages(colors, text, m.fresh)
	}
	if _, err := io.WriteString(m.Writer, text); err != nil {
		return 0, err
	}
	if len(p) > 0 {
		m.fresh = strings.HasSuffix(text, "\n")
	}
	return len(p), nil
}

// erase takes the line of progress off the terminal.
func (m *messages) erase() (err error) {
	if m.shown {
		m.shown = false
		_, err = io.WriteString(m.Writer, eraseLine)
	}
	return err
}

const eraseLine = "\r\x1b[K"

// show replaces the line of progress.
func (m *messages) show(line string) {
	m.Lock()
	defer m.Unlock()
	if !m.fresh { // a message has no end yet
		return
	}
	_, err := io.WriteString(m.Writer, eraseLine+line)
	m.shown = err == nil
}

func (m *messages) hide() {
	m.Lock()
	defer m.Unlock()
	_ = m.erase() // progress is no result; a later message reports that stderr is broken
}

// prefixes are what messages begin with, and the lines about functions that kpt prints.
var prefixes = lazyregexp.New(`(?m)^ *(error:|warning:|\[PASS\]|\[FAIL\]|\[error\]|\[warning\])`)

var prefixStyles = map[string]style.Style{
	"error:": style.Error, "[FAIL]": style.Error, "[error]": style.Error,
	"warning:": style.Warning, "[warning]": style.Warning, "[PASS]": style.Passed,
}

// paintMessages paints the prefixes in text. The first line counts only if it begins a line of the output.
func paintMessages(p style.Palette, text string, fresh bool) string {
	first := ""
	if !fresh {
		end := strings.Index(text, "\n") + 1
		if end == 0 {
			return text
		}
		first, text = text[:end], text[end:]
	}
	return first + prefixes.ReplaceAllStringFunc(text, func(found string) string {
		word := strings.TrimLeft(found, " ")
		return found[:len(found)-len(word)] + p.Paint(prefixStyles[word], word)
	})
}
