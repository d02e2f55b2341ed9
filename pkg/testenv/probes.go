package testenv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// runsContainers reports whether podman can run a container here, with the network and privileges that functions get. An
// installed engine may still lack a permission. It caches the result.
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

// ChromiumPath is the path of the browser: Chromium, by its names on several systems, or Chrome.
func ChromiumPath() (string, error) {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if p, err := exec.LookPath(name); err == nil {
			return p, nil
		}
	}
	return "", errors.New("there is no chromium on the PATH; Debian's package is chromium")
}

// browses lets the browser print its version, which shows that it is installed with its libraries. It caches the result.
var browses = sync.OnceValue(func() error {
	program, err := ChromiumPath()
	if err != nil {
		return err
	}
	return quiet(exec.Command(program, "--version")) // #nosec G204 -- one of three names
})

// buildsSites lets Hugo print its version. Go builds it first, in some two minutes, if its build cache does not have it. It
// caches the result.
var buildsSites = sync.OnceValue(func() error {
	_, err := tool("site", "hugo", "version")
	return err
})

// HelmProgram is the path of Helm. Go builds it first, in some three minutes, if its build cache does not have it. It caches the
// result.
var HelmProgram = sync.OnceValues(func() (path string, err error) {
	if _, err = tool("helm", "helm", "version"); err != nil { // builds it
		return "", err
	}
	return tool("helm", "-n", "helm")
})

// CosignProgram is the path of cosign, which signs releases. Go builds it first, in some two minutes, if its build cache does not have
// it. It caches the result.
var CosignProgram = sync.OnceValues(func() (path string, err error) {
	if _, err = tool("release", "cosign", "version"); err != nil { // builds it
		return "", err
	}
	return tool("release", "-n", "cosign")
})

// makesReleases lets goreleaser print its version. Go builds it first, in some two minutes, if its build cache does not have it. It
// caches the result.
var makesReleases = sync.OnceValue(func() error {
	_, err := tool("release", "goreleaser", "--version")
	return err
})

// tool runs go tool with the go.mod file of a folder of .ci, with settings as make has them, and returns what it prints.
func tool(module string, args ...string) (string, error) {
	root, err := moduleRoot()
	if err != nil {
		return "", err
	}
	cmd := exec.Command("go", append([]string{"tool", "-modfile=.ci/" + module + "/go.mod"}, args...)...) // #nosec G204 -- our tools
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=-trimpath")
	var said, out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%w %s", err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(out.String()), nil
}
