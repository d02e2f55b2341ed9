package main

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestRpkgOfCluster takes a revision through its life with the Repository objects of a real API server.
func TestRpkgOfCluster(t *testing.T) {
	c := clustertest.Shared(t)
	c.InstallCRDs(t, "../../controllers/manifests/crds")
	namespace := c.Namespace(t)
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"README.md": "fleet\n"})})
	gittest.Commit(t, dir, gittest.Change{Branch: "drafts/eu/web/one", Files: gittest.Files(map[string]string{
		"eu/web/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\n"})})
	url := gittest.NewHTTP(t, dir, gittest.BasicAuth("ada", fleetToken))
	if out, err := c.Kubectl(t, c.Admin(), `apiVersion: v1
kind: Secret
metadata: {name: git}
type: kubernetes.io/basic-auth
stringData: {username: ada, password: `+fleetToken+`}
---
apiVersion: config.porch.kpt.dev/v1alpha1
kind: Repository
metadata: {name: deployments}
spec: {type: git, git: {repo: "`+url+`", secretRef: {name: git}}}
`, "apply", "-n", namespace, "-f", "-"); err != nil {
		t.Fatal(err, out)
	}
	config := c.Kubeconfig(t, c.Admin())
	t.Setenv("KUBECONFIG", config)
	const name = "deployments.eu.web.one"
	for _, step := range []struct{ verb, want string }{
		{"get", "Draft"}, {"propose", name + " proposed\n"}, {"approve", name + " approved\n"}, {"get", "Published"},
	} {
		r := runCLI(t, "rpkg", step.verb, "--kubeconfig", config, "-n", namespace, name)
		if r.code != exitDone || !strings.Contains(r.stdout, step.want) {
			t.Errorf("%s: want %q, got %d %q %q", step.verb, step.want, r.code, r.stdout, r.stderr)
		}
	}
	user, err := c.Kubectl(t, c.Admin(), "", "auth", "whoami", "-o", "jsonpath={.status.userInfo.username}")
	if author := gittest.Git(t, dir, "log", "-1", "--format=%an <%ae>", "main"); err != nil || user == "" || author != user+" <"+user+">" {
		t.Errorf("user %q of the kubeconfig (%v) approved, not %s", user, err, author)
	}
	if r := runCLI(t, "rpkg", "get", "-n", namespace); r.code != exitDone || !strings.Contains(r.stdout, name) {
		t.Errorf("KUBECONFIG counts, as for kubectl: %d %q %q", r.code, r.stdout, r.stderr)
	}
	if r := runCLI(t, "rpkg", "get", "--kubeconfig", config, "-f", "fleet"); r.code != exitUsage {
		t.Errorf("files and a cluster: %d %q", r.code, r.stderr)
	}
}
