package main

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestPkgOverSSH takes a package from an SSH server and brings it up to date.
func TestPkgOverSSH(t *testing.T) {
	s, o := gittest.NewSSH(t), newPkgOrigin(t)
	t.Setenv("WAYBILL_SSH_KEY", s.KeyFile)
	t.Setenv("SSH_KNOWN_HOSTS", s.KnownHosts)
	t.Setenv("SSH_AUTH_SOCK", "")
	t.Chdir(t.TempDir())
	mustRun(t, "pkg", "get", s.URL(o.bare)+"/edge@v1")
	mustRun(t, "pkg", "update", "edge@v2")
	over := readPackage(t, "edge")
	t.Chdir(t.TempDir())
	mustRun(t, "pkg", "get", o.bare+"/edge@v1")
	mustRun(t, "pkg", "update", "edge@v2")
	for _, file := range over.Diff(readPackage(t, "edge")) {
		if file != "Kptfile" { // which says where it is from
			t.Errorf("%s is another than from a path", file)
		}
	}
}
