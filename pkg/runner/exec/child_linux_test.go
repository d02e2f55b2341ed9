package exec

import (
	"bufio"
	"context"
	"errors"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
)

// gone waits for the end of the process whose number stands in a file.
func gone(t *testing.T, file string) {
	t.Helper()
	var pid int
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		text, _ := os.ReadFile(file)
		pid, _ = strconv.Atoi(strings.TrimSpace(string(text)))
		state := stateOf(pid)
		if pid != 0 && (state == "" || state == "Z") {
			return
		}
		if time.Now().After(until) {
			t.Errorf("process %d lives on, in state %q", pid, state)
			_ = syscall.Kill(pid, syscall.SIGKILL)
			return
		}
	}
}

// stateOf is a letter, "" for a process that is gone.
func stateOf(pid int) string {
	text, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	_, after, _ := strings.Cut(string(text), ") ")
	state, _, _ := strings.Cut(after, " ")
	return state
}

// TestSessions has programs start another one in a session of its own, out of reach of a signal to
// a process group, and then end in every way. The other one ends, too.
func TestSessions(t *testing.T) {
	const other = `setsid sh -c 'echo $$ >"$0.tmp" && mv "$0.tmp" "$0"; exec sleep 600' "$1" </dev/null `
	cases := map[string]struct {
		reason, body string
		limits       Limits
		want         string
	}{
		"done":        {"one that let go of everything", other + ">/dev/null 2>&1 & wait_for; cat", Limits{}, ""},
		"holds":       {"one that holds the output", other + "& wait_for; cat", Limits{}, "left a process behind that may print more; it was stopped"},
		"late":        {"one that holds the output of a program that is late", other + "& wait_for; sleep 600", Limits{Time: 2 * time.Second}, "ran longer than 2s and was stopped"},
		"failed":      {"one of a program that fails", other + ">/dev/null 2>&1 & wait_for; exit 1", Limits{}, "exit status 1"},
		"with memory": {"one of a program with a memory limit", other + ">/dev/null 2>&1 & wait_for; cat", Limits{Memory: 64 << 20}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "pid")
			wait := "wait_for() { while ! [ -e '" + file + "' ]; do sleep 0.01; done; }\n"
			r, err := New("'"+script(t, wait+c.body)+"' '"+file+"'", c.limits)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			_, err = r.Run(context.Background(), &fn.Input{})
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: err = %v, want %q", c.reason, err, c.want)
			}
			if took := time.Since(began); c.limits.Time != 0 && took > c.limits.Time+outputDelay {
				t.Errorf("%s: it took %s", c.reason, took)
			}
			gone(t, file)
		})
	}
}

// TestOthersLive holds that what another program started at the same time is left alone, in its own
// session or not, and so is what an engine started.
func TestOthersLive(t *testing.T) {
	file := filepath.Join(t.TempDir(), "pid")
	const body = `setsid sh -c 'echo $$ >"$0.tmp" && mv "$0.tmp" "$0"; exec sleep 600' "$1" </dev/null >/dev/null 2>&1 & while ! [ -e "$1" ]; do sleep 0.01; done; cat`
	if _, _, code, err := Run(context.Background(), []string{script(t, body), file}, nil, Limits{}); err != nil || code != 0 {
		t.Fatal(code, err)
	}
	if _, _, err := run(t, "cat; true", Limits{}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if state := stateOf(pid); state == "" || state == "Z" {
		t.Errorf("what an engine started was killed: state %q", state)
	}
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Error(err)
	}
}

// TestOrphan kills a process in which a program runs: this test, started again.
func TestOrphan(t *testing.T) {
	const variable = "WAYBILL_TEST_ORPHAN"
	if file := os.Getenv(variable); file != "" {
		r, err := New("'"+script(t, `echo $$ >"$1.tmp"; mv "$1.tmp" "$1"; exec sleep 600`)+"' '"+file+"'", Limits{})
		if err != nil {
			t.Fatal(err)
		}
		_, err = r.Run(context.Background(), &fn.Input{})
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "pid")
	self := osexec.Command(os.Args[0], "-test.run=^TestOrphan$")
	self.Env = append(os.Environ(), variable+"="+file, "TMPDIR="+t.TempDir())
	if err := self.Start(); err != nil {
		t.Fatal(err)
	}
	for until := time.Now().Add(20 * time.Second); time.Now().Before(until); time.Sleep(10 * time.Millisecond) {
		if _, err := os.Stat(file); err == nil {
			break
		}
	}
	if err := self.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = self.Wait() // it was killed
	gone(t, file)
}

// TestInterrupted holds that an interruption is told as that and nothing else, and the program ended.
func TestInterrupted(t *testing.T) {
	interrupted := errors.New("interrupted")
	for name, when := range map[string]time.Duration{"before": 0, "while it runs": 300 * time.Millisecond} {
		ctx, interrupt := context.WithCancelCause(context.Background())
		if when == 0 {
			interrupt(interrupted)
		}
		time.AfterFunc(when, func() { interrupt(interrupted) })
		r, err := New(script(t, "echo talk >&2; sleep 60"), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Run(ctx, &fn.Input{}); !errors.Is(err, interrupted) {
			t.Errorf("%s: err = %v, want %v", name, err, interrupted)
		}
	}
}

// TestSaid holds what reports have of a program that was stopped: the last lines, few enough.
func TestSaid(t *testing.T) {
	_, _, err := run(t, `for i in 1 2 3; do echo "line $i" >&2; done; head -c 10000 /dev/zero | tr '\0' '\n' >&2; for i in 4 5; do echo "line $i" >&2; done; sleep 60`, Limits{Time: time.Second})
	var f *runner.Failure
	if !errors.As(err, &f) {
		t.Fatalf("err = %v, want one with a report", err)
	}
	lines := bufio.NewScanner(strings.NewReader(strings.TrimSpace(f.Stderr)))
	var got []string
	for lines.Scan() {
		got = append(got, lines.Text())
	}
	if strings.Join(got, ",") != "line 4,line 5" || len(f.Stderr) > maxStderr {
		t.Errorf("%d bytes with %q, want the last lines", len(f.Stderr), got)
	}
}
