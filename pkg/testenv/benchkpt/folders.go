package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// newExt4 stands for a folder in a new file system, see onNewExt4.
const newExt4 = "ext4"

// folders calls measure once for each folder, with the tables that it fills.
func (b *bench) folders(dirs []string, t *table, measure func() error) (err error) {
	for _, dir := range dirs {
		if dir == newExt4 {
			t.where = "on " + newExt4
			err = b.onNewExt4(measure)
		} else {
			err = b.in(dir, t, measure)
		}
		if err != nil {
			break
		}
	}
	return errors.Join(err, t.end())
}

func (b *bench) in(dir string, t *table, measure func() error) (err error) {
	if b.below, err = filepath.Abs(dir); err != nil {
		return err
	}
	if t.where = "on disk"; inMemory(b.below) {
		t.where = "in memory"
	}
	return measure()
}

// onNewExt4 calls measure for a folder in a new ext4 with the default options, thus with a journal, as most disks have it. It is in a file
// below TMPDIR, which root can mount.
func (b *bench) onNewExt4(measure func() error) (err error) {
	dir, err := os.MkdirTemp("", "benchkpt-ext4-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	image := filepath.Join(dir, "image")
	b.below = filepath.Join(dir, "mounted")
	err = errors.Join(os.Mkdir(b.below, 0o700), command("mkfs.ext4", "-q", image, "1G"))
	if err == nil {
		err = command("mount", "-o", "loop", image, b.below)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, command("umount", b.below)) }()
	return measure()
}

func command(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput() // #nosec G204 -- the programs above
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

// timed runs a command to its end. On a disk, the system first writes what it still holds in memory: neither program
// waits for the files of the other, or for its own package.
func (b *bench) timed(cmd *exec.Cmd) (s sample, err error) {
	if b.below != "" && !inMemory(b.below) {
		if err := flush(b.below); err != nil {
			return s, err
		}
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	taken, err := usage.Run(cmd)
	if err != nil {
		return s, fmt.Errorf("%v: %w\n%s", cmd.Args, err, &out)
	}
	return sample{taken.Wall, taken.Peak}, nil
}
