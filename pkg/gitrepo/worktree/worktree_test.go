package worktree_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/gitrepo/worktree"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// repository is a work tree with a committed package in pkg, a file beside it, and no links in its path.
func repository(t *testing.T) string {
	t.Helper()
	testenv.Need(t, testenv.Git)
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
	gittest.Git(t, root, "init", "--quiet", "--initial-branch=main")
	gittest.Config(t, root, "user.name=T")
	gittest.Config(t, root, "user.email=t@example.com")
	write(t, root, "pkg/Kptfile", "k")
	write(t, root, "pkg/a/b.yaml", "b")
	write(t, root, "beside", "x")
	commit(t, root)
	return root
}

func write(t *testing.T, root, name, data string) {
	t.Helper()
	file := filepath.Join(root, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(data), 0o755); err != nil {
		t.Fatal(err)
	}
}

func commit(t *testing.T, root string) {
	t.Helper()
	gittest.Git(t, root, "add", "--all")
	gittest.Git(t, root, "commit", "--quiet", "-m", "m")
}

func TestChanges(t *testing.T) {
	for name, tc := range map[string]struct {
		reason string
		change func(t *testing.T, root string)
		dir    string
		want   []string
		hidden []string
	}{
		"clean":   {reason: "what is committed is not told of", dir: "pkg"},
		"beside":  {reason: "nor is what lies beside", dir: "pkg", change: func(t *testing.T, root string) { write(t, root, "beside", "y"); write(t, root, "pkg2/new", "n") }},
		"changed": {reason: "a changed file is", dir: "pkg", change: func(t *testing.T, root string) { write(t, root, "pkg/Kptfile", "k2") }, want: []string{"Kptfile"}},
		"deeper": {reason: "paths are relative to the folder", dir: "pkg/a", change: func(t *testing.T, root string) {
			write(t, root, "pkg/Kptfile", "k2")
			write(t, root, "pkg/a/b.yaml", "c")
		}, want: []string{"b.yaml"}},
		"root":     {reason: "which may be the work tree itself", dir: ".", change: func(t *testing.T, root string) { write(t, root, "pkg/Kptfile", "k2"); write(t, root, "beside", "y") }, want: []string{"beside", "pkg/Kptfile"}},
		"unknown":  {reason: "new files are told one by one", dir: "pkg", change: func(t *testing.T, root string) { write(t, root, "pkg/new/1", ""); write(t, root, "pkg/new/2", "") }, want: []string{"new/1", "new/2"}},
		"whole":    {reason: "also when all are new", dir: "new", change: func(t *testing.T, root string) { write(t, root, "new/1", "") }, want: []string{"1"}},
		"staged":   {reason: "what is staged is not committed", dir: "pkg", change: func(t *testing.T, root string) { write(t, root, "pkg/new", ""); gittest.Git(t, root, "add", "pkg/new") }, want: []string{"new"}},
		"deleted":  {reason: "what is deleted is a change", dir: "pkg", change: func(t *testing.T, root string) { gittest.Git(t, root, "rm", "--quiet", "pkg/Kptfile") }, want: []string{"Kptfile"}},
		"renamed":  {reason: "a rename is told under both names", dir: "pkg", change: func(t *testing.T, root string) { gittest.Git(t, root, "mv", "pkg/a/b.yaml", "pkg/c.yaml") }, want: []string{"a/b.yaml", "c.yaml"}},
		"moved in": {reason: "as far as they lie here", dir: "pkg", change: func(t *testing.T, root string) { gittest.Git(t, root, "mv", "beside", "pkg/here") }, want: []string{"here"}},
		"mode":     {reason: "a mode is committed, too", dir: "pkg", change: func(t *testing.T, root string) { must(t, os.Chmod(filepath.Join(root, "pkg/Kptfile"), 0o644)) }, want: []string{"Kptfile"}},
		"odd names": {reason: "names are taken as they are", dir: "pkg", want: []string{" b", "a -> b", "new\nline", "q\"uote", "ä"}, change: func(t *testing.T, root string) {
			for _, n := range []string{" b", "a -> b", "new\nline", "q\"uote", "ä"} {
				write(t, root, "pkg/"+n, "")
			}
		}},
		"odd folder":  {reason: "those of folders as well", dir: "odd\n ä\n", want: []string{"x"}, change: func(t *testing.T, root string) { write(t, root, "odd\n ä\n/x", "") }},
		"glob folder": {reason: "and are no patterns", dir: "*", want: []string{"x"}, change: func(t *testing.T, root string) { write(t, root, "*/x", ""); write(t, root, "pkg/new", "") }},
		"ignored": {reason: "a folder that is ignored whole is uncommitted whole", dir: "build/pkg", want: []string{"."}, change: func(t *testing.T, root string) {
			write(t, root, ".gitignore", "build/\n")
			write(t, root, "build/pkg/x", "")
		}},
		"ignored file": {reason: "single files that Git ignores are told apart", dir: "pkg", hidden: []string{"a/new\nline.log", "logs/1", "other", "x.log"}, change: func(t *testing.T, root string) {
			write(t, root, ".gitignore", "*.log\nlogs\nother\n")
			gittest.Git(t, root, "init", "--quiet", "pkg/other")
			for _, n := range []string{"y.log", "pkg/x.log", "pkg/logs/1", "pkg/a/new\nline.log", "pkg/other/x"} {
				write(t, root, n, "")
			}
		}},
		"told unchanged": {reason: "so are those that Git does not look at, if they are there", dir: "pkg", hidden: []string{"Kptfile", "a/b.yaml"}, change: func(t *testing.T, root string) {
			write(t, root, "pkg/out", "")
			commit(t, root)
			gittest.Git(t, root, "update-index", "--skip-worktree", "pkg/Kptfile", "pkg/out")
			gittest.Git(t, root, "update-index", "--assume-unchanged", "pkg/a/b.yaml")
			write(t, root, "pkg/Kptfile", "2")
			must(t, os.Remove(filepath.Join(root, "pkg/out")))
		}},
		"ignored known": {reason: "a file that is committed all the same is looked at", dir: "pkg", want: []string{"Kptfile"}, change: func(t *testing.T, root string) {
			write(t, root, ".gitignore", "pkg/\n")
			write(t, root, "pkg/Kptfile", "2")
		}},
		"configured": {reason: "no configuration hides anything", dir: "pkg", want: []string{"Kptfile", "new"}, change: func(t *testing.T, root string) {
			for _, kv := range []string{"status.showUntrackedFiles=no", "status.renames=copies", "status.relativePaths=false", "status.branch=true", "color.status=always", "core.quotePath=true"} {
				gittest.Config(t, root, kv)
			}
			write(t, root, "pkg/Kptfile", "2")
			write(t, root, "pkg/new", "")
		}},
		"repository": {reason: "another repository within is one path", dir: "pkg", want: []string{"other"}, change: func(t *testing.T, root string) {
			gittest.Git(t, root, "init", "--quiet", "pkg/other")
			write(t, root, "pkg/other/x", "")
		}},
		"was a file": {reason: "a folder in place of a file holds what is new", dir: "beside", want: []string{"x"}, change: func(t *testing.T, root string) {
			must(t, os.Remove(filepath.Join(root, "beside")))
			write(t, root, "beside/x", "")
		}},
		"conflict": {reason: "so is what a merge left behind", dir: "pkg", want: []string{"Kptfile"}, change: func(t *testing.T, root string) {
			gittest.Git(t, root, "switch", "--quiet", "-c", "side")
			write(t, root, "pkg/Kptfile", "side")
			commit(t, root)
			gittest.Git(t, root, "switch", "--quiet", "main")
			write(t, root, "pkg/Kptfile", "main")
			commit(t, root)
			gittest.Git(t, root, "read-tree", "-m", "-u", "HEAD~1", "main", "side")
		}},
	} {
		t.Run(name, func(t *testing.T) {
			root := repository(t)
			if tc.change != nil {
				tc.change(t, root)
			}
			index, err := os.ReadFile(filepath.Join(root, ".git/index"))
			must(t, err)
			got, err := worktree.Changes(t.Context(), filepath.Join(root, tc.dir))
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			if diff := cmp.Diff(&worktree.Status{Root: root, Paths: tc.want, Hidden: tc.hidden}, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			if now, err := os.ReadFile(filepath.Join(root, ".git/index")); err != nil || string(now) != string(index) {
				t.Errorf("%s: the index was written (%v)", tc.reason, err)
			}
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestSubmodule(t *testing.T) {
	root, module := repository(t), repository(t)
	gittest.Git(t, root, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", module, "pkg/module")
	commit(t, root)
	check := func(reason, dir, wantRoot string, want ...string) {
		t.Helper()
		got, err := worktree.Changes(t.Context(), dir)
		if diff := cmp.Diff(&worktree.Status{Root: wantRoot, Paths: want}, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", reason, err, diff)
		}
	}
	inside := filepath.Join(root, "pkg/module")
	check("a clean submodule is clean", filepath.Join(root, "pkg"), root)
	gittest.Config(t, root, "submodule.pkg/module.ignore=all")
	write(t, inside, "pkg/new", "")
	check("a change in a submodule is one of the submodule, whatever the configuration says", filepath.Join(root, "pkg"), root, "module")
	check("within, the submodule is the work tree", filepath.Join(inside, "pkg"), inside, "new")
	must(t, os.RemoveAll(filepath.Join(root, ".git/modules")))
	if got, err := worktree.Changes(t.Context(), inside); err == nil || !strings.Contains(err.Error(), "not a git repository") {
		t.Errorf("a submodule whose repository is gone is broken, and not outside of Git: %+v, %v", got, err)
	}
}

func TestOutside(t *testing.T) {
	root := repository(t)
	bare := gittest.NewBare(t)
	within := filepath.Join(root, "bare.git")
	gittest.Git(t, root, "clone", "--quiet", "--bare", bare, within)
	odd := t.TempDir()
	must(t, os.Mkdir(filepath.Join(odd, ".git"), 0o755))
	for name, dir := range map[string]string{"nothing": t.TempDir(), "bare": bare, "bare within": within, "the repository itself": filepath.Join(root, ".git"), "an empty .git": odd} {
		got, err := worktree.Changes(t.Context(), dir)
		if diff := cmp.Diff(&worktree.Status{}, got); err != nil || diff != "" {
			t.Errorf("%s is no work tree: %v (-want +got):\n%s", name, err, diff)
		}
	}
	t.Setenv("PATH", "")
	if got, err := worktree.Changes(t.Context(), t.TempDir()); err != nil || got.Root != "" {
		t.Errorf("that needs no git: %v", err)
	}
	_, err := worktree.Changes(t.Context(), filepath.Join(root, "pkg"))
	if err == nil || !strings.Contains(err.Error(), "install it, or put its folder on PATH") {
		t.Errorf("a repository needs one, and what to do is said: %v", err)
	}
}

func TestErrors(t *testing.T) {
	root := repository(t)
	write(t, root, "broken/.git", "nonsense")
	for name, tc := range map[string]struct {
		reason, dir, says string
		prepare           func(t *testing.T)
	}{
		"missing":         {reason: "a folder must be there", dir: "nope", says: "no such file"},
		"file":            {reason: "and be one", dir: "beside", says: "not a folder"},
		"broken":          {reason: "a broken repository is not clean", dir: "broken", says: "invalid gitfile format"},
		"other's":         {reason: "Git's reasons to refuse are passed on", dir: "pkg", says: "detected dubious ownership", prepare: func(t *testing.T) { t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") }},
		"other's, German": {reason: "and understood whatever the user's tongue", dir: "pkg", says: "safe.directory", prepare: func(t *testing.T) { t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"); t.Setenv("LANGUAGE", "de") }},
	} {
		t.Run(name, func(t *testing.T) {
			if tc.prepare != nil {
				tc.prepare(t)
			}
			dir := filepath.Join(root, tc.dir)
			got, err := worktree.Changes(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), tc.says) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: got %+v, %v", tc.reason, got, err)
			}
		})
	}
}

// TestNothingRuns has a repository whose configuration names programs, and an environment that points elsewhere.
func TestNothingRuns(t *testing.T) {
	root := repository(t)
	ran := filepath.Join(t.TempDir(), "ran")
	script := "touch '" + ran + "'"
	for _, hook := range []string{"post-index-change", "query-watchman"} {
		gittest.Hook(t, filepath.Join(root, ".git"), hook, script)
	}
	for _, kv := range []string{"core.fsmonitor=" + script + ";#", "core.pager=" + script, "pager.status=" + script, "core.sshCommand=" + script,
		"diff.external=" + script, "alias.status=!" + script, "alias.rev-parse=!" + script} {
		gittest.Config(t, root, kv)
	}
	write(t, root, "pkg/Kptfile", "k2")
	for _, name := range []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR", "GIT_PREFIX"} {
		t.Setenv(name, "/nonexistent")
	}
	got, err := worktree.Changes(t.Context(), filepath.Join(root, "pkg"))
	if err != nil || !cmp.Equal(got.Paths, []string{"Kptfile"}) {
		t.Errorf("the folder decides which repository is asked: %+v, %v", got, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a program was run that the repository names")
	}
}
