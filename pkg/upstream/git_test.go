package upstream_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestGitRefs gets a package by refs that users write, and updates it: the recorded ref means the same later.
func TestGitRefs(t *testing.T) {
	dir := gittest.NewBare(t)
	id := gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"web/cm.yaml": configMap})})
	gittest.Git(t, dir, "tag", "v1", "main")
	for name, tc := range map[string]struct{ reason, ref, upstream, lock string }{
		"short":    {"a commit's beginning may one day mean others", id[:7], id, id},
		"capitals": {"ids are written in one way", strings.ToUpper(id), id, id},
		"HEAD":     {"HEAD is the branch that it was", "HEAD", "main", "main"},
		"tag":      {"a name stays as it was given", "tags/v1", "tags/v1", "refs/tags/v1"},
		"branch":   {"in full, too", "refs/heads/main", "refs/heads/main", "refs/heads/main"},
		"origin":   {"as a clone calls it", "origin/main", "origin/main", "main"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := upstream.Get(t.Context(), upstream.Git{}, kptfilev1.Git{Repo: dir, Directory: "/web", Ref: tc.ref}, upstream.GetOptions{Name: "here"})
			if err != nil {
				t.Fatal(err)
			}
			text, _ := got.Tree.Get("Kptfile")
			if !strings.Contains(string(text), "ref: "+refText(tc.upstream)+"\n  updateStrategy") || got.Packages[0].Lock.Ref != tc.lock || got.Packages[0].Lock.Commit != id {
				t.Errorf("%s: lock %+v, Kptfile:\n%s", tc.reason, got.Packages[0].Lock, text)
			}
			again, err := upstream.Update(t.Context(), upstream.Git{}, got.Tree, upstream.UpdateOptions{})
			if err != nil || !again.Tree.Equal(got.Tree) {
				t.Errorf("%s: an update to the same commit changes something: %v", tc.reason, err)
			}
			moved, err := upstream.Update(t.Context(), upstream.Git{}, got.Tree, upstream.UpdateOptions{Ref: tc.ref})
			if err != nil || !moved.Tree.Equal(got.Tree) {
				t.Errorf("%s: so does one to the ref that was asked for: %v", tc.reason, err)
			}
		})
	}
}

// refText is s as YAML writes it, which takes some ids for numbers.
func refText(s string) string {
	if strings.Trim(s, "0123456789e") == "" {
		return `"` + s + `"`
	}
	return s
}

// TestGitRewrite replaces a repository by the user's mirror: Get fetches from it, and does not record it.
func TestGitRewrite(t *testing.T) {
	dir := gittest.NewBare(t)
	gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"web/cm.yaml": configMap})})
	src := upstream.Git{Rewrite: func(_ context.Context, repo string) (string, error) {
		return strings.Replace(repo, "https://git.example/r", dir, 1), nil
	}}
	got, err := upstream.Get(t.Context(), src, kptfilev1.Git{Repo: "https://git.example/r", Directory: "/web", Ref: "main"}, upstream.GetOptions{Name: "here"})
	if err != nil {
		t.Fatal(err)
	}
	if text := textOf(got.Tree); strings.Count(text, "repo: https://git.example/r\n") != 2 || strings.Contains(text, dir) {
		t.Errorf("the Kptfile names the mirror:\n%s", text)
	}
	if _, err := upstream.Update(t.Context(), src, got.Tree, upstream.UpdateOptions{}); err != nil {
		t.Errorf("an update asks the mirror, too: %v", err)
	}
	src.Rewrite = func(context.Context, string) (string, error) { return "", errors.New("no configuration") }
	if _, err := upstream.Update(t.Context(), src, got.Tree, upstream.UpdateOptions{}); err == nil || !strings.Contains(err.Error(), "no configuration") {
		t.Errorf("an error of Rewrite is not returned: %v", err)
	}
}

// TestGitKeptFiles puts a symbolic link or a submodule in the place of files upstream: no update deletes the files here.
func TestGitKeptFiles(t *testing.T) {
	dir := gittest.NewBare(t)
	id := gittest.Commit(t, dir, gittest.Change{Files: gittest.Files(map[string]string{"web/cm.yaml": configMap, "web/db/cm.yaml": configMap, "web/note.txt": "x", "web/values.yaml": "a: b\n", "web/cm.json": `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"json"}}`, "text": "Error: template not found\n", "list": "apiVersion: v1\nkind: List\nitems: []\n", "map": "{}\n", "seq": "[]\n", "empty": "--- # nothing yet\n---\n", "cut": "\n---\nnull\n"})})
	got, err := upstream.Get(t.Context(), upstream.Git{}, kptfilev1.Git{Repo: dir, Directory: "/web", Ref: "main"}, upstream.GetOptions{Name: "here"})
	if err != nil {
		t.Fatal(err)
	}
	blob := gittest.Git(t, dir, "rev-parse", "main:web/note.txt")
	cut, commented := gittest.Git(t, dir, "rev-parse", "main:cut"), gittest.Git(t, dir, "rev-parse", "main:empty")
	text, list, emptyMap, seq := gittest.Git(t, dir, "rev-parse", "main:text"), gittest.Git(t, dir, "rev-parse", "main:list"), gittest.Git(t, dir, "rev-parse", "main:map"), gittest.Git(t, dir, "rev-parse", "main:seq")
	const emptied = "cm.yaml holds no object and no comment upstream any more, and an update would delete its objects here"
	for name, tc := range map[string]struct{ reason, gone, entry, err string }{
		"emptied":    {"but there", "cm.yaml", "100644," + cut + ",web/cm.yaml", "cm.yaml holds no object and no comment upstream any more, and an update would delete its objects here"},
		"values":     {"a file without objects, which is emptied", "values.yaml", "100644," + cut + ",web/values.yaml", strings.Replace(emptied, "cm.yaml", "values.yaml", 1)},
		"error text": {"as a redirection leaves it", "cm.yaml", "100644," + text + ",web/cm.yaml", emptied},
		"empty list": {"as kubectl prints nothing", "cm.yaml", "100644," + list + ",web/cm.yaml", emptied},
		"empty map":  {"but there", "cm.yaml", "100644," + emptyMap + ",web/cm.yaml", emptied},
		"empty seq":  {"but there", "cm.yaml", "100644," + seq + ",web/cm.yaml", emptied},
		"json":       {"but there", "cm.json", "100644," + cut + ",web/cm.json", "cm.json holds no object and no comment upstream any more, and an update would delete its objects here"},
		"commented":  {"and says so", "cm.yaml", "100644," + commented + ",web/cm.yaml", ""},
		"no objects": {"in it before", "note.txt", "100644," + cut + ",web/note.txt", ""},
		"link":       {"in the place of a file", "cm.yaml", "120000," + blob + ",web/cm.yaml", "cm.yaml is a symbolic link upstream now, which cannot be part of a package, and an update would delete cm.yaml here"},
		"submodule":  {"in the place of a folder", "db", "160000," + id + ",web/db", "db is a submodule upstream now, which cannot be part of a package, and an update would delete db/cm.yaml here"},
		"new link":   {"where nothing was", "", "120000," + blob + ",web/new.yaml", ""},
		"other file": {"goes, without a link", "note.txt", "100644," + blob + ",web/new.txt", ""},
	} {
		t.Run(name, func(t *testing.T) {
			work := "--work-tree=" + t.TempDir()
			gittest.Git(t, dir, work, "read-tree", id)
			if tc.gone != "" {
				gittest.Git(t, dir, work, "rm", "-r", "--cached", "--quiet", "web/"+tc.gone)
			}
			gittest.Git(t, dir, work, "update-index", "--add", "--cacheinfo", tc.entry)
			next := gittest.Git(t, dir, "-c", "user.name=E", "-c", "user.email=e@example.com", "commit-tree", "-p", id, "-m", name, gittest.Git(t, dir, "write-tree"))
			gittest.Git(t, dir, "update-ref", "refs/heads/main", next)
			if _, err := upstream.Update(t.Context(), upstream.Git{}, got.Tree, upstream.UpdateOptions{}); (err != nil) != (tc.err != "") || err != nil && !strings.Contains(err.Error(), tc.err) {
				t.Errorf("%s: %v, want %q", tc.reason, err, tc.err)
			}
			if tc.gone == "" {
				return
			}
			deleted := map[string][]byte{tc.gone: nil}
			if tc.gone == "db" {
				deleted = map[string][]byte{"db/cm.yaml": nil}
			}
			ours, err := got.Tree.Apply(deleted)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := upstream.Update(t.Context(), upstream.Git{}, ours, upstream.UpdateOptions{}); err != nil {
				t.Errorf("the file is deleted here: %v", err)
			}
		})
	}
}
