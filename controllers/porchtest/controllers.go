package porchtest

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// StartControllers starts Porch's controllers of PackageVariants and PackageVariantSets until the test ends. Their ports are
// fixed: one process of a machine can run them at a time, and others wait here.
func (p *Porch) StartControllers(t testing.TB) {
	t.Helper()
	lockControllers(t)
	t.Cleanup(p.KillControllers)
	for began := time.Now(); ; time.Sleep(time.Second) {
		p.RestartControllers(t)
		if !p.controllersEnd() {
			return
		}
		if time.Since(began) > stepTimeout {
			t.Fatalf("Porch's controllers end at once; does another program listen on their ports?\n%s", p.controllers.Log())
		}
	}
}

// RestartControllers starts Porch's controllers again after KillControllers.
func (p *Porch) RestartControllers(t testing.TB) {
	t.Helper()
	var err error
	p.controllers, err = p.Run("porch-controllers", "env", "HOME="+p.dir, "KUBECONFIG="+p.kubeconfig,
		filepath.Join(p.programs, "porch-controllers"), "--reconcilers=packagevariants,packagevariantsets")
	if err != nil {
		t.Fatal(err)
	}
}

// KillControllers kills Porch's controllers, as a crash would.
func (p *Porch) KillControllers() { p.controllers.Stop() }

// KillServer kills Porch's API server, as a crash would.
func (p *Porch) KillServer() { p.server.Stop() }

// controllersEnd reports whether the controllers end at once, as they do while another process has their ports.
func (p *Porch) controllersEnd() bool {
	for range 100 {
		if !p.controllers.Running() {
			return true
		}
		if strings.Contains(p.controllers.Log(), "Starting workers") {
			return false
		}
		time.Sleep(50 * time.Millisecond)
	}
	return false
}

// lockControllers takes a lock of this machine until the test ends.
func lockControllers(t testing.TB) {
	t.Helper()
	file, err := os.OpenFile(filepath.Join(os.TempDir(), "waybill-porch-controllers.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err == nil {
		err = syscall.Flock(int(file.Fd()), syscall.LOCK_EX)
	}
	if err != nil {
		t.Fatalf("wait for the ports of Porch's controllers: %v", err)
	}
	t.Cleanup(func() { file.Close() })
}
