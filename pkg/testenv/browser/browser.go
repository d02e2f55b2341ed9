package browser

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// timeout is how long an answer may take.
const timeout = time.Minute

// Browser is a running browser.
type Browser struct {
	to     *os.File
	mu     sync.Mutex
	last   int
	wait   map[int]chan message
	events map[string][]message // by session
	ended  bool
}

// message is a message of the protocol, in either direction.
type message struct {
	ID      int             `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Session string          `json:"sessionId,omitempty"`
	Error   *struct {
		Message string `json:"message"`
	} `json:"error,omitempty"`
}

// Start runs a browser until the test ends.
func Start(t testing.TB) *Browser {
	t.Helper()
	testenv.Need(t, testenv.Chromium)
	program, err := testenv.ChromiumPath()
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	// Tests run as root in containers, where the sandbox cannot; what is opened are our own files.
	cmd := exec.Command(program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
		"--disable-background-networking", "--remote-debugging-pipe", "--user-data-dir="+home) // #nosec G204 -- a test
	cmd.Env = append(os.Environ(), "HOME="+home)
	b := &Browser{wait: map[int]chan message{}, events: map[string][]message{}}
	from, err := b.connect(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range cmd.ExtraFiles {
		_ = f.Close() // the browser has its own copies
	}
	read := make(chan struct{})
	go func() { defer close(read); b.listen(from) }()
	t.Cleanup(func() {
		b.send("", "Browser.close", nil)
		_ = b.to.Close()
		end := time.AfterFunc(timeout, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // its exit status does not matter
		end.Stop()
		<-read
	})
	return b
}

// connect makes the two pipes: the browser reads from file 3 and writes to file 4.
func (b *Browser) connect(cmd *exec.Cmd) (from *os.File, err error) {
	in, to, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	from, out, err := os.Pipe()
	b.to, cmd.ExtraFiles = to, []*os.File{in, out}
	return from, err
}

// listen delivers answers and keeps events until the browser ends.
func (b *Browser) listen(from *os.File) {
	defer from.Close()
	r := bufio.NewReader(from)
	for {
		text, err := r.ReadBytes(0)
		if err != nil {
			break
		}
		var m message
		if json.Unmarshal(text[:len(text)-1], &m) == nil {
			b.receive(m)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ended = true
	for _, w := range b.wait {
		close(w)
	}
}

func (b *Browser) receive(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.wait[m.ID]; m.ID != 0 && w != nil {
		delete(b.wait, m.ID)
		w <- m
		return
	}
	b.events[m.Session] = append(b.events[m.Session], m)
}

// send sends a command; the channel is closed without an answer when the browser has ended.
func (b *Browser) send(session, method string, params any) <-chan message {
	b.mu.Lock()
	defer b.mu.Unlock()
	answer := make(chan message, 1)
	if b.ended {
		close(answer)
		return answer
	}
	b.last++
	m := message{ID: b.last, Method: method, Session: session}
	if params != nil {
		m.Params, _ = json.Marshal(params) // of maps of texts and numbers
	}
	text, _ := json.Marshal(m)
	b.wait[m.ID] = answer
	_, _ = b.to.Write(append(text, 0)) // a browser that has ended does not answer
	return answer
}

// call sends a command, waits, and decodes the answer into result, which may be nil.
func (b *Browser) call(session, method string, params, result any) error {
	select {
	case m, alive := <-b.send(session, method, params):
		switch {
		case !alive:
			return fmt.Errorf("%s: the browser has ended", method)
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, strings.TrimSpace(m.Error.Message))
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(timeout):
		return fmt.Errorf("%s: no answer in %s", method, timeout)
	}
}
