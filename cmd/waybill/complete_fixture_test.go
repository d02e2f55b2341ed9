package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// completeKubeconfig has a context whose name a shell would run, and one with a line end.
const completeKubeconfig = `apiVersion: v1
kind: Config
contexts:
- {name: hub, context: {cluster: c, namespace: fleet}}
- {name: "lab-1", context: {cluster: c, namespace: lab}}
- {name: "$(touch pwned)", context: {cluster: c, namespace: "a\nb"}}
- {name: "two\nlines", context: {cluster: c}}
`

const completePackage = `
-- fleet/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: fleet}
upstream:
  type: git
  git: {repo: REPO, directory: /base, ref: v1}
-- fleet/sites.yaml --
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: zurich-1}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: "evil\nname"}
---
apiVersion: cluster.open-cluster-management.io/v1
kind: ManagedCluster
metadata: {name: lab-1}
-- fleet/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
---
apiVersion: example.com/v1
kind: Deployment
metadata: {name: other, namespace: shop}
---
apiVersion: v1
kind: Namespace
metadata: {name: shop}
-- fleet/broken.yaml --
kind: [ManagedCluster
-- fleet/clusters/basel-1/cm.yaml --
apiVersion: v1
kind: ConfigMap
metadata: {name: only-basel, namespace: shop}
-- fleet/sub/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata: {name: sub}
-- fleet/.hidden/Kptfile --
-- other/readme --
no package
-- more;evil/Kptfile --
-- -rf/Kptfile --
`

// completeWorld is a work tree with packages, files of Repository objects, and a kubeconfig.
type completeWorld struct {
	dir, repo string
	env       []string
	asked     *atomic.Int32 // how often the server of the remote repository was contacted
}

func newCompleteWorld(t *testing.T) completeWorld {
	t.Helper()
	testenv.Need(t, testenv.Git)
	fleet := newRpkgFleet(t)
	for ref, target := range map[string]string{
		"heads/proposed/eu/api/two": "main", "tags/eu/old/v1": "main", "heads/deletionProposed/eu/old/v1": "main",
		"heads/drafts/eu/web/$(touch-pwned)": "main", "heads/drafts/lab": "main",
	} {
		gittest.Git(t, fleet.repo, "update-ref", "refs/"+ref, target)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	var asked atomic.Int32
	go func() {
		for {
			if _, err := listener.Accept(); err != nil {
				return
			}
			asked.Add(1) // and never answer
		}
	}()
	dir := writeArchive(t, strings.ReplaceAll(completePackage, "REPO", fleet.repo))
	for name, text := range map[string]string{
		"repositories.yaml": repositoryYAML("fleet", "deployments", fleet.repo) + "---\n" + repositoryYAML("lab", "deployments", fleet.repo) +
			"---\n" + repositoryYAML("far", "remote", "http://"+listener.Addr().String()+"/r.git"),
		"one.yaml":     repositoryYAML("fleet", "deployments", fleet.repo),
		"kubeconfig":   completeKubeconfig,
		"a\nb/Kptfile": rpkgKptfile,
		"a\tb/Kptfile": rpkgKptfile,
	} {
		writeFile(t, filepath.Join(dir, name), text, 0o644)
	}
	gittest.Git(t, dir, "init", "-q", "-b", "main")
	gittest.Git(t, dir, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first")
	for _, ref := range []string{"heads/feature/x", "tags/v1", "remotes/origin/main", "heads/$(touch-pwned)"} {
		gittest.Git(t, dir, "update-ref", "refs/"+ref, "HEAD")
	}
	bin := buildWaybill(t)
	installController(t, bin)
	env := append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "HOME="+t.TempDir(), "KUBECONFIG=kubeconfig", "WAYBILL_COMPLETION_TIMEOUT=2m")
	return completeWorld{dir, fleet.repo, env, &asked}
}

// complete types words and presses the tab key behind the last one: what the program answers, without descriptions.
func (w completeWorld) complete(t *testing.T, words ...string) (proposals []string, directive string) {
	t.Helper()
	bin, _, _ := strings.Cut(lookup(w.env, "PATH"), ":")
	cmd := exec.Command(filepath.Join(bin, "waybill"), append([]string{"__complete"}, words...)...)
	stdin, end, err := os.Pipe() // that of the shell: it stays open
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	defer end.Close()
	cmd.Dir, cmd.Env, cmd.Stdin = w.dir, w.env, stdin
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%q: %v", words, err)
	}
	lines := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	for _, line := range lines[:len(lines)-1] {
		text, _, _ := strings.Cut(line, "\t")
		proposals = append(proposals, text)
	}
	return proposals, strings.TrimPrefix(lines[len(lines)-1], ":")
}

// lookup returns the last value of a variable.
func lookup(env []string, name string) (value string) {
	for _, line := range env {
		if v, ok := strings.CutPrefix(line, name+"="); ok {
			value = v
		}
	}
	return value
}
