package image

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// kptRun is how a kpt runtime runs a function, with a read-only root on top.
var kptRun = []string{"run", "--rm", "-i", "--network", "none", "--user", "nobody",
	"--security-opt=no-new-privileges", "--pull", "never", "--read-only"}

func podman(t testing.TB, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("podman", args...)
	cmd.Stdin = strings.NewReader(stdin)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("podman %s: %v: %s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// load builds a function of the test module for this machine and loads its tarball, under a tag
// of its own so that it meets no real image. It returns the reference and the image's id.
func load(t testing.TB, function string) (ref, id string) {
	t.Helper()
	dir := t.TempDir()
	mustWrite(t, dir, module())
	ref = fleet + function + ":v0.0.0-waybill-test"
	f, err := parseFunction(function, nil)
	if err != nil {
		t.Fatal(err)
	}
	built, err := BuildFunction(t.Context(), dir, *f, "v0.0.0-waybill-test", Platforms())
	if err != nil {
		t.Fatal(err)
	}
	idx := built.Index
	path := filepath.Join(dir, function+".tar")
	if err := WriteTarball(path, ref, idx, HostPlatform()); err != nil {
		t.Fatal(err)
	}
	podman(t, "", "load", "-q", "-i", path)
	t.Cleanup(func() { podman(t, "", "rmi", "-f", ref) })
	img, err := find(idx, HostPlatform())
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigName()
	if err != nil {
		t.Fatal(err)
	}
	return ref, config.Hex
}

func TestPodmanRunsFunction(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	ref, id := load(t, "copy-input")
	if diff := cmp.Diff(id+"\n", podman(t, "", "image", "inspect", "--format", "{{.Id}}", ref)); diff != "" {
		t.Errorf("podman's image is not the one built (-built +loaded):\n%s", diff)
	}
	in := strings.Repeat("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n", 10_000)
	if diff := cmp.Diff(in, podman(t, in, append(kptRun, ref)...)); diff != "" {
		t.Errorf("stdin to stdout (-in +out):\n%s", diff)
	}
}

func TestPodmanRunsUnprivileged(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	ref, _ := load(t, "who-am-i")
	cases := map[string]struct {
		reason string
		args   []string
		want   string
	}{
		"Kpt":       {reason: "nobody is found by name.", args: kptRun, want: "65534 65534 true\n"},
		"Default":   {reason: "An engine that is told nothing must not run us as root.", args: []string{"run", "--rm", "--network", "none", "--pull", "never"}, want: "65534 65534 true\n"},
		"Arbitrary": {reason: "OpenShift and `--as-current-user` give a uid that no file knows.", args: append(kptRun[:len(kptRun):len(kptRun)], "--user", "12345:12345"), want: "12345 12345 true\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, podman(t, "", append(tc.args, ref)...)); diff != "" {
				t.Errorf("%s\nuid, gid and whether / is protected (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// lowerTempDir is t.TempDir without the test's name: podman names what it pulls from a layout by
// the layout's path, and an image name has no upper case.
func lowerTempDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "waybill-layout-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

// TestPodmanReadsLayout pulls by reference from a layout that holds two functions.
func TestPodmanReadsLayout(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	dir := lowerTempDir(t)
	apply(t, dir, []put{{"bind", "v1", "v1"}, {"bundle", "v1", "v1"}})
	idx := mustBuild(t, fakeSpec("bundle", "v1"))
	img, err := find(idx, HostPlatform())
	if err != nil {
		t.Fatal(err)
	}
	want, err := img.ConfigName()
	if err != nil {
		t.Fatal(err)
	}
	id := strings.TrimSpace(podman(t, "", "pull", "-q", "oci:"+dir+":"+fleet+"bundle:v1"))
	t.Cleanup(func() { podman(t, "", "rmi", "-f", id) })
	if diff := cmp.Diff(want.Hex, id); diff != "" {
		t.Errorf("image id (-built +pulled):\n%s", diff)
	}
}
