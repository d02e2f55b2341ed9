package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

const (
	exitDone    = cli.ExitDone
	exitFailed  = cli.ExitFailed
	exitUsage   = cli.ExitUsage
	exitRefused = cli.ExitRefused
)

// cliRun is what came of one command line.
type cliRun struct {
	code           int
	stdout, stderr string
}

// runCLI runs one command line in this process, without input.
func runCLI(t testing.TB, args ...string) cliRun {
	t.Helper()
	return runCLIOn(t, "", args...)
}

func runCLIOn(t testing.TB, stdin string, args ...string) cliRun {
	t.Helper()
	var out, messages bytes.Buffer
	code := execute(t.Context(), args, strings.NewReader(stdin), &out, &messages)
	return cliRun{code, out.String(), messages.String()}
}

// buildWaybill builds the program and returns the folder to put on the PATH.
func buildWaybill(t testing.TB) string {
	t.Helper()
	bin := t.TempDir()
	installWaybill(t, filepath.Join(bin, "waybill"))
	return bin
}

// writeArchive writes the files of a txtar archive into a new folder; those of bin can be run.
func writeArchive(t *testing.T, archive string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		mode := fs.FileMode(0o644)
		if strings.HasPrefix(f.Name, "bin/") {
			mode = 0o755
		}
		writeFile(t, filepath.Join(dir, f.Name), string(f.Data), mode)
	}
	return dir
}

func writeFile(t testing.TB, file, text string, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// onPath puts a folder of programs in front of the PATH.
func onPath(t *testing.T, bin string) {
	t.Helper()
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// snapshot is everything that can be seen of a folder: by path, the mode, the time of the last
// change, and the content or the target of a link.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		var content []byte
		switch {
		case d.Type().IsRegular():
			content, err = os.ReadFile(file)
		case d.Type()&fs.ModeSymlink != 0:
			var target string
			target, err = os.Readlink(file)
			content = []byte(target)
		}
		out[strings.TrimPrefix(file, dir)] = info.Mode().String() + " " + info.ModTime().String() + "\n" + string(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
