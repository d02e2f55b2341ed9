package main

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

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

// folders calls measure once for each folder, with the tables that it fills.
func (b *bench) folders(dirs []string, t *table, measure func() error) error {
	for _, dir := range dirs {
		var err error
		if b.below, err = filepath.Abs(dir); err != nil {
			return err
		}
		if t.where = "on disk"; inMemory(b.below) {
			t.where = "in memory"
		}
		if err := measure(); err != nil {
			return errors.Join(err, t.end())
		}
	}
	return t.end()
}
