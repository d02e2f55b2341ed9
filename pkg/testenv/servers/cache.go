package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/waybill-dev/waybill/pkg/osfile"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// cache is a folder of built programs.
type cache struct {
	testenv.Programs
	dir    string
	ours   bool   // whether we may write to dir
	module string // folder of the module with one package for each program
}

// fill builds the programs that the folder lacks.
func (c cache) fill() error {
	missing := c.missing()
	switch {
	case len(missing) == 0:
		return nil
	case !c.ours:
		return fmt.Errorf("%[1]s=%[2]q lacks %[3]s: complete it, or unset %[1]s to have all of it built",
			c.Theirs, c.dir, strings.Join(missing, ", "))
	}
	if err := os.MkdirAll(c.dir, 0o755); err != nil { // #nosec G301 -- programs, no secrets
		return err
	}
	return c.alone(func() error { return c.build(c.missing()) })
}

func (c cache) missing() (names []string) {
	for _, program := range c.Programs.Programs {
		if _, err := exec.LookPath(filepath.Join(c.dir, program.Name)); err != nil {
			names = append(names, program.Name)
		}
	}
	return names
}

// alone calls do under a lock of the folder. The lock ends with the process.
func (c cache) alone(do func() error) error {
	dir, err := os.Open(c.dir)
	if err != nil {
		return err
	}
	defer dir.Close()
	for err = osfile.TryLock(dir, osfile.Exclusive); errors.Is(err, osfile.ErrLocked); err = osfile.TryLock(dir, osfile.Exclusive) {
		time.Sleep(100 * time.Millisecond) // another process builds for minutes
	}
	if err != nil {
		return fmt.Errorf("lock %q: %w", c.dir, err)
	}
	return do()
}

// build compiles beside the place where a program belongs and moves it there when it is whole.
func (c cache) build(names []string) error {
	if err := c.sweep(); err != nil || len(names) == 0 {
		return err
	}
	tmp, err := os.MkdirTemp(c.dir, unfinished)
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fmt.Fprintf(os.Stderr, "%s: building %s; this takes some minutes, once\n", c.Part, strings.Join(names, ", "))
	if err := c.compile(names, tmp); err != nil {
		return fmt.Errorf("build %s: %w", strings.Join(names, ", "), err)
	}
	for _, name := range names {
		if err := os.Rename(filepath.Join(tmp, name), filepath.Join(c.dir, name)); err != nil {
			return err
		}
	}
	return nil
}

// unfinished is the prefix of the folder of a build.
const unfinished = ".build-"

// sweep removes folders of builds that were killed. The caller holds the lock: no other build runs.
func (c cache) sweep() error {
	entries, err := os.ReadDir(c.dir)
	for _, entry := range entries {
		if err == nil && strings.HasPrefix(entry.Name(), unfinished) {
			err = os.RemoveAll(filepath.Join(c.dir, entry.Name()))
		}
	}
	return err
}

func (c cache) compile(names []string, into string) error {
	into, err := filepath.Abs(into)
	if err != nil {
		return err
	}
	for _, program := range c.Programs.Programs {
		if !slices.Contains(names, program.Name) {
			continue
		}
		// #nosec G204 -- the names are ours
		cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags="+c.linkerFlags(),
			"-o", filepath.Join(into, program.Name), cmp.Or(program.Package, "./"+program.Name))
		cmd.Dir, cmd.Stdout, cmd.Stderr = c.module, os.Stderr, os.Stderr
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOWORK=off")
		if err := cmd.Run(); err != nil {
			return err
		}
	}
	return nil
}

// linkerFlags make the programs say which release they are, as Kubernetes' own build does.
func (c cache) linkerFlags() string {
	flags := "-s -w"
	if c.Stamp != "" {
		parts := strings.Split(strings.TrimPrefix(c.Version, "v"), ".")
		flags += fmt.Sprintf(" -X %[1]s.gitVersion=%[2]s -X %[1]s.gitMajor=%[3]s -X %[1]s.gitMinor=%[4]s", c.Stamp, c.Version, parts[0], parts[1])
	}
	return flags
}
