package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestKilledRenderOfSecrets kills renders of Secrets while these wait for their places. Git is shown nothing of
// them, and the next command that writes there, around or in it removes them.
func TestKilledRenderOfSecrets(t *testing.T) {
	testenv.Long(t, "many processes are killed")
	testenv.Need(t, testenv.Git)
	waybill := filepath.Join(buildWaybill(t), "waybill")
	bare := manyFiles(t)
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	for name, next := range map[string][]string{
		"render":       {"fn", "render", "all/p"},
		"render above": {"fn", "render", "all"},
		"render below": {"fn", "render", "all/p/sub"},
		"get beside":   {"pkg", "get", bare + "/many@v1", "all/p/q"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			gittest.Git(t, ".", "init", "--quiet", "--initial-branch=main", ".")
			secrets(t, "all/p")
			commitAll(t, ".", "all")
			killWhileWaiting(t, waybill, "all/p")
			if left := leftIn(t, "."); len(left) == 0 {
				t.Fatal("nothing waited when it was killed")
			}
			gittest.Git(t, ".", "add", "--all")
			if shown := gittest.Git(t, ".", "diff", "--cached", "--name-only"); strings.Contains(shown, "waybill") {
				t.Errorf("Git takes what waits for its place:\n%s", shown)
			}
			if said, err := within(time.Minute, waybill, next...); err != nil {
				t.Fatalf("%v: %s", err, said)
			}
			if left := leftIn(t, "."); len(left) > 0 {
				t.Errorf("%v leaves %v", next, left)
			}
		})
	}
}

// secrets is a package of many Secrets, which a render changes, in a package that has no pipeline.
func secrets(t *testing.T, dir string) {
	t.Helper()
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"
	files := map[string]string{
		filepath.Join(dir, "..", "Kptfile"): kptfile, filepath.Join(dir, "sub", "Kptfile"): kptfile,
		filepath.Join(dir, "Kptfile"): kptfile + "pipeline:\n  mutators:\n  - image: set-labels:v0.2\n    configMap:\n      a: b\n",
	}
	for i := range 1500 {
		files[filepath.Join(dir, fmt.Sprintf("s%d.yaml", i))] = fmt.Sprintf("apiVersion: v1\nkind: Secret\nmetadata:\n  name: s%d\nstringData:\n  word: hidden\n", i)
	}
	must(t, os.MkdirAll(filepath.Join(dir, "sub"), 0o755))
	for file, text := range files {
		must(t, os.WriteFile(file, []byte(text), 0o644))
	}
}

// killWhileWaiting kills a render of dir once something there waits for its place.
func killWhileWaiting(t *testing.T, waybill, dir string) {
	t.Helper()
	var said bytes.Buffer
	cmd := exec.Command(waybill, "fn", "render", dir)
	cmd.Stdout, cmd.Stderr = &said, &said
	must(t, cmd.Start())
	for began := time.Now(); time.Since(began) < time.Minute; {
		if found, _ := filepath.Glob(dir + "/.waybill-tmp-*/[0-9]*"); len(found) > 20 {
			break
		}
	}
	must(t, cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Fatalf("it was not killed: %s", &said)
	}
}

// leftIn are the files and folders below dir that a write has left.
func leftIn(t *testing.T, dir string) (left []string) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(file string, _ fs.DirEntry, err error) error {
		if strings.HasPrefix(filepath.Base(file), ".waybill-") {
			left = append(left, file)
		}
		return err
	}))
	return left
}
