package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestFleetPreviewExit holds the command to its exit codes, and to telling why.
func TestFleetPreviewExit(t *testing.T) {
	root := previewRepo(t)
	writeFile(t, filepath.Join(root, "broken", "Kptfile"), strings.Replace(previewKptfile, "bundle-manifestwork", "nobody", 1), 0o644)
	writeFile(t, filepath.Join(root, "empty", "note.md"), "x", 0o644)
	writeFile(t, filepath.Join(root, "bare", "Kptfile"), rpkgKptfile, 0o644)
	writeFile(t, filepath.Join(root, "cm.yaml"), plainMap("x", "y"), 0o644)
	mustRun(t, "fn", "render", filepath.Join(root, "shop"))
	commitAll(t, root, "three")
	gittest.Git(t, root, "checkout", "--quiet", "-b", "worse")
	writeFile(t, filepath.Join(root, "shop", "policy.yaml"), strings.Replace(previewPolicy, "downsync:", "downsink:", 1), 0o644)
	commitAll(t, root, "four")
	gittest.Git(t, root, "checkout", "--quiet", "main")
	change := []string{"HEAD~2..HEAD", "--dir", "shop"}
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		stdout string // has this in it
		stderr string
	}{
		"Done":        {"a change is no failure", change, exitDone, "3 of 3 clusters change. Objects: 3 changed (1 different object, counted for every cluster).", ""},
		"Changes":     {"unless that is asked for", append(change, "--exit-code"), exitFailed, "scaled-to-zero", ""},
		"NoChange":    {"nothing changes", []string{"shop", "--exit-code"}, exitDone, "Nothing changes on any of 3 clusters.", ""},
		"Refused":     {"printed all the same", append(change, "--max-clusters", "2", "--exit-code"), exitRefused, "Deployment shop/web", "error: refused: 3 of 3 clusters would change, and --max-clusters is 2\n"},
		"Share":       {"a share of the objects", append(change, "--max-objects", "10%"), exitRefused, "", "error: refused: 3 of 6 objects would change, and --max-objects is 10%\n"},
		"Deletions":   {"a cluster goes", []string{"--dir", "shop", "--without-cluster", "a", "--max-deletions", "1"}, exitRefused, "", "error: refused: 2 of 6 objects would be deleted, and --max-deletions is 1\n"},
		"Allowed":     {"within its bounds", append(change, "--max-clusters", "100%", "--max-deletions", "0"), exitDone, "", ""},
		"BadBound":    {"no bound", append(change, "--max-clusters", "many"), exitUsage, "", "want a number that is 0 or more, or percent like 5%"},
		"NoWorkTree":  {"nothing to compare with", []string{t.TempDir()}, exitFailed, "", `is in no Git work tree; commit the package to a repository, or name two folders`},
		"BadFormat":   {"no format", []string{"-o", "html"}, exitUsage, "", `--output "html": want text, json, yaml, markdown, sarif, github`},
		"AllJSON":     {"flags that do not go together", []string{"-o", "json", "--all"}, exitUsage, "", "--all is for -o text"},
		"BadLabel":    {"no label", []string{"--cluster-label", "x"}, exitUsage, "", "want NAME=KEY=VALUE"},
		"TwoFolders":  {"which of them", []string{"shop", "--dir", "empty"}, exitUsage, "", `"shop" is no range of commits`},
		"NoCommit":    {"a commit that is not there", []string{"nobody..HEAD", "--exit-code", "--dir", "shop"}, exitUsage, "", `there is no commit "nobody"`},
		"NoFolder":    {"a folder that is not there", []string{"nowhere"}, exitFailed, "", "nowhere"},
		"NoSuchDir":   {"on no side", []string{"HEAD~2..HEAD~3", "--dir", "empty"}, exitFailed, "", `has no folder "empty"`},
		"After":       {"the side that fails is named", []string{"main..worse", "--dir", "shop"}, exitFailed, "", `error: after, worse: render package "shop": `},
		"Before":      {"either of them", []string{"worse..main", "--dir", "shop"}, exitFailed, "", `error: before, worse: render package "shop": `},
		"NoFunction":  {"an unknown function", []string{"HEAD..", "--dir", "broken", "--runtime", "inproc", "--exit-code"}, exitUsage, "", "HEAD: "},
		"Unknown":     {"an unknown cluster", []string{"--dir", "shop", "--without-cluster", "z"}, exitFailed, "", `no ManagedCluster and no Inventory names cluster "z"`},
		"NoCluster":   {"a file of something else", []string{"--dir", "shop", "--with-cluster", "cm.yaml"}, exitFailed, "", "want ManagedClusters"},
		"NoWorks":     {"nothing that is delivered", []string{"bare"}, exitDone, "Nothing changes", "No cluster receives anything on either side"},
		"NoPackage":   {"no package on either side, as for report", []string{"empty"}, exitFailed, "", "error: there is no package on either side (before, HEAD; after, "},
		"JointNobody": {"the merge base of one", []string{"HEAD...", "--dir", "shop"}, exitUsage, "", "BASE.. compares with the work tree"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(root)
			r := runCLI(t, append([]string{"fleet", "preview"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stdout, tc.stdout) || !strings.Contains(r.stderr, tc.stderr) {
				t.Errorf("%s: exit code %d, want %d\n%s\n%s", tc.reason, r.code, tc.code, r.stdout, r.stderr)
			}
			if strings.Contains(r.stdout+r.stderr, "hunter") {
				t.Errorf("%s: a secret is shown", tc.reason)
			}
		})
	}
}

// TestFleetPreviewForms prints a change in every form: the same bytes every time, and something of each kind.
func TestFleetPreviewForms(t *testing.T) {
	t.Chdir(filepath.Join(previewRepo(t), "shop"))
	for form, want := range map[string]string{
		"text": "Deployment shop/web: 1 field changes on 3 clusters  [medium: scaled-to-zero]\n", "table": "a, b, c",
		"json": `"kind": "FleetPreview"`, "yaml": "apiVersion: waybill.dev/v1alpha1\n", "markdown": "<!-- waybill fleet preview -->\n",
		"sarif": `"uri": "shop/app/web.yaml"`, "github": "::warning file=shop/app/web.yaml,line=1,title=Fleet preview%2C scaled-to-zero::",
	} {
		first, again := runCLI(t, "fleet", "preview", "HEAD~1..HEAD", "-o", form), runCLI(t, "fleet", "preview", "HEAD~1..HEAD", "-o", form, "--no-cache")
		if first.code != exitDone || !strings.Contains(first.stdout, want) {
			t.Errorf("%s: exit code %d, want %q in\n%s%s", form, first.code, want, first.stdout, first.stderr)
		}
		if first.stdout != again.stdout {
			t.Errorf("%s is not the same the second time", form)
		}
	}
}
