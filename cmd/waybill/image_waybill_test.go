package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestImageListsWaybill: the checkout that this is has an image of the controller.
func TestImageListsWaybill(t *testing.T) {
	out, _ := mustRunImage(t, "list", "--dir", "../..")
	for line := range strings.Lines(out) {
		if strings.HasPrefix(line, "waybill ") && strings.Contains(line, " ghcr.io/waybill-dev/waybill:v") {
			return
		}
	}
	t.Errorf("want a line for waybill, got:\n%s", out)
}

// TestImageOfWaybill builds the controller's image and runs it as a hardened pod does: no root, no
// right to write, no network, and a user that no file knows.
func TestImageOfWaybill(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	const tag = "v0.0.0-waybill-cmd-test"
	const ref = "ghcr.io/waybill-dev/waybill:" + tag
	dir := t.TempDir()
	command(t, nil, filepath.Join(buildWaybill(t), "waybill"), "image", "build", "waybill", "--dir", "../..", "--tarball-dir", dir, "--tag", tag, "--platform", hostPlatform())
	podman := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("podman", args...).CombinedOutput() // #nosec G204 -- a test's own arguments
		if err != nil {
			t.Fatalf("podman %s: %v: %s", strings.Join(args, " "), err, out)
		}
		return string(out)
	}
	podman("load", "-q", "-i", filepath.Join(dir, "waybill.tar"))
	t.Cleanup(func() { podman("rmi", "-f", ref) })
	hardened := func(user string, args ...string) []string {
		return append([]string{"run", "--rm", "--network", "none", "--read-only", "--read-only-tmpfs=false", "--cap-drop", "all",
			"--security-opt=no-new-privileges", "--pull", "never", "--user", user, ref}, args...)
	}
	for name, tc := range map[string]struct {
		reason string
		args   []string
		want   string
	}{
		"version":  {"arguments take the place of the image's own", hardened("12345:12345", "version"), "waybill "},
		"help":     {"the controller is in it", hardened("54321:54321", "controller", "--help"), "--leader-elect"},
		"function": {"and so are the functions", hardened("65532:65532", "fn", "list"), "bind-resolve"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := podman(tc.args...); !strings.Contains(got, tc.want) {
				t.Errorf("%s: want %q in:\n%s", tc.reason, tc.want, got)
			}
		})
	}
	if got := podman("image", "inspect", "--format", "{{.Config.User}} {{.Config.Entrypoint}} {{.Config.Cmd}}", ref); got != "65532:65532 [/usr/local/bin/waybill] [controller]\n" {
		t.Errorf("the image runs otherwise than a Deployment expects: %s", got)
	}
}
