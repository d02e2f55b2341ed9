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

// patience is how long an answer may take.
const patience = time.Minute

// Browser is one that runs.
type Browser struct {
	to   *os.File
	mu   sync.Mutex
	last int
	wait map[int]chan message
	said map[string][]message // events, by session
	dead bool
}

// message is one of the protocol, in either direction.
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
	b := &Browser{wait: map[int]chan message{}, said: map[string][]message{}}
	from, err := b.connect(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for _, f := range cmd.ExtraFiles {
		_ = f.Close() // they are the browser's now
	}
	read := make(chan struct{})
	go func() { defer close(read); b.listen(from) }()
	t.Cleanup(func() {
		b.send("", "Browser.close", nil)
		_ = b.to.Close()
		end := time.AfterFunc(patience, func() { _ = cmd.Process.Kill() })
		_ = cmd.Wait() // it may end in any way that it likes
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

// listen hands on answers and keeps events until the browser ends.
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
			b.hear(m)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.dead = true
	for _, w := range b.wait {
		close(w)
	}
}

func (b *Browser) hear(m message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if w := b.wait[m.ID]; m.ID != 0 && w != nil {
		delete(b.wait, m.ID)
		w <- m
		return
	}
	b.said[m.Session] = append(b.said[m.Session], m)
}

// send asks for something; the channel is closed without an answer when the browser is gone.
func (b *Browser) send(session, method string, params any) <-chan message {
	b.mu.Lock()
	defer b.mu.Unlock()
	answer := make(chan message, 1)
	if b.dead {
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
	_, _ = b.to.Write(append(text, 0)) // a browser that is gone does not answer
	return answer
}

// ask asks, waits, and reads the answer into result, which may be nil.
func (b *Browser) ask(session, method string, params, result any) error {
	select {
	case m, alive := <-b.send(session, method, params):
		switch {
		case !alive:
			return fmt.Errorf("%s: the browser is gone", method)
		case m.Error != nil:
			return fmt.Errorf("%s: %s", method, strings.TrimSpace(m.Error.Message))
		case result == nil:
			return nil
		}
		return json.Unmarshal(m.Result, result)
	case <-time.After(patience):
		return fmt.Errorf("%s: no answer in %s", method, patience)
	}
}
