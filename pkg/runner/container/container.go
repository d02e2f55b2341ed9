// Package container runs functions in containers, through podman, docker or nerdctl.
//
// Shape: New makes a Runner for an image. Like in kpt, the container has no network, no mounts, no environment
// of this process and an unprivileged user, unless Options say otherwise, and cannot gain privileges.
// Stricter than kpt: it has no capabilities, and can write to /tmp only.
// Bounds: time and output as in package exec, memory and processes by the engine; a container that
// exceeds a limit or is interrupted is killed, and removed within about a second. When this process is killed,
// the engine's client gets SIGTERM, on Linux, and podman ends the container some seconds after its
// time limit. If an engine cannot limit memory and processes (rootless, without
// cgroups), there is no such limit by default, as in kpt, and a limit in Options is an error.
// Cost: in addition to the function's own, a few tenths of a second for the engine to start and end a container.
// Errors: *runner.Failure for a function that exits non-zero; others name the image: those of the
// engine itself (status 125 to 127), and of a function that was stopped, with its limit.
// Source: kpt's container runtime; docs/decisions/0012-containers-and-images.md.
package container

import (
	"context"
	"crypto/rand"
	"fmt"
	osexec "os/exec"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
)

// Engines are the supported container engines.
var Engines = []string{"podman", "docker", "nerdctl"}

// Pull policies, and their names in the engines.
var pull = map[string]string{"": "missing", "IfNotPresent": "missing", "Always": "always", "Never": "never"}

// Options say how containers are run.
type Options struct {
	Engine       string // one of Engines
	PullPolicy   string // IfNotPresent (default), Always or Never
	AllowNetwork bool
	Limits       exec.Limits // Memory is that of the whole container, /tmp included; default 2 GiB
	Processes    int         // maximum of processes and threads; default 256

	// Mounts are mounts of the container, as "type=bind,src=/from,dst=/to", read-only unless with ",rw=true".
	Mounts []string
	// Env are variables for the function: "NAME=VALUE", or "NAME" for a variable of this process, whose value then
	// does not appear in arguments.
	Env []string
	// AsCurrentUser runs the function with the user and group of this process instead of the user nobody.
	AsCurrentUser bool
	// Hint ends the error about an image that the engine could not run.
	Hint string
}

// Function is the function of an image. It is a Runner.
type Function struct {
	image          string
	opts           Options
	args           []string // of the engine, before the image
	limits         []string // more of them, which need cgroups
	limitsOptional bool     // run without limits if they are not possible, since Options name none
}

// New makes a Function of an image. It does not pull it.
func New(image string, opts Options) (*Function, error) {
	policy, ok := pull[opts.PullPolicy]
	if !ok {
		return nil, fmt.Errorf("image pull policy %q: want IfNotPresent, Always or Never", opts.PullPolicy)
	}
	if _, err := osexec.LookPath(opts.Engine); err != nil {
		return nil, fmt.Errorf("image %q needs a container engine: %w", image, err)
	}
	limitsOptional := opts.Limits.Memory == 0 && opts.Processes == 0
	opts = opts.withDefaults()
	if err := opts.checkBounds(); err != nil {
		return nil, fmt.Errorf("image %q: %w", image, err)
	}
	more, err := opts.mountsAndEnv()
	if err != nil {
		return nil, err
	}
	args := append([]string{"run", "--rm", "-i", "--pull", policy}, opts.isolation()...)
	return &Function{image, opts, append(args, more...), opts.limits(), limitsOptional}, nil
}

// Help runs an image with --help, as kpt does for a function's documentation, and returns what it
// prints.
func Help(ctx context.Context, image string, opts Options) ([]byte, error) {
	f, err := New(image, opts)
	if err != nil {
		return nil, err
	}
	stdout, stderr, code, err := f.run(ctx, nil, "--help")
	if err == nil && code != 0 {
		err = fmt.Errorf("image %q: --help ended with exit status %d, so it may not know that flag: %s",
			image, code, strings.TrimSpace(string(stderr)))
	}
	return stdout, err
}

// Kind is the engine.
func (f *Function) Kind() string { return f.opts.Engine }

// Run runs the function once, in a container of its own.
func (f *Function) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, f.Process)
}

// Process runs the function on stdin, in a container of its own.
func (f *Function) Process(ctx context.Context, stdin []byte) (stdout, stderr []byte, code int, err error) {
	return f.run(ctx, stdin)
}

// killed is the exit status of a container whose program was ended by SIGKILL.
const killed = 137

// run runs the container once, with these arguments for its program.
func (f *Function) run(ctx context.Context, stdin []byte, args ...string) (stdout, stderr []byte, code int, err error) {
	limits := f.limits
	if _, without := noCgroups.Load(f.opts.Engine); without && f.limitsOptional {
		limits = nil
	}
	stdout, stderr, code, err = f.start(ctx, stdin, limits, args)
	if err == nil && isEngineStatus(code) && limits != nil && f.limitsOptional && mentionsCgroups(stderr) {
		noCgroups.Store(f.opts.Engine, true)
		stdout, stderr, code, err = f.start(ctx, stdin, nil, args)
	}
	switch {
	case err != nil:
		return nil, nil, 0, fmt.Errorf("image %q: %w", f.image, err)
	case isEngineStatus(code):
		return nil, nil, 0, fmt.Errorf("%s could not run image %q (exit status %d): %s%s",
			f.opts.Engine, f.image, code, strings.TrimSpace(string(stderr)), f.opts.Hint)
	case code == killed:
		return nil, nil, 0, exec.Stopped(stderr, "image %q: its program was killed, probably because it needs more than its "+
			"memory limit of %d bytes",
			f.image, f.opts.Limits.Memory)
	}
	return stdout, stderr, code, nil
}

// start starts a container of its own and waits for its end.
func (f *Function) start(ctx context.Context, stdin []byte, limits, args []string) (stdout, stderr []byte, code int, err error) {
	name := "waybill-" + rand.Text() // several machines and processes may share an engine
	argv := slices.Concat([]string{f.opts.Engine}, f.args, limits, []string{"--name", name, f.image}, args)
	defer removeOOMFile(f.opts.Engine)()
	stdout, stderr, code, err = exec.RunClient(ctx, argv, stdin, f.opts.Limits, func() { f.engine("kill", name) })
	if err != nil {
		f.engine("kill", name)
		f.engine("rm", "-f", name) // for a container that did not start, or whose client was killed
	}
	return stdout, stderr, code, err
}

// engineTimeout bounds the time to kill or remove a container, which takes some tenths of a
// second.
const engineTimeout = 30 * time.Second

// engine runs a command of the engine on a container, which may not exist. A container is ended by kill, which
// all engines have, and then removed: podman's rm alone waits ten seconds for a program that ignores
// SIGTERM.
func (f *Function) engine(args ...string) {
	ctx, cancel := context.WithTimeout(context.Background(), engineTimeout)
	defer cancel()
	_ = osexec.CommandContext(ctx, f.opts.Engine, args...).Run() // #nosec G204
}

// isEngineStatus reports whether an exit status is the engine's own: it could not run the container.
func isEngineStatus(code int) bool { return code >= 125 && code <= 127 }
