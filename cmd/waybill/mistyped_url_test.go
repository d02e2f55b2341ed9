package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestMistypedURL puts a password into a URL that is mistyped, in each place that names a repository, and looks for it in
// all that a command prints and writes.
func TestMistypedURL(t *testing.T) {
	for _, url := range []string{"http:/user:TOKEN@h/x.git", "http//user:TOKEN@h/x.git", "htps://user:TOKEN@h/x.git", "user:TOKEN@h:x.git", "https://user:TO/TOKEN@h/x.git"} {
		for name, args := range map[string][]string{
			"get":       {"pkg", "get", url + "/web@v1", "new"},
			"get whole": {"pkg", "get", url + "@v1", "new"},
			"update":    {"pkg", "update", "web"},
			"update to": {"pkg", "update", "web@v2"},
			"diff":      {"pkg", "diff", "web"},
			"render":    {"fn", "render", "web"},
			"reconcile": {"reconcile", "-f", "objects"},
			"dry run":   {"reconcile", "-f", "objects", "--dry-run"},
			"revisions": {"rpkg", "get", "-f", "objects"},
			"as YAML":   {"rpkg", "get", "-f", "objects", "-o", "yaml"},
			"pull":      {"rpkg", "pull", "-f", "objects", "blueprints.web.v1", "pulled"},
			"approve":   {"rpkg", "approve", "-f", "objects", "blueprints.web.v1"},
			"preview":   {"fleet", "preview", "-f", "objects"},
			"report":    {"fleet", "report", "-f", "objects", "-o", "report.html"},
		} {
			t.Run(name+" "+url, func(t *testing.T) {
				t.Chdir(mistyped(t, url))
				began := time.Now().Add(-time.Second)
				r := runCLI(t, args...)
				if said := r.stdout + r.stderr; strings.Contains(said, "TOKEN") {
					t.Errorf("exit status %d, and it says:\n%s", r.code, said)
				}
				for file := range snapshot(t, ".") {
					info, err := os.Stat(file)
					if err != nil || info.IsDir() || strings.HasPrefix(file, ".git"+string(filepath.Separator)) || strings.HasPrefix(file, "objects") || strings.HasPrefix(file, "web") || info.ModTime().Before(began) {
						continue
					}
					if text, _ := os.ReadFile(file); strings.Contains(string(text), "TOKEN") {
						t.Errorf("it writes to %s:\n%s", file, text)
					}
				}
			})
		}
	}
}

// mistyped is a folder of a package that comes from url, in Git, and of objects that name repositories at url.
func mistyped(t *testing.T, url string) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("WAYBILL_CACHE_DIR", t.TempDir())
	gittest.Git(t, dir, "init", "--quiet", "--initial-branch=main", ".")
	git := fmt.Sprintf("  git:\n    repo: '%s'\n    directory: /web\n    ref: v1\n", url)
	writeFile(t, filepath.Join(dir, "web", "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: web\nupstream:\n  type: git\n"+git+
		"upstreamLock:\n  type: git\n"+git+"    commit: 0123456789012345678901234567890123456789\n", 0o644)
	writeFile(t, filepath.Join(dir, "web", "sub", "Kptfile"), "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: sub\nupstream:\n  type: git\n"+git, 0o644)
	var objects strings.Builder
	for _, name := range []string{"blueprints", "deployments"} {
		fmt.Fprintf(&objects, "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: %s, namespace: default}\nspec: {type: git, git: {repo: '%s'}}\n", name, url)
	}
	fmt.Fprintf(&objects, "---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: Repository\nmetadata: {name: images, namespace: default}\nspec: {type: oci, oci: {registry: '%s'}}\n", url)
	objects.WriteString("---\napiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu, namespace: default}\nspec:\n  upstream: {repo: blueprints, package: web, revision: v1}\n  downstream: {repo: deployments, package: eu/web}\n")
	writeFile(t, filepath.Join(dir, "objects", "all.yaml"), objects.String(), 0o644)
	gittest.Git(t, dir, "add", "--all")
	gittest.Git(t, dir, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "--quiet", "--message=first")
	return dir
}
