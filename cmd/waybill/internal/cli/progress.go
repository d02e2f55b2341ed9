package cli

import (
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// When a line of progress appears, and how often it changes.
const (
	progressDelay    = 300 * time.Millisecond
	progressInterval = 100 * time.Millisecond
)

// Progress is a line on stderr, if that is a terminal, that says how far a command is. It appears only if the command takes some
// time, and is erased by Done and by every message. A nil Progress shows nothing.
type Progress struct {
	to   *messages
	stop chan struct{}
	end  sync.WaitGroup

	mu   sync.Mutex
	line string
}

// NewProgress returns the progress of a command, or nil if stderr is no terminal.
func NewProgress(stderr io.Writer) *Progress {
	to, _ := stderr.(*messages)
	if to == nil || to.terminal == nil || isDumb(os.Getenv("TERM")) {
		return nil
	}
	p := &Progress{to: to, stop: make(chan struct{})}
	p.end.Go(p.draw)
	return p
}

// Show replaces the line. Several goroutines may call it.
func (p *Progress) Show(line string) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.line = line
}

// Done erases the line.
func (p *Progress) Done() {
	if p == nil {
		return
	}
	close(p.stop)
	p.end.Wait()
	p.to.hide()
}

// draw shows the line now and then.
func (p *Progress) draw() {
	timer := time.NewTimer(progressDelay)
	defer timer.Stop()
	for shown := ""; ; {
		select {
		case <-p.stop:
			return
		case <-timer.C:
			timer.Reset(progressInterval)
		}
		p.mu.Lock()
		line := p.line
		p.mu.Unlock()
		if line != shown {
			p.to.show(shorten(SafeText(line), columns(p.to.terminal)-1))
			shown = line
		}
	}
}

// columns is how many columns a terminal has.
func columns(terminal *os.File) int {
	if width, _, err := term.GetSize(int(terminal.Fd())); err == nil && width > 0 { // #nosec G115 -- a file descriptor
		return width
	}
	return 80
}

// shorten cuts text so that the line does not wrap: nothing can erase a wrapped line. Letters of East Asia take two columns.
func shorten(text string, most int) string {
	used := 0
	for i, r := range text {
		used++
		if r >= 0x1100 {
			used++
		}
		if used >= most {
			return text[:i] + "…"
		}
	}
	return text
}
