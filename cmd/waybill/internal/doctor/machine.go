package doctor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/runner/container"
)

// program is an executable that Waybill runs, and how to see whether it works.
type program struct {
	name, what string
	args       []string
	absent     State
	advice     string
}

var git = program{"git", "git", []string{"--version"}, Failed, "install git: every command with a repository runs it"}

var kpt = program{"kpt", "kpt", []string{"version"}, Missing, "optional: kpt can run the same functions"}

// machine checks what is on this machine.
func machine(ctx context.Context) []Check {
	return []Check{within(ctx, git.check), within(ctx, engine), within(ctx, kpt.check),
		folder("temporary files", os.TempDir(), "TMPDIR"), locks(), cache()}
}

// check runs the program.
func (p program) check(ctx context.Context) Check {
	if _, err := exec.LookPath(p.name); err != nil {
		return Check{p.what, p.absent, p.name + " is not on the PATH", p.advice}
	}
	out, err := exec.CommandContext(ctx, p.name, p.args...).CombinedOutput() // #nosec G204 -- one of the programs above
	first, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	if err != nil {
		return Check{p.what, Failed, p.name + ": " + err.Error() + ": " + first,
			"run '" + p.name + " " + strings.Join(p.args, " ") + "' and correct what it reports"}
	}
	if p.args[0] == "info" {
		first = p.name + " answers"
	}
	return Check{p.what, OK, first, ""}
}

// engine checks the first engine that is installed.
func engine(ctx context.Context) Check {
	for _, name := range container.Engines {
		if _, err := exec.LookPath(name); err == nil {
			return program{name, "container engine", []string{"info"}, Missing, ""}.check(ctx)
		}
	}
	return Check{"container engine", Missing, "podman, docker and nerdctl are not on the PATH",
		"optional: install one to run functions that are not linked into waybill"}
}

// cache checks the folder of the caches.
func cache() Check {
	var flags cli.CacheFlags
	dir := flags.Folder("")
	if dir == "" {
		return Check{"cache", Skipped, "no cache is used", "unset " + cli.NoCacheVariable + ", or set " + cli.CacheDirVariable}
	}
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		return Check{"cache", OK, dir + " does not exist yet", ""}
	}
	return folder("cache", dir, cli.CacheDirVariable)
}

// folder checks that files can be written to dir, which an environment variable names.
func folder(name, dir, variable string) Check {
	f, err := os.CreateTemp(dir, ".waybill-doctor-*")
	if err != nil {
		return Check{name, Failed, err.Error(), "make the folder writable, or set " + variable + " to another one"}
	}
	if err := errors.Join(f.Close(), os.Remove(f.Name())); err != nil {
		return Check{name, Failed, err.Error(), "make the folder writable"}
	}
	return Check{name, OK, dir, ""}
}

// locks checks that folders can be locked, which keeps two processes from writing to one package.
func locks() Check {
	f, err := os.Open(os.TempDir())
	if err != nil {
		return Check{"locks", Failed, err.Error(), "make the folder readable, or set TMPDIR to another one"}
	}
	defer f.Close()
	if err := osfile.TryLock(f, osfile.Shared); err != nil && !errors.Is(err, osfile.ErrLocked) {
		return Check{"locks", Missing, "folders cannot be locked: " + err.Error(), "run one waybill at a time on a package"}
	}
	return Check{"locks", OK, "folders can be locked", ""}
}
