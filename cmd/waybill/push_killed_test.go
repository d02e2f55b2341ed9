package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestKilledPush kills an apply at each of its requests, before the backend has carried it out and
// after. The same command then goes on from there: in the end there is what is asked for, and nothing else.
func TestKilledPush(t *testing.T) {
	waybill := filepath.Join(buildWaybill(t), "waybill")
	want := shopHolds(t, shopChanged)
	const requests = 7
	for n := 1; n <= requests; n++ {
		for _, done := range []bool{false, true} {
			for _, planned := range []bool{false, true} {
				t.Run(fmt.Sprintf("%d done=%t planned=%t", n, done, planned), func(t *testing.T) {
					s, args := halfPushed(t, planned)
					reached := make(chan struct{})
					s.halts(func(at int, _ *http.Request) (halt stop) {
						switch {
						case at == n && done:
							halt.after = reached
						case at == n:
							halt.before = reached
						}
						return halt
					})
					kill(t, waybill, reached, os.Kill, args...)
					s.halts(nil)
					if r := pushTo(t, s, args...); r.code != exitDone {
						t.Fatalf("again: exit code %d: %s%s", r.code, r.stdout, r.stderr)
					}
					if diff := cmp.Diff(want, s.holds()); diff != "" {
						t.Errorf("after two runs (-want +got):\n%s", diff)
					}
					if most := 2 * requests; s.requests() > most {
						t.Errorf("the second run sent %d requests, more than %d", s.requests(), most)
					}
					expect(t, "nothing is left to do", pushTo(t, s, "plan", "net", "--inventory", "inventory", "--exit-code"), exitDone, "", "Nothing to do.\n")
				})
			}
		}
	}
}

// halfPushed is a backend that holds a package that has changed since, and the command to push it.
func halfPushed(t *testing.T, planned bool) (*restServer, []string) {
	t.Helper()
	dir := writeArchive(t, shopZone)
	t.Chdir(dir)
	s := newRESTServer(t, "t0ken", dnsKinds...)
	if r := pushTo(t, s, "apply", "net", "--inventory", "inventory"); r.code != exitDone {
		t.Fatalf("exit code %d: %s", r.code, r.stderr)
	}
	putInPlace(t, dir, shopChanged)
	if !planned {
		return s, []string{"apply", "net", "--inventory", "inventory"}
	}
	writeFile(t, "plan", pushTo(t, s, "plan", "net", "--inventory", "inventory", "-o", "yaml").stdout, 0o644)
	return s, []string{"apply", "--plan", "plan", "--inventory", "inventory"}
}

// kill starts a push, ends it by a signal when something is reached, and returns what it said.
func kill(t *testing.T, waybill string, reached chan struct{}, by os.Signal, args ...string) string {
	t.Helper()
	cmd := exec.Command(waybill, append([]string{"push", args[0], "--backend", "rest-example"}, args[1:]...)...)
	var said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &said, &said
	must(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-reached:
	case err := <-ended:
		t.Fatalf("it ended before it was killed: %v\n%s", err, &said)
	}
	must(t, cmd.Process.Signal(by))
	if err := <-ended; err == nil {
		t.Error("it was not killed")
	}
	return said.String()
}

// TestInterruptedPush says what was done by then.
func TestInterruptedPush(t *testing.T) {
	waybill := filepath.Join(buildWaybill(t), "waybill")
	s, args := halfPushed(t, false)
	reached := make(chan struct{})
	s.halts(func(at int, _ *http.Request) (halt stop) {
		if at == 3 {
			halt.before = reached
		}
		return halt
	})
	said := kill(t, waybill, reached, syscall.SIGINT, args...)
	if !strings.HasSuffix(said, "2 done, 1 failed, 3 not-attempted; 3 requests.\nerror: interrupted\n") {
		t.Errorf("it said:\n%s", said)
	}
	s.halts(nil)
	if r := pushTo(t, s, args...); r.code != exitDone {
		t.Errorf("it cannot go on: exit code %d: %s", r.code, r.stderr)
	}
}

// TestTwoPushesAtOnce keeps a second one from an inventory that the first writes.
func TestTwoPushesAtOnce(t *testing.T) {
	s, args := halfPushed(t, false)
	reached := make(chan struct{})
	s.halts(func(int, *http.Request) stop { return stop{before: reached} })
	waybill := filepath.Join(buildWaybill(t), "waybill")
	met := make(chan struct{})
	go func() {
		defer close(met)
		<-reached
		for _, verb := range []string{"plan", "apply"} {
			r := pushTo(t, s, verb, "net", "--inventory", "inventory")
			if r.code != exitFailed || !strings.HasSuffix(r.stderr, "error: inventory inventory: another process has it open\n") {
				t.Errorf("%s: exit code %d, %s", verb, r.code, r.stderr)
			}
		}
	}()
	kill(t, waybill, met, os.Kill, args...)
}
