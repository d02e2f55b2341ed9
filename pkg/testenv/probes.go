package testenv

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// runsContainers reports whether podman can run a container here, with the network and privileges
// that functions get. Being installed says little: engines fail in many ways where they lack a
// right. It tries once and remembers.
var runsContainers = sync.OnceValue(func() error {
	root, err := os.MkdirTemp("", "waybill-probe-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	build := exec.Command("go", "build", "-o", filepath.Join(root, "probe"), "github.com/waybill-dev/waybill/pkg/testenv/probe")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if err := quiet(build); err != nil {
		return err
	}
	return quiet(exec.Command("podman", "run", "--rm", "--network", "none",
		"--security-opt=no-new-privileges", "--rootfs", root, "/probe"))
})

// quiet runs a command; its error says what the command printed.
func quiet(cmd *exec.Cmd) error {
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.New(strings.TrimSpace(err.Error() + " " + string(out)))
	}
	return nil
}

// ChromiumPath is where the browser is: Chromium as Debian calls it, or one of its sisters.
func ChromiumPath() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("there is no chromium on the PATH; Debian's package is chromium")
}

// browses has the browser say its version, which tells whether it is there and has the libraries that it wants. It tries
// once and remembers.
var browses = sync.OnceValue(func() error {
	program, err := ChromiumPath()
	if err != nil {
		return err
	}
	return quiet(exec.Command(program, "--version")) // #nosec G204 -- one of three names
})
