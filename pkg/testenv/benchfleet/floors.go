package main

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"github.com/waybill-dev/waybill/pkg/testenv/usage"
)

// The floors.
const (
	floorWrite  = "write the works"
	floorHash   = "read and hash the works"
	floorAdd    = "git add of the works"
	floorImport = "git fast-import of the works"
)

var floorNames = []string{floorWrite, floorHash, floorAdd, floorImport}

// floors does what floors do once, and adds how long each took.
func (b *bench) floors(took map[string][]usage.Taken) error {
	works, err := b.works()
	if err != nil {
		return err
	}
	repository := b.path("floor")
	if err := os.MkdirAll(repository, 0o700); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(repository) }() // the folder of the whole run is removed at the end
	for _, floor := range []struct {
		name string
		run  func() error
	}{
		{floorWrite, func() error { return parallel(works, func(w work) error { return w.write(repository) }) }},
		{floorHash, func() error { return parallel(works, func(w work) error { return w.hash(repository) }) }},
		{floorAdd, func() error { return gitIn(repository, nil, "add", "--all") }},
		{floorImport, func() error { return gitIn(repository, stream(works), "fast-import", "--quiet") }},
	} {
		if floor.name == floorAdd {
			if err := gitIn(repository, nil, "init", "--quiet"); err != nil {
				return err
			}
		}
		start := time.Now()
		if err := floor.run(); err != nil {
			return fmt.Errorf("%s: %w", floor.name, err)
		}
		took[floor.name] = append(took[floor.name], usage.Taken{Wall: time.Since(start)})
	}
	return nil
}

// work is the file of one cluster.
type work struct {
	name   string // slash path in the package
	data   []byte
	digest [sha256.Size]byte
}

// works reads all files of the fleet that waybill wrote.
func (b *bench) works() (works []work, err error) {
	root := b.path("fleet")
	err = filepath.WalkDir(filepath.Join(root, "clusters"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name) // #nosec G304 G122 -- a file of the fleet
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, name)
		works = append(works, work{filepath.ToSlash(rel), data, sha256.Sum256(data)})
		return err
	})
	if err == nil && len(works) == 0 {
		err = errors.New("there are no works")
	}
	return works, err
}

func (w work) write(dir string) error {
	file := filepath.Join(dir, filepath.FromSlash(w.name))
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, w.data, 0o600))
}

func (w work) hash(dir string) error {
	data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(w.name))) // #nosec G304 -- a file that write wrote
	if err == nil && sha256.Sum256(data) != w.digest {
		err = fmt.Errorf("%s was not written", w.name)
	}
	return err
}

// stream is what git fast-import reads: one commit with all works.
func stream(works []work) []byte {
	var out bytes.Buffer
	out.WriteString("commit refs/heads/floor\ncommitter b <b@example.com> 0 +0000\ndata 0\n")
	for _, w := range works {
		fmt.Fprintf(&out, "M 100644 inline %s\ndata %d\n", w.name, len(w.data))
		out.Write(w.data)
		out.WriteByte('\n')
	}
	return out.Bytes()
}

// parallel runs do for all works on all processors.
func parallel(works []work, do func(work) error) error {
	var wg sync.WaitGroup
	n := runtime.GOMAXPROCS(0)
	failed := make([]error, n)
	for part := range n {
		wg.Go(func() {
			for i := part; i < len(works); i += n {
				failed[part] = errors.Join(failed[part], do(works[i]))
			}
		})
	}
	wg.Wait()
	return errors.Join(failed...)
}

func gitIn(dir string, input []byte, args ...string) error {
	cmd := exec.Command("git", append([]string{"-c", "gc.auto=0"}, args...)...) // #nosec G204 -- fixed commands
	cmd.Dir, cmd.Stdin = dir, bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w: %s", args[0], err, out)
	}
	return nil
}
