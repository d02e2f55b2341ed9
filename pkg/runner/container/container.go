// Package container runs functions in containers, through podman, docker or nerdctl.
//
// Shape: New gives a Runner for an image. The container has no network, no mounts, no environment
// of ours, an unprivileged user and no way to gain privileges, just as kpt runs it.
// Bounds: those of package exec; a container that oversteps is removed by name.
// Errors: *runner.Failure for a function that exits non-zero; the engine's own failures (status
// 125 to 127) say that the container could not be run.
package container

import (
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"strings"
	"sync/atomic"
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
	Limits       exec.Limits
}

// New makes a Runner of an image. It does not pull it.
func New(image string, opts Options) (runner.Runner, error) {
	policy, ok := pull[opts.PullPolicy]
	if !ok {
		return nil, fmt.Errorf("image pull policy %q: want IfNotPresent, Always or Never", opts.PullPolicy)
	}
	if _, err := osexec.LookPath(opts.Engine); err != nil {
		return nil, fmt.Errorf("image %q needs a container engine: %w", image, err)
	}
	network := "none"
	if opts.AllowNetwork {
		network = "host"
	}
	args := []string{"run", "--rm", "-i", "--network", network, "--user", "nobody",
		"--security-opt=no-new-privileges", "--pull", policy}
	return &contained{image: image, engine: opts.Engine, args: args, limits: opts.Limits}, nil
}

type contained struct {
	image, engine string
	args          []string
	limits        exec.Limits
}

func (c *contained) Kind() string { return c.engine }

func (c *contained) Run(ctx context.Context, in *fn.Input) (*runner.Output, error) {
	return runner.Exchange(ctx, in, func(ctx context.Context, stdin []byte) ([]byte, []byte, int, error) {
		name := fmt.Sprintf("waybill-%d-%d", os.Getpid(), count.Add(1))
		argv := append([]string{c.engine}, c.args...)
		argv = append(argv, "--name", name, c.image)
		stdout, stderr, code, err := exec.Run(ctx, argv, stdin, c.limits)
		if err != nil {
			c.remove(name)
			return nil, nil, 0, err
		}
		if code >= 125 && code <= 127 {
			return nil, nil, 0, fmt.Errorf("%s could not run image %q (exit status %d): %s",
				c.engine, c.image, code, strings.TrimSpace(string(stderr)))
		}
		return stdout, stderr, code, nil
	})
}

// count makes the names of this process's containers differ.
var count atomic.Int64

// remove stops a container whose client was killed: the engine keeps it running otherwise.
func (c *contained) remove(name string) {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	_ = osexec.CommandContext(ctx, c.engine, "rm", "-f", name).Run() // #nosec G204
}
