package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

const fleetToken = "s3cr3t-t0k3n"

// fleetRun is the example's fleet with real repositories, and a waybill of its own to run on it.
type fleetRun struct {
	*testing.T
	dir     string
	binary  string
	journal string // what the git on the PATH was called with

	blueprints string // folder of that repository
	said       bytes.Buffer
}

// newFleetRun seeds the example: the blueprint is published as shop/v1 behind a password, the
// deployments are files. The PATH holds a git that keeps a journal, and nothing else.
func newFleetRun(t *testing.T) *fleetRun {
	t.Helper()
	r := &fleetRun{T: t, dir: t.TempDir()}
	r.binary, r.journal = filepath.Join(r.dir, "bin", "waybill"), filepath.Join(r.dir, "journal")
	installWaybill(t, r.binary)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	r.write("bin/git", "#!/bin/sh\n{ echo \"$0 $*\"; export; } >> '"+r.journal+"'\nexec '"+git+"' \"$@\"\n")
	if err := os.Rename(gittest.NewBare(t), r.path("deployments.git")); err != nil {
		t.Fatal(err)
	}
	gittest.Commit(t, r.path("deployments.git"), gittest.Change{})
	if err := os.CopyFS(r.path("fleet"), os.DirFS("../../examples/edge-fleet/fleet")); err != nil {
		t.Fatal(err)
	}
	blueprints := gittest.NewBare(t)
	files := map[string]string{}
	for p, b := range readTree(t, blueprint).All() {
		files["shop/"+p] = string(b.Data())
	}
	gittest.Commit(t, blueprints, gittest.Change{Files: gittest.Files(files)})
	gittest.Git(t, blueprints, "tag", "shop/v1", "main")
	r.blueprints = blueprints
	url := gittest.NewHTTP(t, blueprints, gittest.BasicAuth("ada", fleetToken))
	r.edit("fleet/repositories.yaml", "../blueprints.git", url+"\n    secretRef:\n      name: blueprints")
	r.write("fleet/secret.yaml", "apiVersion: v1\nkind: Secret\nmetadata:\n  name: blueprints\n  namespace: fleet\nstringData:\n  username: ada\n  password: "+fleetToken+"\n")
	return r
}

func (r *fleetRun) path(name string) string { return filepath.Join(r.dir, name) }

func (r *fleetRun) write(name, text string) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(r.path(name), []byte(text), 0o755); err != nil {
		r.Fatal(err)
	}
}

func (r *fleetRun) read(name string) string {
	r.Helper()
	data, err := os.ReadFile(r.path(name))
	if err != nil {
		r.Fatal(err)
	}
	return string(data)
}

// edit replaces text, which must be there, in a file.
func (r *fleetRun) edit(name, old, new string) {
	r.Helper()
	text := r.read(name)
	if !strings.Contains(text, old) {
		r.Fatalf("%s has no %q", name, old)
	}
	r.write(name, strings.ReplaceAll(text, old, new))
}

// command prepares a run of the binary in the fleet's folder.
func (r *fleetRun) command(args ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd = exec.Command(r.binary, args...)
	cmd.Dir = r.dir
	cmd.Env = append(gittest.Env(), "PATH="+filepath.Dir(r.binary), "HOME="+r.dir)
	cmd.Stdout, cmd.Stderr = stdout, stderr
	return cmd, stdout, stderr
}

// run runs the binary and returns what it said and its exit status.
func (r *fleetRun) run(args ...string) (stdout, stderr string, code int) {
	r.Helper()
	cmd, out, messages := r.command(args...)
	var failed *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &failed) {
		r.Fatal(err)
	}
	r.said.WriteString(out.String() + messages.String())
	return out.String(), messages.String(), cmd.ProcessState.ExitCode()
}

// expect runs the binary and compares its exit status, what it said on stdout, blanks squeezed, and
// on stderr.
func (r *fleetRun) expect(reason string, code int, stdout, stderr string, args ...string) {
	r.Helper()
	out, messages, got := r.run(args...)
	if got != code {
		r.Errorf("%s: exit status %d, want %d", reason, got, code)
	}
	if diff := cmp.Diff(stdout, collapseTable(out)); diff != "" {
		r.Errorf("%s: stdout (-want +got):\n%s", reason, diff)
	}
	if diff := cmp.Diff(stderr, strings.ReplaceAll(messages, r.dir, "DIR")); diff != "" {
		r.Errorf("%s: stderr (-want +got):\n%s", reason, diff)
	}
}

// collapseTable makes every run of blanks two, so that tables compare without their widths.
func collapseTable(table string) string {
	var out strings.Builder
	for line := range strings.Lines(table) {
		var cells []string
		for cell := range strings.SplitSeq(strings.TrimSuffix(line, "\n"), "   ") {
			if cell = strings.TrimSpace(cell); cell != "" {
				cells = append(cells, cell)
			}
		}
		out.WriteString(strings.Join(cells, "  ") + "\n")
	}
	return out.String()
}

// unmoved fails unless do leaves every ref of the deployments where it was.
func (r *fleetRun) unmoved(reason string, do func()) {
	r.Helper()
	before := gittest.Refs(r, r.path("deployments.git"))
	do()
	if diff := cmp.Diff(before, gittest.Refs(r, r.path("deployments.git"))); diff != "" {
		r.Errorf("%s: refs moved (-before +after):\n%s", reason, diff)
	}
	gittest.Fsck(r, r.path("deployments.git"))
}
