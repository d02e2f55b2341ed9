package main

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	publishcmd "github.com/waybill-dev/waybill/cmd/waybill/internal/publish"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/oci"
	"github.com/waybill-dev/waybill/pkg/oci/ocitest"
)

// publishRepo is a repository whose package shop is rendered for clusters a, b and c, in two commits on main.
func publishRepo(t *testing.T) string {
	t.Helper()
	root := previewRepo(t)
	renderAndCommit(t, root, "three")
	t.Chdir(root)
	return root
}

func renderAndCommit(t *testing.T, root, message string) {
	t.Helper()
	if r := runCLI(t, "fn", "render", filepath.Join(root, "shop")); r.code != exitDone {
		t.Fatal(r.stderr)
	}
	commitAll(t, root, message)
}

// published runs publish, and returns the state of each artifact.
func published(t *testing.T, args ...string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, row := range publishedRows(t, args...) {
		out[row.Name] = row.State
	}
	return out
}

func publishedRows(t *testing.T, args ...string) []publishcmd.Row {
	t.Helper()
	r := runCLI(t, append([]string{"publish", "-o", "json"}, args...)...)
	var list cli.List[publishcmd.Row]
	if err := json.Unmarshal([]byte(r.stdout), &list); r.code != exitDone || err != nil {
		t.Fatalf("exit code %d: %v\n%s%s", r.code, err, r.stdout, r.stderr)
	}
	return list.Items
}

// TestPublish follows a fleet through approved revisions.
func TestPublish(t *testing.T) {
	root, registry := publishRepo(t), ocitest.InMemory(t)
	to := registry.URL("fleet")
	all := func(state string) map[string]string { return map[string]string{"a": state, "b": state, "c": state} }
	for _, step := range []struct {
		reason string
		before func()
		args   []string
		want   map[string]string
	}{
		{"a dry run pushes nothing", nil, []string{"shop", to, "--dry-run"}, all("planned")},
		{"the first run", nil, []string{"shop", to}, all("pushed")},
		{"a second run", nil, []string{"shop", to}, all("unchanged")},
		{"a commit that changes nothing on clusters", func() { writeFile(t, "README.md", "x", 0o644); commitAll(t, root, "docs") }, []string{"shop", to}, all("unchanged")},
		{"another channel has tags of its own", nil, []string{"shop", to, "--tag", "stable"}, all("pushed")},
		{"a cluster leaves", func() {
			writeFile(t, "shop/clusters.yaml", previewClusters("a", "b"), 0o644)
			renderAndCommit(t, root, "leave")
			gittest.Git(t, root, "tag", "shop/v7")
		}, []string{"shop", to}, map[string]string{"a": "unchanged", "b": "unchanged", "c": "gone"}},
		{"a change in one file is a change for all", func() {
			writeFile(t, "shop/app/web.yaml", edgeWeb("5", "web:1"), 0o644)
			renderAndCommit(t, root, "scale")
			gittest.Git(t, root, "tag", "shop/v8")
		}, []string{"shop", to, "--revision", "v8"}, map[string]string{"a": "pushed", "b": "pushed", "c": "gone"}},
		{"works are at another prefix", nil, []string{"shop", registry.URL("hub"), "--content", "works", "--by", "label=site"}, map[string]string{"edge": "pushed"}},
	} {
		if step.before != nil {
			step.before()
		}
		if diff := cmp.Diff(step.want, published(t, step.args...)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", step.reason, diff)
		}
	}
	if diff := cmp.Diff([]string{"latest", "stable", "v8"}, slices.DeleteFunc(tagsOf(t, registry.URL("fleet/a")), func(s string) bool { return strings.HasPrefix(s, "sha-") })); diff != "" {
		t.Errorf("tags (-want +got):\n%s", diff)
	}
	files := pulledFiles(t, registry.URL("fleet/a:v8"))
	if diff := cmp.Diff([]string{"shop/deployment.apps_web.yaml", "shop/secret_token.yaml"}, slices.Sorted(maps.Keys(files))); diff != "" || !strings.Contains(files["shop/deployment.apps_web.yaml"], "replicas: 5") {
		t.Errorf("files (-want +got):\n%s\n%v", diff, files)
	}
	r := runCLI(t, "publish", "shop", to)
	if r.stderr != "Artifacts: 2 unchanged, 1 gone.\n" || !strings.Contains(r.stdout, "fleet/c:latest") || strings.Contains(r.stdout, "fleet/a:latest") {
		t.Errorf("the table has what is not unchanged:\n%s%s", r.stdout, r.stderr)
	}
}

func tagsOf(t *testing.T, url string) []string {
	t.Helper()
	ref, err := oci.ParseReference(url)
	must(t, err)
	client, err := oci.New(oci.Options{})
	must(t, err)
	tags, err := client.Tags(t.Context(), ref)
	must(t, err)
	return tags
}

func pulledFiles(t *testing.T, url string) map[string]string {
	t.Helper()
	ref, err := oci.ParseReference(url)
	must(t, err)
	client, err := oci.New(oci.Options{})
	must(t, err)
	pulled, err := client.Pull(t.Context(), ref)
	must(t, err)
	tree, _, err := pulled.Tree(oci.UnpackLimits{})
	must(t, err)
	out := map[string]string{}
	for p, b := range tree.All() {
		out[p] = string(b.Data())
	}
	return out
}

// TestPublishRefuses: what is not approved, or older, or another thing, is not published.
func TestPublishRefuses(t *testing.T) {
	root, registry := publishRepo(t), ocitest.InMemory(t)
	to := registry.URL("fleet")
	published(t, "shop", to)
	gittest.Git(t, root, "tag", "ORIG")
	for name, tc := range map[string]struct {
		change func()
		args   []string
		code   int
		want   string
	}{
		"Uncommitted": {func() { writeFile(t, "shop/more.yaml", "a: b\n", 0o644) }, []string{"shop", to}, exitFailed, `the folder differs from the commit in 1 file, for example "shop/more.yaml"`},
		"Draft": {func() {
			gittest.Git(t, root, "checkout", "--quiet", "-b", "drafts/shop/v2")
			writeFile(t, "shop/app/web.yaml", edgeWeb("9", "web:1"), 0o644)
			renderAndCommit(t, root, "draft")
		}, []string{"shop", to}, exitFailed, "is not approved: the branch main never pointed to it"},
		"MergedDraft": {func() {
			gittest.Git(t, root, "checkout", "--quiet", "-b", "drafts/shop/v3")
			writeFile(t, "shop/app/web.yaml", edgeWeb("9", "web:1"), 0o644)
			renderAndCommit(t, root, "draft")
			gittest.Git(t, root, "checkout", "--quiet", "main")
			gittest.Git(t, root, "-c", "user.name=T", "-c", "user.email=t@example.com", "merge", "--quiet", "--no-ff", "drafts/shop/v3")
		}, []string{"shop", to, "--revision", "drafts/shop/v3"}, exitFailed, "is not approved"},
		"Unpushed": {func() { gittest.Git(t, root, "update-ref", "refs/remotes/origin/main", "HEAD~1") }, []string{"shop", to}, exitFailed, "the branch origin/main never pointed to it"},
		"Older":    {nil, []string{"shop", to, "--revision", "HEAD~1"}, exitFailed, "publish a newer revision"},
		"Works":    {nil, []string{"shop", to, "--content", "works"}, exitFailed, "publish to another prefix"},
		"Folder":   {nil, []string{to}, exitFailed, "publish to another prefix"},
		"NoBranch": {nil, []string{"shop", to, "--branch", "trunk"}, exitFailed, `the repository has no branch "trunk"`},
		"NoCommit": {nil, []string{"shop", to, "--revision", "v9"}, exitFailed, `there is no commit "v9"`},
		"NoFolder": {nil, []string{"nowhere", to}, exitFailed, `has no folder "nowhere"`},
		"NoLabel":  {nil, []string{"shop", registry.URL("x"), "--by", "label=tier"}, exitFailed, `cluster "a" has no label "tier"`},
		"NoGit":    {nil, []string{t.TempDir(), to}, exitFailed, "only committed and approved files are published"},
		"NoURL":    {nil, []string{"shop"}, exitUsage, "want oci://HOST/REPOSITORY"},
		"Tag":      {nil, []string{"shop", to + ":v1"}, exitUsage, "--tag names the tag"},
		"FixedTag": {nil, []string{"shop", to, "--tag", "v3"}, exitUsage, "want a tag that may move"},
		"BadTag":   {nil, []string{"shop", to, "--tag", "a b"}, exitUsage, "want a tag that may move"},
		"Password": {nil, []string{"shop", to, "--source", "https://me:s3cr3t@git.example.com/x.git"}, exitUsage, "want a URL without a password"},
		"By":       {nil, []string{"shop", to, "--by", "region"}, exitUsage, `--by "region": want cluster or label=KEY`},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.change != nil {
				tc.change()
				defer func() {
					gittest.Git(t, root, "checkout", "--quiet", "--force", "main")
					gittest.Git(t, root, "reset", "--quiet", "--hard", "ORIG")
					gittest.Git(t, root, "clean", "--quiet", "-fd")
					gittest.Git(t, root, "update-ref", "-d", "refs/remotes/origin/main")
				}()
			}
			r := runCLI(t, append([]string{"publish"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stderr, tc.want) || r.stdout != "" || strings.Contains(r.stderr, "s3cr3t") {
				t.Errorf("want exit code %d and %q, got %d: %s%s", tc.code, tc.want, r.code, r.stdout, r.stderr)
			}
		})
	}
	older := published(t, "shop", to, "--revision", "HEAD~1", "--allow-older")
	if older["a"] != "pushed" || published(t, "shop", to)["a"] != "pushed" {
		t.Errorf("back and forth: %v", older)
	}
}

// TestPublishRepairs: another client moved a tag.
func TestPublishRepairs(t *testing.T) {
	publishRepo(t)
	registry := ocitest.InMemory(t)
	to := registry.URL("fleet")
	published(t, "shop", to, "--revision", "HEAD~1")
	rows := publishedRows(t, "shop", to)
	client, err := oci.New(oci.Options{MoveTags: true})
	must(t, err)
	ref, err := oci.ParseReference(registry.URL("fleet/b"))
	must(t, err)
	index := slices.IndexFunc(tagsOf(t, ref.URL()), func(tag string) bool {
		digest, err := client.Resolve(t.Context(), ref.WithTag(tag))
		return err == nil && digest != rows[1].Digest
	})
	if index < 0 {
		t.Fatal("there is no earlier artifact")
	}
	earlier, err := client.Resolve(t.Context(), ref.WithTag(tagsOf(t, ref.URL())[index]))
	must(t, err)
	must(t, client.Tag(t.Context(), ref.WithDigest(earlier), "latest"))
	if got := published(t, "shop", to)["b"]; got != "unchanged" {
		t.Errorf("the index is trusted, got %s", got)
	}
	if diff := cmp.Diff(map[string]string{"a": "unchanged", "b": "pushed", "c": "unchanged"}, published(t, "shop", to, "--check-tags")); diff != "" {
		t.Error(diff)
	}
	if digest, err := client.Resolve(t.Context(), ref.WithTag("latest")); err != nil || digest != rows[1].Digest {
		t.Errorf("%s %v", digest, err)
	}
}
