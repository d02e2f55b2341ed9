package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// whatIfTrees are folders with packages in them, each with two clusters of its own or of all.
func whatIfTrees(t *testing.T, dir string) {
	t.Helper()
	one := func(folder string, clusters ...string) map[string]string {
		name := filepath.Base(folder)
		return map[string]string{folder + "/Kptfile": previewKptfile, folder + "/policy.yaml": strings.Replace(previewPolicy, "name: shop", "name: "+name, 1),
			folder + "/app/web.yaml": strings.Replace(edgeWeb("3", "web:1"), "name: web\n", "name: "+name+"\n", 1), folder + "/clusters.yaml": previewClusters(clusters...)}
	}
	for _, files := range []map[string]string{
		one("several/x", "a", "b"), one("several/deep/y", "a", "b"),
		one("nested/x", "a", "b"), one("nested/y", "c"), {"nested/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: nested\n"},
	} {
		for name, text := range files {
			writeFile(t, filepath.Join(dir, name), text, 0o644)
		}
	}
	writeFiles(t, dir, map[string]string{"new.yaml": previewClusters("new"), "a.yaml": "\n\n" + strings.Replace(previewClusters("a"), "edge", "lab", 1), "c.yaml": previewClusters("c")})
}

// TestFleetPreviewWithCluster adds and replaces clusters in folders of several packages.
func TestFleetPreviewWithCluster(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	dir := t.TempDir()
	whatIfTrees(t, dir)
	added := []string{"added Deployment x joined new", "added Deployment y joined new", "added ManifestWork x-git-0 joined new", "added ManifestWork y-git-0 joined new"}
	cases := map[string]struct {
		reason string
		args   []string
		want   []string
	}{
		"Several":  {"a cluster for all packages", []string{"--dir", "several", "--with-cluster", "new.yaml"}, added},
		"Nested":   {"packages in a package", []string{"--dir", "nested", "--with-cluster", "new.yaml"}, added},
		"Replaced": {"nothing is removed from a cluster that says what it said", []string{"--dir", "nested", "--with-cluster", "c.yaml"}, nil},
		"Another":  {"a cluster that is none of the policy's any more", []string{"--dir", "several", "--with-cluster", "a.yaml"}, []string{"removed Deployment x left a", "removed Deployment y left a", "removed ManifestWork x-git-0 left a", "removed ManifestWork y-git-0 left a"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, text := range groupsOf(preview(t, dir, tc.args...)) {
				got = append(got, strings.Join(strings.Fields(text)[:5], " "))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestFleetExplainWithCluster asks about clusters that are not there, and wants lines of files that are.
func TestFleetExplainWithCluster(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	dir := t.TempDir()
	whatIfTrees(t, dir)
	t.Chdir(dir)
	for name, tc := range map[string]struct {
		args []string
		want []string
	}{
		"New":      {[]string{"new", "--dir", "several", "--with-cluster", "new.yaml"}, []string{"new receives 2 objects in 2 works", "(new.yaml:1)"}},
		"Replaced": {[]string{"a", "--dir", "several", "--with-cluster", "a.yaml"}, []string{"a receives nothing", "(a.yaml:3)"}},
		"Gone":     {[]string{"b", "--dir", "several", "--without-cluster", "a"}, []string{"(several/deep/y/clusters.yaml:8)"}},
		"Labelled": {[]string{"b", "--dir", "several", "--cluster-label", "b=x=y", "--without-cluster", "a"}, []string{"x=y", "(several/deep/y/clusters.yaml:8)"}},
	} {
		r := runCLI(t, append([]string{"fleet", "explain"}, tc.args...)...)
		for _, want := range tc.want {
			if r.code != exitDone || !strings.Contains(r.stdout, want) {
				t.Errorf("%s: exit code %d, want %q in\n%s%s", name, r.code, want, r.stdout, r.stderr)
			}
		}
	}
}

// TestFleetPreviewVariantsWithCluster asks what PackageVariants would draft for a fleet with one more.
func TestFleetPreviewVariantsWithCluster(t *testing.T) {
	testenv.Need(t, testenv.Git)
	variantFleet(t)
	done(t, "reconcile", "-f", "fleet")
	approveAll(t)
	file := filepath.Join(t.TempDir(), "new.yaml")
	writeFile(t, file, previewClusters("new")+"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new\n  namespace: customization-properties\ndata: {city: Nowhere, registry: mirror.example.com, region: eu}\n", 0o644)
	p, _ := foreseen(t, exitDone, "--with-cluster", file)
	if diff := cmp.Diff([]string{"new"}, p.Summary.Joined); diff != "" || p.Summary.Removed != 0 {
		t.Errorf("%v\n%s", p.Summary, diff)
	}
}
