package local_test

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/waybill-dev/waybill/controllers/local"
	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/variant/reconciler"
)

// Tell this test binary to make one pass over a folder, and the step at which to die.
const (
	childPass = "WAYBILL_TEST_PASS"
	childDies = "WAYBILL_TEST_PASS_DIES_AT"
)

func init() {
	if folder := os.Getenv(childPass); folder != "" {
		os.Exit(reconcileModel(folder, os.Getenv(childDies)))
	}
}

func reconcileModel(folder, die string) int {
	in, err := local.Read([]string{folder}, strings.NewReader(""))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	var steps atomic.Int32
	repos := in.Repositories(func(gitrepo.Step) {
		if strconv.Itoa(int(steps.Add(1))) == die {
			_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
			select {}
		}
	})
	in.Expand(ctx, repos)
	(&reconciler.Reconciler{Repositories: repos, Functions: functions, Context: in.Lister, Unexpanded: in.Unexpanded, Budgets: in}).ReconcileAll(ctx, in.Variants, nil)
	return 0
}

// child makes a pass in another process that dies at a step, and waits until its git is through, too.
func (m *model) child(die int) {
	m.Helper()
	self, err := os.Executable()
	if err != nil {
		m.Fatal(err)
	}
	cmd := exec.Command(self)
	cmd.Env = append(gittest.Env(), childPass+"="+m.folder(), childDies+"="+strconv.Itoa(die))
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		m.Fatal(err)
	}
	_ = cmd.Wait() // killed, or done before that step
	for deadline := time.Now().Add(20 * time.Second); alive(cmd.Process.Pid); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			m.Fatal("git is still at work")
		}
	}
}
