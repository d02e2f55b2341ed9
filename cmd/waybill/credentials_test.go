package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// guardedFleet is a blueprint and a repository of deployments at a URL that asks for credentials, the variant between them, and a
// Repository that the command does not name and that no server serves.
func guardedFleet(t *testing.T, url func(dir string) string, secretRef string) (dir, deployments string) {
	t.Helper()
	testenv.Need(t, testenv.Git)
	for name, value := range map[string]string{"HOME": t.TempDir(), "NETRC": "", "GIT_ASKPASS": "", "SSH_AUTH_SOCK": "", "GIT_CONFIG_COUNT": "0"} {
		t.Setenv(name, value)
	}
	blueprints, deployments := gittest.NewBare(t), gittest.NewBare(t)
	gittest.Commit(t, blueprints, gittest.Change{Tag: "shop/v1", Files: gittest.Files(map[string]string{"shop/Kptfile": rpkgKptfile})})
	gittest.Commit(t, deployments, gittest.Change{Message: "The fleet begins\n"})
	dir = t.TempDir()
	writeFile(t, filepath.Join(dir, "repositories.yaml"), repositoryYAML("fleet", "blueprints", blueprints)+"---\n"+
		repositoryYAML("fleet", "deployments", url(deployments))+secretRef+"---\n"+repositoryYAML("fleet", "gone", "http://127.0.0.1:1/gone.git"), 0o600)
	writeFile(t, filepath.Join(dir, "eu.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu, namespace: fleet}\n"+
		"spec: {upstream: {repo: blueprints, package: shop, revision: 1}, downstream: {repo: deployments, package: eu/shop}}\n", 0o600)
	return dir, deployments
}

// TestCredentialsOfGit reads and writes repositories with what a user has for Git, as pkg get does, and says so where a Secret is
// named that the files do not hold.
func TestCredentialsOfGit(t *testing.T) {
	const secretRef = "    secretRef: {name: login}\n"
	const warned = `warning: repository fleet/deployments: the files hold no Secret "login" of namespace "fleet": Git's credential helpers, .netrc and the SSH agent are used` + "\n"
	const advice = "store them with a credential helper of git (git config credential.helper, git credential approve), or put USER:PASSWORD@, or a token in the place of the password, before the host in the URL"
	for name, tc := range map[string]struct {
		reason, secretRef   string
		netrc, helper       bool
		warns, says, absent string
	}{
		"helper":       {reason: "what Git's helpers know", helper: true},
		"netrc":        {reason: "what .netrc has", netrc: true},
		"no Secret":    {reason: "a Secret that only the cluster has", netrc: true, secretRef: secretRef, warns: warned},
		"nothing":      {reason: "no credentials at all", says: "and .netrc has none for it; " + advice, absent: "Secret"},
		"not even one": {reason: "nor a Secret", secretRef: secretRef, warns: warned, says: advice + `; or add the Secret "login" of namespace "fleet", which spec.git.secretRef names, to the files`},
	} {
		t.Run(name, func(t *testing.T) {
			var url string
			dir, deployments := guardedFleet(t, func(dir string) string {
				url = gittest.NewHTTP(t, dir, gittest.BasicAuth("ada", "s3cret"))
				return url
			}, tc.secretRef)
			home := t.TempDir()
			t.Setenv("HOME", home)
			if tc.netrc {
				writeFile(t, filepath.Join(home, ".netrc"), "machine 127.0.0.1\nlogin ada\npassword s3cret\n", 0o600)
			}
			if tc.helper {
				store := filepath.Join(home, "store")
				writeFile(t, store, strings.Replace(strings.TrimSuffix(url, "/repo.git"), "://", "://ada:s3cret@", 1)+"\n", 0o600)
				t.Setenv("GIT_CONFIG_COUNT", "1")
				t.Setenv("GIT_CONFIG_KEY_0", "credential.helper")
				t.Setenv("GIT_CONFIG_VALUE_0", "store --file='"+store+"'")
			}
			before := gittest.Refs(t, deployments)
			steps := [][]string{{"reconcile", "-f", dir}}
			if tc.says == "" {
				steps = append(steps, []string{"rpkg", "propose", "-f", dir, "deployments.eu.shop.packagevariant-1"},
					[]string{"rpkg", "reject", "-f", dir, "deployments.eu.shop.packagevariant-1"})
			}
			for _, step := range steps {
				r := runCLI(t, step...)
				checkSilent(t, r, "s3cret")
				stderr, warned := strings.CutPrefix(r.stderr, tc.warns)
				if !warned || (r.code == exitDone) != (tc.says == "") || (stderr == "") != (tc.says == "") || !strings.Contains(stderr, tc.says) || tc.absent != "" && strings.Contains(stderr, tc.absent) {
					t.Errorf("%s: %q: exit code %d, stdout:\n%s\nstderr:\n%s", tc.reason, step, r.code, r.stdout, r.stderr)
				}
			}
			if after := gittest.Refs(t, deployments); strings.Contains(after, "refs/heads/drafts/eu/shop/packagevariant-1") != (tc.says == "") {
				t.Errorf("%s: a draft is made and can be proposed; refs were\n%s\nand are\n%s", tc.reason, before, after)
			}
		})
	}
}

// TestCredentialsOfSSH drafts through an SSH server with the user's key.
func TestCredentialsOfSSH(t *testing.T) {
	s := gittest.NewSSH(t)
	dir, deployments := guardedFleet(t, s.URL, "")
	t.Setenv("WAYBILL_SSH_KEY", s.KeyFile)
	t.Setenv("SSH_KNOWN_HOSTS", s.KnownHosts)
	mustRun(t, "reconcile", "-f", dir)
	mustRun(t, "rpkg", "propose", "-f", dir, "deployments.eu.shop.packagevariant-1")
	if refs := gittest.Refs(t, deployments); !strings.Contains(refs, "refs/heads/proposed/eu/shop/packagevariant-1") {
		t.Errorf("there is no proposal:\n%s", refs)
	}
}

// TestUnreachableRepository has a Repository of the namespace that cannot be read and that nothing names: it stops no variant, no set
// and no command for a revision of another one.
func TestUnreachableRepository(t *testing.T) {
	dir, deployments := guardedFleet(t, func(dir string) string { return dir }, "")
	writeFile(t, filepath.Join(dir, "set.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha2\nkind: PackageVariantSet\nmetadata: {name: all, namespace: fleet}\n"+
		"spec: {upstream: {repo: blueprints, package: shop, revision: 1}, targets: [{repositories: [{name: deployments, packageNames: [us/shop]}]}]}\n", 0o600)
	for range 2 {
		mustRun(t, "reconcile", "-f", dir)
	}
	for _, verb := range []string{"get", "propose", "reject"} {
		if r := runCLI(t, "rpkg", verb, "-f", dir, "deployments.us.shop.packagevariant-1"); r.code != exitDone || r.stderr != "" {
			t.Errorf("rpkg %s: exit code %d, stderr %s", verb, r.code, r.stderr)
		}
	}
	r := runCLI(t, "rpkg", "get", "-f", dir, "-o", "name")
	if r.code != exitDone || !strings.HasPrefix(r.stderr, "warning: repository fleet/gone: ") || strings.Count(r.stdout, ".shop.packagevariant-1\n") != 2 {
		t.Errorf("rpkg get: exit code %d, stdout %s, stderr %s", r.code, r.stdout, r.stderr)
	}
	const refused = "error: del: what is in a repository that cannot be read may have its upstream here: make it readable, or leave its Repository out: repository fleet/gone: "
	if r := runCLI(t, "rpkg", "del", "-f", dir, "deployments.us.shop.packagevariant-1"); r.code != exitFailed || !strings.HasPrefix(r.stderr, refused) {
		t.Errorf("rpkg del: nothing is deleted while that may be an upstream; exit code %d, stderr %s", r.code, r.stderr)
	}
	if refs := gittest.Refs(t, deployments); !strings.Contains(refs, "refs/heads/drafts/us/shop/packagevariant-1") {
		t.Errorf("the draft is there; refs are\n%s", refs)
	}
}
