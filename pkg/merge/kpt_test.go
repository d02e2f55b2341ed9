package merge

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/mergetest"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestSameAsKpt updates the packages of the golden cases with the real kpt: both say the same, file by
// file and object by object, or both refuse. A case with a file called "kpt" is a difference that we
// want, and docs/pkg-differences.md explains; it has to be there, or the page is wrong.
func TestSameAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt, testenv.Git)
	kpt := newKpt(t)
	for _, g := range mergetest.Goldens(t, "testdata") {
		if options(g).Prefer != "" {
			continue // kpt prefers upstream
		}
		t.Run(filepath.Base(filepath.Dir(g.File))+"/"+g.Name(), func(t *testing.T) {
			t.Parallel()
			if options(g).Strategy == CopyMerge {
				if _, err := kpt.update(t, g.Base, g.Theirs, g.Ours, CopyMerge); err == nil {
					t.Error("this kpt knows copy-merge; compare with it")
				}
				return
			}
			d := kpt.compare(t, g.Base, g.Theirs, g.Ours, options(g).Strategy, asWritten)
			if wanted := g.Section("kpt") != ""; wanted && d == "" {
				t.Errorf("%s\nthis is no difference to kpt (any more)", g.Reason)
			} else if !wanted && d != "" {
				t.Errorf("%s\n%s", g.Reason, d)
			}
		})
	}
}

// TestKptDifferences holds the page to the cases: every difference that a case shows is a row there, and
// every case that a row names is there and shows it.
func TestKptDifferences(t *testing.T) {
	page, err := os.ReadFile("../../docs/pkg-differences.md")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, g := range mergetest.Goldens(t, "testdata") {
		if row := strings.TrimSpace(g.Section("kpt")); row != "" {
			want = append(want, fmt.Sprintf("%s: %s/%s", row, filepath.Base(filepath.Dir(g.File)), g.Name()))
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^\| (.+?) \|.*\| (.+?) \|$`).FindAllStringSubmatch(string(page), -1) {
		row, _, _ := strings.Cut(m[1], ": ")
		for _, name := range regexp.MustCompile("`([a-z-]+/[a-z-]+)`").FindAllStringSubmatch(m[2], -1) {
			got = append(got, row+": "+name[1])
		}
	}
	if d := gocmp.Diff(sorted(want), sorted(got)); d != "" {
		t.Errorf("rows and the cases that show them (-cases +page):\n%s", d)
	}
}

// kptRunner runs kpt over repositories that it makes for the purpose.
type kptRunner struct{ cache string }

func newKpt(t *testing.T) *kptRunner { return &kptRunner{cache: t.TempDir()} }

func (k *kptRunner) run(t *testing.T, dir, name string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "KPT_CACHE_DIR="+k.cache, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (k *kptRunner) git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, err := k.run(t, dir, "git", args...)
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(out)
}

// update is what kpt makes of the three trees.
func (k *kptRunner) update(t *testing.T, base, theirs, ours pkgtree.Tree, s Strategy) (pkgtree.Tree, error) {
	t.Helper()
	dir := t.TempDir()
	repo, local := filepath.Join(dir, "repo"), filepath.Join(dir, "local")
	k.commit(t, repo, pkgtree.Tree{}, base, "base")
	commit := k.git(t, repo, "rev-parse", "HEAD")
	k.commit(t, repo, base, theirs, "theirs")
	k.commit(t, local, pkgtree.Tree{}, withOrigin(t, ours, repo, commit), "ours")
	out, err := k.run(t, dir, "kpt", "pkg", "update", "local@theirs", "--strategy", cmp.Or(string(s), string(ResourceMerge)))
	if err != nil {
		return pkgtree.Tree{}, fmt.Errorf("%w\n%s", err, out)
	}
	got, err := pkgtree.ReadDir(local, pkgtree.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return got, nil
}

func (k *kptRunner) commit(t *testing.T, dir string, before, after pkgtree.Tree, tag string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if before.Len() == 0 {
		k.git(t, dir, "init", "-q", "-b", "main")
	}
	if err := pkgtree.WriteDir(dir, before, after); err != nil {
		t.Fatal(err)
	}
	k.git(t, dir, "add", "-A", "-f")
	k.git(t, dir, "commit", "-q", "--allow-empty", "-m", tag)
	k.git(t, dir, "tag", tag)
}

// withOrigin is a tree whose Kptfile says where it came from.
func withOrigin(t *testing.T, tree pkgtree.Tree, repo, commit string) pkgtree.Tree {
	t.Helper()
	data, ok := tree.Get(kptfile.Name)
	if !ok {
		t.Fatal("a case without a Kptfile of ours cannot be given to kpt")
	}
	text := withoutOrigin(t, data)
	text += fmt.Sprintf("upstream:\n  type: git\n  git:\n    repo: %s\n    directory: /\n    ref: base\n  updateStrategy: resource-merge\n"+
		"upstreamLock:\n  type: git\n  git:\n    repo: %s\n    directory: /\n    ref: base\n    commit: %s\n", repo, repo, commit)
	out, err := tree.Apply(map[string][]byte{kptfile.Name: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func withoutOrigin(t *testing.T, data []byte) string {
	t.Helper()
	o, err := krm.Read(kptfile.Name, data, krm.Limits{})
	if err != nil || len(o) != 1 {
		t.Fatalf("Kptfile: %v", err)
	}
	if !krm.RemoveField(o[0].Node(), "upstream") && !krm.RemoveField(o[0].Node(), "upstreamLock") {
		return string(data)
	}
	krm.RemoveField(o[0].Node(), "upstreamLock")
	text, err := krm.Write(o)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// compare says how kpt and Packages differ, "" when they do not.
func (k *kptRunner) compare(t *testing.T, base, theirs, ours pkgtree.Tree, s Strategy, reading func(*testing.T, pkgtree.Tree) map[string]any) string {
	t.Helper()
	want, refused := k.update(t, base, theirs, ours, s)
	got, err := Packages(base, theirs, ours, Options{Strategy: s})
	switch {
	case (refused == nil) != (err == nil):
		return fmt.Sprintf("one refuses: kpt: %v; waybill: %v", refused, err)
	case err != nil:
		return ""
	}
	if d := gocmp.Diff(reading(t, want), reading(t, got.Tree)); d != "" {
		return "(-kpt +waybill):\n" + d
	}
	return ""
}

// asWritten is a tree object by object as text, in no order but that of its fields' names, comments
// included. Of the root's Kptfile it leaves out where it came from.
func asWritten(t *testing.T, tree pkgtree.Tree) map[string]any {
	t.Helper()
	if data, ok := tree.Get(kptfile.Name); ok {
		var err error
		if tree, err = tree.Apply(map[string][]byte{kptfile.Name: []byte(withoutOrigin(t, data))}); err != nil {
			t.Fatal(err)
		}
	}
	out := said(tree, true)
	for p, b := range tree.All() {
		if !document.IsResourceFile(p) && !document.IsKptfile(p) {
			continue
		}
		objects, err := krm.Read(p, b.Data(), krm.Limits{})
		if err != nil {
			continue
		}
		var lines []string
		for _, o := range objects {
			lines = append(lines, o.Comments()...)
		}
		out[p+" comments"] = sorted(lines)
	}
	return out
}

// asMeant is what the files of a tree say, for packages that differ in many places: without comments,
// and without what is empty, which kpt keeps or drops by rules of its own; so is an item of a list of
// which just the name is left.
func asMeant(t *testing.T, tree pkgtree.Tree) map[string]any {
	t.Helper()
	out := map[string]any{}
	for p, v := range said(tree, false) {
		out[p] = v
		if texts, ok := v.([]string); ok {
			var objects []string
			for _, text := range texts {
				var o any
				if err := json.Unmarshal([]byte(text), &o); err != nil {
					t.Fatal(err)
				}
				objects = append(objects, fmt.Sprint(withoutEmpty(o)))
			}
			out[p] = sorted(objects)
		}
	}
	return out
}

func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e = withoutEmpty(e); e == nil {
				delete(v, k)
			} else {
				v[k] = e
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		var out []any
		for _, e := range v {
			if e = withoutEmpty(e); e != nil && !isJustName(e) {
				out = append(out, e)
			}
		}
		if len(out) == 0 {
			return nil
		}
		return out
	}
	return v
}

func isJustName(v any) bool {
	m, _ := v.(map[string]any)
	return len(m) == 1 && m["name"] != nil
}
