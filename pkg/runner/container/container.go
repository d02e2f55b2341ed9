// Package container runs functions in containers, through podman, docker or nerdctl.
//
// Shape: New gives a Runner for an image. The container has no network, no mounts, no environment
// of ours and an unprivileged user, unless Options give it some, and no way to gain privileges,
// just as kpt runs it. Stricter than kpt: it has no capabilities, and can write to /tmp only.
// Bounds: time and output as in package exec, memory and processes by the engine; a container that
// oversteps or is interrupted is killed, and gone within a second or so. When we are killed ourselves,
// the engine's client is told by SIGTERM, on Linux, and podman ends the container some seconds after its
// time. Where an engine may not limit memory and processes (rootless, with
// no say over cgroups), what Options do not name has no limit, as in kpt, and what they name fails.
// Cost: beside the function's own, an engine needs a few tenths of a second to start and end one.
// Errors: *runner.Failure for a function that exits non-zero; others name the image: those of the
// engine itself (status 125 to 127), and a function that was stopped, with its limit.
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

// Engines are the container engines that can be named.
var Engines = []string{"podman", "docker", "nerdctl"}

// Pull policies, and what the engines call them.
var pull = map[string]string{"": "missing", "IfNotPresent": "missing", "Always": "always", "Never": "never"}

// Options say how containers are run.
type Options struct {
	Engine       string // one of Engines
	PullPolicy   string // IfNotPresent (default), Always or Never
	AllowNetwork bool
	Limits       exec.Limits // Memory is that of the whole container, /tmp included; default 2 GiB
	Processes    int         // most processes and threads at a time; default 256

	// Mounts are shown to the function, as "type=bind,src=/from,dst=/to", read-only unless with ",rw=true".
	Mounts []string
	// Env are variables for the function: "NAME=VALUE", or "NAME" for one of ours, whose value then
	// shows in nobody's arguments.
	Env []string
	// AsCurrentUser runs the function with our user and group instead of nobody's.
	AsCurrentUser bool
}

// Function is the function of an image. It is a Runner.
type Function struct {
	image   string
	opts    Options
	args    []string // of the engine, before the image
	limits  []string // more of them, that take cgroups
	mustRun bool     // without limits where they cannot be had, because nobody named them
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
	mustRun := opts.Limits.Memory == 0 && opts.Processes == 0
	opts = opts.withDefaults()
	if err := opts.checkBounds(); err != nil {
		return nil, fmt.Errorf("image %q: %w", image, err)
	}
	more, err := opts.mountsAndEnv()
	if err != nil {
		return nil, err
	}
	args := append([]string{"run", "--rm", "-i", "--pull", policy}, opts.cage()...)
	return &Function{image, opts, append(args, more...), opts.limits(), mustRun}, nil
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

// Process is what Run has the function do: it is given stdin in a container of its own.
func (f *Function) Process(ctx context.Context, stdin []byte) (stdout, stderr []byte, code int, err error) {
	return f.run(ctx, stdin)
}

// killed is the exit status of a container whose program was ended by SIGKILL.
const killed = 137

// run runs the container once, with these arguments for its program.
func (f *Function) run(ctx context.Context, stdin []byte, args ...string) (stdout, stderr []byte, code int, err error) {
	limits := f.limits
	if _, without := noCgroups.Load(f.opts.Engine); without && f.mustRun {
		limits = nil
	}
	stdout, stderr, code, err = f.start(ctx, stdin, limits, args)
	if err == nil && ofEngine(code) && limits != nil && f.mustRun && aboutCgroups(stderr) {
		noCgroups.Store(f.opts.Engine, true)
		stdout, stderr, code, err = f.start(ctx, stdin, nil, args)
	}
	switch {
	case err != nil:
		return nil, nil, 0, fmt.Errorf("image %q: %w", f.image, err)
	case ofEngine(code):
		return nil, nil, 0, fmt.Errorf("%s could not run image %q (exit status %d): %s",
			f.opts.Engine, f.image, code, strings.TrimSpace(string(stderr)))
	case code == killed:
		return nil, nil, 0, exec.Stopped(stderr, "image %q: its program was killed, as happens when it needs more than its "+
			"memory limit of %d bytes",
			f.image, f.opts.Limits.Memory)
	}
	return stdout, stderr, code, nil
}

// start starts a container of its own and waits for its end.
func (f *Function) start(ctx context.Context, stdin []byte, limits, args []string) (stdout, stderr []byte, code int, err error) {
	name := "waybill-" + rand.Text() // one engine may serve several machines and their processes
	argv := slices.Concat([]string{f.opts.Engine}, f.args, limits, []string{"--name", name, f.image}, args)
	defer tidy(f.opts.Engine)()
	stdout, stderr, code, err = exec.RunClient(ctx, argv, stdin, f.opts.Limits, func() { f.engine("kill", name) })
	if err != nil {
		f.engine("kill", name)
		f.engine("rm", "-f", name) // of one that never began, and of one whose client had to be killed
	}
	return stdout, stderr, code, err
}

// mostOfEngine is how long an engine may take to kill or remove a container; it needs some tenths of a
// second.
const mostOfEngine = 30 * time.Second

// engine has the engine do something about a container, if there is one. To end one it is killed, which
// all engines call the same, and not removed alone: podman's rm first has a program that does not listen
// to SIGTERM run on for ten seconds.
func (f *Function) engine(args ...string) {
	ctx, cancel := context.WithTimeout(context.Background(), mostOfEngine)
	defer cancel()
	_ = osexec.CommandContext(ctx, f.opts.Engine, args...).Run() // #nosec G204
}

// ofEngine reports whether an exit status is the engine's own: it could not run the container.
func ofEngine(code int) bool { return code >= 125 && code <= 127 }
