package local_test

import (
	"bytes"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// What tells this test binary that it is to reconcile a folder instead, and at which step to die.
const (
	childFolder = "WAYBILL_TEST_RECONCILE"
	childStep   = "WAYBILL_TEST_DIE_AT"
)

func TestMain(m *testing.M) {
	if folder := os.Getenv(childFolder); folder != "" {
		os.Exit(reconcileFolder(folder, os.Getenv(childStep)))
	}
	os.Exit(m.Run())
}

// reconcileFolder reconciles what a folder holds and prints how many steps Git took. At step die it
// kills this process, in the middle of whatever it does.
func reconcileFolder(folder, die string) int {
	in, err := local.Read([]string{folder}, strings.NewReader(""))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	steps := 0
	onStep := func(gitrepo.Step) {
		if steps++; strconv.Itoa(steps) == die {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	}
	code := 0
	for _, rep := range all(in, &reconciler.Reconciler{Repositories: in.Repositories(onStep), Functions: functions, Context: in.Lister}) {
		if rep.Err != nil {
			fmt.Fprintln(os.Stderr, rep.Err)
			code = 1
		}
	}
	fmt.Println(steps)
	return code
}

// process is a reconcile in a process group of its own.
type process struct {
	cmd            *exec.Cmd
	stdout, stderr bytes.Buffer
}

// start reconciles the fleet in another process, which dies at the given step; 0 is never.
func (f *fleet) start(die int) *process {
	f.Helper()
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	p := &process{cmd: exec.Command(self)}
	p.cmd.Env = append(gittest.Env(), childFolder+"="+f.path("fleet"), childStep+"="+strconv.Itoa(die))
	p.cmd.Stdout, p.cmd.Stderr = &p.stdout, &p.stderr
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := p.cmd.Start(); err != nil {
		f.Fatal(err)
	}
	return p
}

func (p *process) wait() error { return p.cmd.Wait() }

func (p *process) killGroup() { _ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGKILL) }

// killed reports whether SIGKILL ended the process.
func (p *process) killed() bool {
	status, ok := p.cmd.ProcessState.Sys().(syscall.WaitStatus)
	return ok && status.Signaled() && status.Signal() == syscall.SIGKILL
}

// settle waits until nothing that the process began is still at work.
func (c *crash) settle(p *process) {
	c.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for alive(p.cmd.Process.Pid) {
		if time.Now().After(deadline) {
			c.Fatal("git is still at work")
		}
		time.Sleep(2 * time.Millisecond) // there is no event to wait for: they are not our children
	}
	if c.server != nil {
		c.server.settle(c)
	}
}

// alive reports whether a process group has a member that is not a zombie.
func alive(group int) bool {
	if errors.Is(syscall.Kill(-group, 0), syscall.ESRCH) {
		return false
	}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, file := range stats {
		data, _ := os.ReadFile(file) // pid (name) state ppid pgrp ...; it may be gone by now
		_, rest, _ := strings.Cut(string(data), ") ")
		if fields := strings.Fields(rest); len(fields) > 2 && fields[2] == strconv.Itoa(group) && fields[0] != "Z" {
			return true
		}
	}
	return len(stats) == 0
}

// server serves bare repositories over HTTP and knows when no client is connected.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	idle sync.Cond
	open map[net.Conn]bool
}

// newServer serves the repositories in root.
func newServer(t testing.TB, root string) *server {
	t.Helper()
	s := &server{open: map[net.Conn]bool{}}
	s.idle.L = &s.mu
	var backend http.Handler
	gittest.NewHTTP(t, filepath.Join(root, "deployments.git"), func(next http.Handler) http.Handler {
		backend = next
		return next
	})
	s.Server = httptest.NewUnstartedServer(backend)
	s.Config.ConnState = s.track
	s.Start()
	t.Cleanup(s.Close)
	return s
}

func (s *server) track(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.open[c] = true
	case http.StateClosed:
		delete(s.open, c)
	}
	s.idle.Broadcast()
}

// settle waits until all connections are closed. Its own request is the last to be accepted, so
// that none can be waiting behind it.
func (s *server) settle(t testing.TB) {
	t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Get(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := resp.Body.Close(); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.open) > 0 {
		s.idle.Wait()
	}
}
