package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	waybillapi "github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

const previewKptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve:v0.1.0
  - image: ghcr.io/waybill-dev/bundle-manifestwork:v0.1.0
`

const previewPolicy = `apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata:
  name: shop
spec:
  clusterSelectors:
  - matchLabels:
      site: edge
  downsync:
  - apiGroup: apps
    resources: [deployments]
  - resources: [secrets]
`

func previewClusters(names ...string) string {
	var texts []string
	for _, name := range names {
		texts = append(texts, "apiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: "+name+"\n  labels:\n    site: edge\n")
	}
	return strings.Join(texts, "---\n")
}

// previewRepo is a repository with a commit that is empty, and a package in folder shop, rendered and committed; then its Deployment was scaled down
// and committed, too, but not rendered.
func previewRepo(t *testing.T) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	root := t.TempDir()
	gittest.Git(t, root, "init", "--quiet", "--initial-branch=main")
	commitAll(t, root, "zero")
	shop := filepath.Join(root, "shop")
	for name, text := range map[string]string{
		"Kptfile": previewKptfile, "policy.yaml": previewPolicy, "clusters.yaml": previewClusters("a", "b", "c"),
		"app/web.yaml": edgeWeb("3", "web:1"), "app/secret.yaml": strings.Replace(edgeSecret("hunter2"), "name: token\n", "name: token\n  namespace: shop\n", 1),
	} {
		writeFile(t, filepath.Join(shop, filepath.FromSlash(name)), text, 0o644)
	}
	if r := runCLI(t, "fn", "render", shop); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	commitAll(t, root, "one")
	writeFile(t, filepath.Join(shop, "app", "web.yaml"), edgeWeb("0", "web:1"), 0o644)
	commitAll(t, root, "two")
	return root
}

// preview runs the command in a folder, prints JSON, and leaves out what the sides are called.
func preview(t *testing.T, dir string, args ...string) *waybillapi.FleetPreview {
	t.Helper()
	t.Chdir(dir)
	r := runCLI(t, append([]string{"fleet", "preview", "-o", "json"}, args...)...)
	if r.code != exitDone {
		t.Fatalf("%q: exit code %d, %s", args, r.code, r.stderr)
	}
	var p waybillapi.FleetPreview
	if err := json.Unmarshal([]byte(r.stdout), &p); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(r.stdout, "hunter") {
		t.Errorf("a secret is shown:\n%s", r.stdout)
	}
	return &p
}

// groupsOf is each group of a preview in a few words.
func groupsOf(p *waybillapi.FleetPreview) (out []string) {
	for _, g := range p.Groups {
		text := g.Change + " " + g.Object.Kind + " " + g.Object.Name + " " + g.With
		for _, s := range g.Shapes {
			text += " " + strings.Join(s.Clusters, ",")
		}
		out = append(out, text)
	}
	return out
}

// TestFleetPreviewSides asks about the same change in all ways in which it can be named.
func TestFleetPreviewSides(t *testing.T) {
	root := previewRepo(t)
	gittest.Git(t, root, "branch", "side", "HEAD~1")
	before := filepath.Join(t.TempDir(), "shop")
	gittest.Git(t, root, "worktree", "add", "--quiet", "--detach", filepath.Dir(before)+"/tree", "HEAD~1")
	before = filepath.Join(filepath.Dir(before), "tree", "shop")
	bare := filepath.Join(t.TempDir(), "bare.git")
	gittest.Git(t, root, "clone", "--quiet", "--bare", ".", bare)
	shop := filepath.Join(root, "shop")
	arrivals := []string{"added Deployment web joined a,b,c", "added ManifestWork shop-git-0 joined a,b,c", "added Secret token joined a,b,c"}
	scaled := []string{"changed Deployment web  a,b,c"}
	cases := map[string]struct {
		reason string
		dir    string
		args   []string
		want   []string
		file   string // where the object is said to be
	}{
		"Commits":      {"two commits, and the folder we are in", shop, []string{"HEAD~1..HEAD"}, scaled, "shop/app/web.yaml"},
		"OtherDir":     {"the folder may be named", root, []string{"side..main", "--dir", "shop"}, scaled, "shop/app/web.yaml"},
		"Back":         {"and the other way round", root, []string{"main..side", "--dir", "shop"}, scaled, "shop/app/web.yaml"},
		"MergeBase":    {"what main did since it left side", shop, []string{"side...main"}, scaled, "shop/app/web.yaml"},
		"NothingSince": {"side did nothing since", shop, []string{"main...side"}, nil, ""},
		"WorkTree":     {"a commit and the work tree", shop, []string{"HEAD~1.."}, scaled, "shop/app/web.yaml"},
		"Clean":        {"nothing is uncommitted", shop, nil, nil, ""},
		"Folder":       {"nothing is uncommitted there", root, []string{"shop"}, nil, ""},
		"Folders":      {"two folders", root, []string{before, "shop"}, scaled, "shop/app/web.yaml"},
		"Packages":     {"the packages of a folder that is none", root, []string{"HEAD~1..HEAD"}, scaled, "shop/app/web.yaml"},
		"Bare":         {"a bare repository", root, []string{"main~1..main", "--dir", bare}, scaled, "shop/app/web.yaml"},
		"Rendered":     {"what is not rendered ships nothing", shop, []string{"HEAD~1..HEAD", "--no-render"}, nil, ""},
		"New":          {"a package that was not there before", root, []string{"HEAD~2..HEAD", "--dir", "shop"}, arrivals, "shop/app/web.yaml"},
		"WhatIfToo":    {"two folders, and a cluster less", root, []string{before, "shop", "--without-cluster", "a"}, []string{"removed Deployment web left a", "removed ManifestWork shop-git-0 left a", "removed Secret token left a", "changed Deployment web  b,c"}, "shop/app/web.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			was := readAll(t, root)
			p := preview(t, tc.dir, tc.args...)
			if diff := cmp.Diff(tc.want, groupsOf(p)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if tc.file != "" && (p.Groups[0].Source == nil || p.Groups[0].Source.File != tc.file) {
				t.Errorf("%s: it is at %v, want %s", tc.reason, p.Groups[0].Source, tc.file)
			}
			if !was.Equal(readAll(t, root)) {
				t.Errorf("%s: a preview changes files", tc.reason)
			}
		})
	}
}

func readAll(t *testing.T, dir string) pkgtree.Tree {
	t.Helper()
	tree, err := pkgtree.ReadDir(dir, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// TestFleetPreviewWhatIf asks what other clusters would receive.
func TestFleetPreviewWhatIf(t *testing.T) {
	root := previewRepo(t)
	writeFile(t, filepath.Join(root, "new.yaml"), previewClusters("new"), 0o644)
	all := func(change, with, cluster string) []string {
		out := []string{}
		for _, o := range []string{"Deployment web", "ManifestWork shop-git-0", "Secret token"} {
			out = append(out, change+" "+o+" "+with+" "+cluster)
		}
		return out
	}
	cases := map[string]struct {
		reason string
		args   []string
		want   []string
	}{
		"With":    {"a cluster more", []string{"--with-cluster", "../new.yaml"}, []string{"added Deployment web joined new", "added ManifestWork shop-git-0 joined new", "added Secret token joined new"}},
		"Without": {"a cluster less", []string{"--without-cluster", "b"}, all("removed", "left", "b")},
		"Label":   {"one that is no edge site any more", []string{"--cluster-label", "c=site=core"}, all("removed", "left", "c")},
		"NoLabel": {"one without that label", []string{"--cluster-label", "c=site-"}, all("removed", "left", "c")},
		"After":   {"beside a change", []string{"HEAD~1..HEAD", "--without-cluster", "b"}, append(all("removed", "left", "b"), "changed Deployment web  a,c")},
		"Same":    {"a label that no policy asks for", []string{"--cluster-label", "c=x=y"}, nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, groupsOf(preview(t, filepath.Join(root, "shop"), tc.args...))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
