package image

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// CompileError is a build that the go command refused.
type CompileError struct {
	Package  string
	Platform Platform
	// Stderr is the output of the go command.
	Stderr string
	Err    error
}

// stderrLines bounds how many lines of the compiler an error repeats; the first lines matter.
const stderrLines = 10

// Error gives the package, the platform and the compiler's first lines, in one line.
func (e *CompileError) Error() string {
	var said []string
	for line := range strings.Lines(e.Stderr) {
		line = strings.TrimSpace(line)
		if line != "" && !strings.HasPrefix(line, "# ") { // "# pkg" is the go command's heading
			said = append(said, line)
		}
	}
	if more := len(said) - stderrLines; more > 0 {
		said = append(said[:stderrLines], fmt.Sprintf("and %d more lines", more))
	}
	if len(said) == 0 {
		return fmt.Sprintf("compile %q for %s: %v", e.Package, e.Platform, e.Err)
	}
	return fmt.Sprintf("compile %q for %s: %s", e.Package, e.Platform, strings.Join(said, "; "))
}

// Unwrap returns the go command's exit status, or the reason it was stopped.
func (e *CompileError) Unwrap() error { return e.Err }

// Compile builds the main package pkg (an import path, or a path that starts with ./) of the
// module in dir, and returns a static binary for p. The binary depends on the sources, the module
// versions, the Go toolchain and linkerFlags: not on where dir lies, on version control, or on GOFLAGS.
// The go command may read the network for modules that are not in its cache.
// The error is a *CompileError when the go command ran and failed, or was stopped by ctx.
func Compile(ctx context.Context, dir, pkg string, p Platform, linkerFlags ...string) ([]byte, error) {
	if pkg == "" || strings.HasPrefix(pkg, "-") {
		return nil, fmt.Errorf("compile %q: want the path of a main package", pkg)
	}
	tmp, err := os.MkdirTemp("", "waybill-image-")
	if err != nil {
		return nil, fmt.Errorf("compile %q: %w", pkg, err)
	}
	defer os.RemoveAll(tmp)
	out := filepath.Join(tmp, "binary")
	if err := runGo(ctx, dir, pkg, p, out, linkerFlags); err != nil {
		return nil, err
	}
	binary, err := os.ReadFile(out)
	if err != nil {
		return nil, fmt.Errorf("compile %q: %w", pkg, err)
	}
	if bytes.HasPrefix(binary, []byte("!<arch>\n")) { // go build writes an archive for a library
		return nil, fmt.Errorf("compile %q: not a main package", pkg)
	}
	return binary, nil
}

func runGo(ctx context.Context, dir, pkg string, p Platform, out string, linkerFlags []string) error {
	linkerFlags = append([]string{"-s -w -buildid="}, linkerFlags...)
	cmd := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-ldflags="+strings.Join(linkerFlags, " "), "-o", out, "--", pkg)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), buildEnv(p)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	// An interrupted go command stops its compilers and removes its work folder; a killed one does not.
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 10 * time.Second
	if err := cmd.Run(); err != nil {
		return goFailed(ctx, pkg, p, stderr.String(), err)
	}
	return nil
}

// goFailed is the error of a build that failed, or was stopped: then its output is of no interest.
func goFailed(ctx context.Context, pkg string, p Platform, stderr string, err error) *CompileError {
	if ctx.Err() != nil {
		return &CompileError{Package: pkg, Platform: p, Err: context.Cause(ctx)}
	}
	return &CompileError{Package: pkg, Platform: p, Stderr: stderr, Err: err}
}

// buildEnv fixes everything that the environment, or the file that `go env -w` writes, could change in a binary. Values are
// never empty, because that file overrides an empty variable; an experiment that is off anyway keeps the toolchain's own
// choice, which "none" would undo.
func buildEnv(p Platform) []string {
	return []string{
		"CGO_ENABLED=0", "GOOS=" + p.OS, "GOARCH=" + p.Arch,
		"GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=nofieldtrack", "GOFIPS140=off",
		"GOFLAGS=-trimpath", "GOWORK=off",
	}
}
