package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// TestInterruptedWords interrupts a function: that is all that is said, and nothing is written.
func TestInterruptedWords(t *testing.T) {
	dir := hostilePackage(t, "  - exec: sleep 60\n", map[string]string{"ok.yaml": plainObject})
	before := snapshot(t, dir)
	for _, args := range [][]string{{"fn", "render", dir, "--allow-exec"}, {"fn", "eval", dir, "--exec", "sleep 60"}} {
		ctx, interrupt := context.WithCancelCause(t.Context())
		time.AfterFunc(300*time.Millisecond, func() { interrupt(cli.ErrInterrupted) })
		var out, messages bytes.Buffer
		code := execute(ctx, args, strings.NewReader(""), &out, &messages)
		if code != exitFailed || out.Len() != 0 || !strings.HasSuffix(messages.String(), "\nerror: interrupted\n") || strings.Contains(messages.String(), "context") {
			t.Errorf("%q: exit status %d, stdout %q, stderr:\n%s", args, code, &out, &messages)
		}
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("files were touched (-before +after):\n%s", diff)
	}
}

// TestLinkedTimeLimit holds that functions that are linked in have a time limit, too.
func TestLinkedTimeLimit(t *testing.T) {
	dir := hostilePackage(t, "  - image: ghcr.io/waybill-dev/set-labels:v0.1.0\n    configMap: {a: b}\n", map[string]string{"ok.yaml": plainObject})
	checkRefused(t, "no function is done in no time", dir,
		[]string{`linked function "set-labels" ran longer than the 1ns that --function-timeout allows`}, "--function-timeout", "1ns")
}

// signalled is a command line that gets signals, one after the other.
type signalled struct {
	reason  string
	args    []string
	stdin   string // "" for one that never has anything
	stdout  bool   // read
	ignores string // signals that it is started with, as the shell names them
	signals []syscall.Signal
	code    int
	says    string // in the last line of stderr
}

// TestSignals sends signals to the program. One ends it, in order; the second ends it at once, even if
// it does.
func TestSignals(t *testing.T) {
	bin := buildWaybill(t)
	render := func(seconds string) []string {
		return []string{"fn", "render", hostilePackage(t, "  - exec: sleep "+seconds+"\n", nil), "--allow-exec"}
	}
	long := "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n" +
		strings.Repeat("- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n", 10_000)
	cases := map[string]signalled{
		"INT":          {"Ctrl-C", render("60"), "", true, "", []syscall.Signal{syscall.SIGINT}, exitFailed, "error: interrupted"},
		"TERM":         {"what a system sends", render("60"), "", true, "", []syscall.Signal{syscall.SIGTERM}, exitFailed, "error: interrupted"},
		"HUP":          {"the terminal is closed", render("60"), "", true, "", []syscall.Signal{syscall.SIGHUP}, exitFailed, "error: interrupted"},
		"nohup":        {"started to outlive the terminal", render("3"), "", true, "HUP", []syscall.Signal{syscall.SIGHUP}, exitFailed, "its output"},
		"stdin":        {"it waits for input", []string{"fn", "run", "set-labels"}, "", true, "", []syscall.Signal{syscall.SIGINT}, 2, "interrupted"},
		"stuck once":   {"the output is not read", []string{"fn", "run", "set-labels"}, long, false, "", []syscall.Signal{syscall.SIGINT, syscall.SIGINT}, exitFailed, ""},
		"stuck, mixed": {"the second may be another one", []string{"fn", "run", "set-labels"}, long, false, "", []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}, exitFailed, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			code, stderr := c.run(t, filepath.Join(bin, "waybill"))
			lines := strings.Split(strings.TrimSpace(stderr), "\n")
			if last := lines[len(lines)-1]; code != c.code || !strings.Contains(last, c.says) {
				t.Errorf("%s: exit status %d, want %d; stderr, want %q at its end:\n%s", c.reason, code, c.code, c.says, stderr)
			}
		})
	}
}

// run runs the command line and sends its signals, a second apart.
func (c *signalled) run(t *testing.T, waybill string) (code int, stderr string) {
	t.Helper()
	cmd := exec.Command("sh", append([]string{"-c", `trap "" ` + c.ignores + `; exec "$@"`, "sh", waybill}, c.args...)...)
	in, stdin, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { stdin.Close(); stdout.Close() })
	in.Close()
	out.Close()
	if c.stdin != "" {
		go func() { _, _ = io.WriteString(stdin, c.stdin); stdin.Close() }()
	}
	if c.stdout {
		go func() { _, _ = io.Copy(io.Discard, stdout) }()
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for i, s := range c.signals {
		select {
		case err := <-ended:
			t.Fatalf("it ended before signal %d: %v\n%s", i+1, err, &messages)
		case <-time.After(time.Second):
		}
		if err := cmd.Process.Signal(s); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = cmd.Process.Kill()
		<-ended
		t.Errorf("%s: it did not end", c.reason)
	}
	return cmd.ProcessState.ExitCode(), messages.String()
}

// TestSignalAtFIFO ends the program while it waits for a FIFO that nothing is written to.
func TestSignalAtFIFO(t *testing.T) {
	bin := buildWaybill(t)
	installController(t, bin)
	const fifo = "/the/fifo"
	dir := hostilePackage(t, "", nil)
	for name, args := range map[string][]string{
		"config":     {"fn", "eval", dir, "-i", "set-labels:v0.2", "--fn-config", fifo},
		"source":     {"fn", "source", dir, "--fn-config", fifo},
		"status":     {"fleet", "status", "-f", fifo},
		"reconcile":  {"reconcile", "-f", fifo},
		"push":       {"push", "plan", dir, "--backend", fifo},
		"what if":    {"fleet", "preview", dir, dir, "--with-cluster", fifo},
		"report":     {"fleet", "report", dir, dir, "--with-cluster", fifo, "-o", fifo + ".html"},
		"explain":    {"fleet", "explain", "edge", "--with-cluster", fifo},
		"table":      {"push", "table", fifo},
		"password":   {"push", "apply", dir, "--backend", "midonet", "--url", "http://x", "--username", "u", "--password-file", fifo},
		"token":      {"push", "apply", dir, "--backend", "rest-example", "--url", "http://x", "--token-file", fifo},
		"CA":         {"push", "apply", dir, "--backend", "rest-example", "--url", "http://x", "--ca-file", fifo},
		"manager":    {"controller", "--push-table", fifo, "--push-url", "http://x", "--push-inventory", "a"},
		"manager CA": {"controller", "--push-table", "midonet", "--push-url", "http://x", "--push-inventory", "a", "--push-ca-file", fifo},
		"kubeconfig": {"controller", "--kubeconfig", fifo},
		"packages":   {"rpkg", "get", "--kubeconfig", fifo},
		"plan":       {"push", "apply", "--plan", fifo, "--backend", "midonet", "--inventory", fifo + ".inventory"},
	} {
		for _, open := range []bool{false, true} { // by a writer that says nothing
			t.Run(fmt.Sprintf("%s/open=%t", name, open), func(t *testing.T) {
				t.Parallel()
				own := filepath.Join(t.TempDir(), "in.yaml")
				if err := syscall.Mkfifo(own, 0o600); err != nil {
					t.Fatal(err)
				}
				interruptedAt(t, filepath.Join(bin, "waybill"), own, open, strings.Split(strings.ReplaceAll(strings.Join(args, "\n"), fifo, own), "\n"))
			})
		}
	}
}

// interruptedAt ends the program while it waits for fifo, which another process has open or has not.
func interruptedAt(t *testing.T, waybill, fifo string, open bool, args []string) {
	t.Helper()
	var messages bytes.Buffer
	cmd := exec.CommandContext(t.Context(), waybill, args...)
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if open {
		w, err := os.OpenFile(fifo, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Close()
	}
	time.AfterFunc(2*time.Second, func() { _ = cmd.Process.Signal(syscall.SIGTERM) })
	kill := time.AfterFunc(20*time.Second, func() { _ = cmd.Process.Kill() })
	_ = cmd.Wait()
	if kill.Stop(); cmd.ProcessState.ExitCode() != exitFailed || !strings.HasSuffix(messages.String(), "error: interrupted\n") {
		t.Errorf("exit status %d, stderr %q", cmd.ProcessState.ExitCode(), &messages)
	}
}
