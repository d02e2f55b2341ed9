package container

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestInterrupted interrupts a function that hears no signal, at every stage of its life, the first of
// them before there is a container: soon nothing stays of it, and the error says that and no more.
func TestInterrupted(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	interrupted := errors.New("interrupted")
	for _, after := range []time.Duration{30, 60, 100, 150, 200, 250, 300, 400, 600, 2000} {
		after *= time.Millisecond
		t.Run(after.String(), func(t *testing.T) {
			name := listening(t)
			f, err := New(image, Options{Engine: "podman", PullPolicy: "Never"})
			if err != nil {
				t.Fatal(err)
			}
			ctx, interrupt := context.WithCancelCause(context.Background())
			time.AfterFunc(after, func() { interrupt(interrupted) })
			began := time.Now()
			_, _, _, err = f.Process(ctx, []byte("deaf\n"))
			if want := fmt.Sprintf("image %q: interrupted", image); err == nil || err.Error() != want || !errors.Is(err, interrupted) {
				t.Errorf("err = %v, want %s", err, want)
			}
			if took := time.Since(began); took > after+8*time.Second {
				t.Errorf("it took %s", took)
			}
			nothingLeft(t, image)
			noMonitor(t, name())
		})
	}
}

// listening puts a podman on the PATH that notes what it is told before it does it. It returns the name
// that a container was given.
func listening(t *testing.T) func() string {
	t.Helper()
	podman, err := osexec.LookPath("podman")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	log := filepath.Join(bin, "log")
	script := "#!/bin/sh\nprintf '%s\\n' \"$*\" >>'" + log + "'\nexec '" + podman + "' \"$@\"\n"
	if err := os.WriteFile(filepath.Join(bin, "podman"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	return func() string {
		told, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(told), "--name ")
		name, _, _ := strings.Cut(after, " ")
		return name
	}
}

// noMonitor fails t when the process that watches over a container does not end: it goes on, with a
// container that never began, when podman was killed in between.
func noMonitor(t *testing.T, name string) {
	t.Helper()
	if !strings.HasPrefix(name, "waybill-") {
		t.Fatalf("the container has the name %q", name)
	}
	for until := time.Now().Add(10 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		pids := monitors(t, name)
		if len(pids) == 0 {
			return
		}
		if time.Now().After(until) {
			t.Errorf("processes %v still watch over a container", pids)
			return
		}
	}
}

func monitors(t *testing.T, name string) (pids []string) {
	t.Helper()
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && bytes.Contains(line, []byte(name)) {
			pids = append(pids, filepath.Base(filepath.Dir(file)))
		}
	}
	return pids
}
