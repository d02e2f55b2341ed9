package upstream_test

import (
	"fmt"
	"os"
	"os/exec"
	"path"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// kptEnv is a folder in which kpt runs without the configuration of this machine.
type kptEnv struct{ dir, home string }

func newKptEnv(t testing.TB) *kptEnv {
	t.Helper()
	return &kptEnv{dir: t.TempDir(), home: t.TempDir()}
}

// atOnce is how many kpt processes run at a time.
var atOnce = make(chan struct{}, 2)

// kpt runs kpt; only its error counts.
func (b *kptEnv) kpt(args ...string) error {
	atOnce <- struct{}{}
	defer func() { <-atOnce }()
	cmd := exec.Command("kpt", args...)
	cmd.Dir = b.dir
	cmd.Env = append(gittest.Env(), "HOME="+b.home, "KPT_CACHE_DIR="+path.Join(b.home, "cache"), "NO_PROXY=127.0.0.1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		lines := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(out), b.dir, "")), "\n")
		return fmt.Errorf("%w: %s", err, strings.Join(lines[max(0, len(lines)-3):], "; "))
	}
	return nil
}

// existsAt reports whether there is something at p.
func existsAt(p string) bool {
	_, err := os.Lstat(p)
	return err == nil
}
