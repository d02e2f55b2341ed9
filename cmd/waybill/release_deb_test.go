package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestReleaseDeb installs the package in a container that has dpkg and little else, renders an example there, and removes it.
func TestReleaseDeb(t *testing.T) {
	dir := release(t, testenv.Podman)
	debs := releaseFiles(t, dir, `waybill_.*_linux_`+runtime.GOARCH+`\.deb`)
	root := debianRoot(t)
	run := func(script string) string {
		t.Helper()
		return command(t, nil, "podman", "run", "--rm", "--network", "none", "--env", "HOME=/tmp", "--rootfs", root, "/bin/bash", "-ec", script)
	}
	run("dpkg --version") // the engine adds files of its own
	bare := pathsBelow(t, root)
	for target, from := range map[string]string{"waybill.deb": debs[0], "example.tar": packed(t)} {
		command(t, nil, "cp", from, filepath.Join(root, "tmp", target))
	}

	run("dpkg -i /tmp/waybill.deb")
	checkReleased(t, dir, run("waybill version"))
	if got := run("waybill controller --help"); !strings.Contains(got, "--leader-elect") {
		t.Errorf("the controllers are installed, too:\n%s", got)
	}
	if got := run("source /usr/share/bash-completion/completions/waybill && complete -p waybill"); got != "complete -o default -F __start_waybill waybill\n" {
		t.Errorf("bash completes waybill: %q", got)
	}
	if got := run("gzip -dc /usr/share/man/man1/waybill-fn-render.1.gz"); !strings.Contains(got, `.TH "WAYBILL\-FN\-RENDER" "1"`) {
		t.Errorf("there are pages of the manual:\n%s", got)
	}
	run("cd /tmp && tar -xf example.tar && waybill fn render blueprint --runtime inproc")
	sameTree(t, readTree(t, blueprint), readTree(t, filepath.Join(root, "tmp", "blueprint")))

	run("dpkg -i /tmp/waybill.deb && dpkg --purge waybill && rm -rf /tmp/* /tmp/.cache")
	if diff := cmp.Diff(bare, pathsBelow(t, root)); diff != "" {
		t.Errorf("what is left of the package (-before +after):\n%s", diff)
	}
}

// debianPrograms are those of which the container consists: dpkg, what it runs, and a shell.
var debianPrograms = []string{"dpkg", "dpkg-deb", "dpkg-query", "dpkg-split", "start-stop-daemon", "ldconfig", "tar", "rm", "diff", "sh", "bash", "cat", "gzip"}

// debianRoot is a file system with the programs of this machine and a database of dpkg in which no package is installed: nothing is
// downloaded.
func debianRoot(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for _, dir := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates", "var/log", "tmp", "root", "usr/bin", "usr/sbin", "etc"} {
		must(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for link, to := range map[string]string{"bin": "usr/bin", "sbin": "usr/sbin"} {
		must(t, os.Symlink(to, filepath.Join(root, link)))
	}
	writeFile(t, filepath.Join(root, "var/lib/dpkg/status"), "", 0o644)
	for _, name := range debianPrograms {
		path, err := exec.LookPath(name)
		if err != nil {
			path = "/usr/sbin/" + name // not on the PATH of every user
		}
		if _, err := os.Stat(path); err != nil {
			t.Skipf("SKIPPED: this check needs a Debian with %s: %v", name, err)
		}
		copyInto(t, root, path)
		libraries, err := exec.Command("ldd", path).Output() // #nosec G204 -- one of the programs; a script or a static one has none
		if err != nil {
			continue
		}
		for _, library := range regexp.MustCompile(`/\S+`).FindAllString(string(libraries), -1) {
			copyInto(t, root, library)
		}
	}
	return root
}

// copyInto puts a file, or the one that a link leads to, below root.
func copyInto(t *testing.T, root, file string) {
	t.Helper()
	to := filepath.Join(root, file)
	must(t, os.MkdirAll(filepath.Dir(to), 0o755))
	command(t, nil, "cp", "--dereference", file, to)
}

// pathsBelow are the paths below root, without those that dpkg keeps for itself.
func pathsBelow(t *testing.T, root string) (paths []string) {
	t.Helper()
	must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		name := strings.TrimPrefix(path, root)
		if err == nil && !strings.HasPrefix(name, "/var/lib/dpkg/") && name != "/var/log/dpkg.log" {
			paths = append(paths, name)
		}
		return err
	}))
	slices.Sort(paths)
	return paths
}
