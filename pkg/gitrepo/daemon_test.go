package gitrepo_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// startDaemon serves the repositories of a folder by git daemon, and returns its URL.
func startDaemon(t *testing.T, dir string) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().String()
	_, port, _ := net.SplitHostPort(addr)
	l.Close()
	log := filepath.Join(t.TempDir(), "log")
	out, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	program := filepath.Join(gittest.Git(t, dir, "--exec-path"), "git-daemon") // a child of "git daemon" would outlive it
	cmd := exec.CommandContext(t.Context(), program, "--export-all", "--enable=receive-pack", "--listen=127.0.0.1", "--port="+port, "--base-path="+dir, dir)
	cmd.Stderr = out
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	for range 100 {
		if conn, err := net.Dial("tcp", addr); err == nil {
			conn.Close()
			return "git://" + addr
		}
		time.Sleep(50 * time.Millisecond)
	}
	said, _ := os.ReadFile(log)
	t.Fatalf("git daemon does not listen: %s", said)
	return ""
}

// TestDaemon reads a repository and a package from a git daemon, and does not push to it.
func TestDaemon(t *testing.T) {
	bare := gittest.NewBare(t)
	gittest.Commit(t, bare, gittest.Change{Tag: "web/v1", Files: gittest.Files(map[string]string{"web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"})})
	server := startDaemon(t, filepath.Dir(bare))
	url := server + "/" + filepath.Base(bare)
	repo, err := gitrepo.Open(t.Context(), url, gitrepo.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ref, ok := repo.Ref("refs/tags/web/v1")
	if !ok || ref.Commit.String() != gittest.Git(t, bare, "rev-parse", "web/v1") {
		t.Errorf("the tag is %v", ref)
	}
	if f, err := gitrepo.FetchPackage(t.Context(), url, "web", "web/v1", gitrepo.Options{}); err != nil || f.Tree.Blob("Kptfile") == nil {
		t.Errorf("the package: %v", err)
	}
	before := gittest.Refs(t, bare)
	err = repo.Stage().Push(t.Context(), []gitrepo.RefUpdate{{Name: "refs/heads/other", New: ref.Commit}})
	if err == nil || !strings.Contains(err.Error(), "only reads from git://") || gittest.Refs(t, bare) != before {
		t.Errorf("a push: %v", err)
	}
	if _, err := gitrepo.Open(t.Context(), server+"/none.git", gitrepo.Options{}); err == nil {
		t.Error("a repository that is not there can be opened")
	}
}
