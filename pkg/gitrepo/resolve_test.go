package gitrepo_test

import (
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo"
	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// spellings has refs of all spellings for a package in a/b/c. Each commit's file says what it is for,
// and the returned map gives its id.
func spellings(t testing.TB, dir string) map[string]string {
	at := map[string]string{}
	commit := func(what string) {
		at[what] = seed(t, dir, map[string]string{
			"a/b/c/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: c\n", "a/b/c/what": what})
	}
	for _, tag := range []string{"a/b/c/v2", "a/b/v2", "a/v2", "v2", "a/b/v3", "a/v3", "a/v4", "v4", "a/v5", "both", "mix"} {
		commit("tag " + tag)
		gittest.Git(t, dir, "tag", tag, "main")
	}
	for _, branch := range []string{"v3", "a/b/c/v4", "a/b/c/v6", "a/v6", "both", "a/b/c/mix", "lonely"} {
		commit("branch " + branch)
		gittest.Git(t, dir, "branch", branch, "main")
	}
	commit("annotated")
	gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", "m", "annotated", "main")
	commit("main")
	return at
}

// lookups says what a ref means for the package in a/b/c. kpt is false where kpt finds nothing, or
// writes something else, for the reason given.
var lookups = map[string]struct {
	reason, ref, at, name string
	kpt                   bool
}{
	"deepest tag":          {"a tag of the package's own goes before all", "v2", "tag a/b/c/v2", "a/b/c/v2", true},
	"tag above":            {"then tags of directories above it, deepest first, and before a branch of the plain name", "v3", "tag a/b/v3", "a/b/v3", true},
	"tag at the top":       {"a branch of the package's own does not hide a tag, nor does a plain tag", "v4", "tag a/v4", "a/v4", true},
	"only above":           {"one is enough", "v5", "tag a/v5", "a/v5", true},
	"own branch":           {"kpt looks for no branches of the package's own; we do, after all that kpt knows", "v6", "branch a/b/c/v6", "a/b/c/v6", false},
	"branch before tag":    {"of one plain name, the branch counts; kpt looks that up, then fetches the tag, and fails unless it has the branch from before", "both", "branch both", "both", false},
	"plain before own":     {"a plain tag goes before a branch of the package's own", "mix", "tag mix", "mix", true},
	"plain branch":         {"a branch by its name", "lonely", "branch lonely", "lonely", true},
	"in full":              {"a name in full is that ref and no other, and stays in full", "refs/tags/v2", "tag v2", "refs/tags/v2", true},
	"branch in full":       {"and so a branch is had in spite of a tag", "refs/heads/v3", "branch v3", "refs/heads/v3", true},
	"spelt out":            {"the directory may be spelt out", "a/b/v2", "tag a/b/v2", "a/b/v2", true},
	"default":              {"no ref is the branch that HEAD names", "", "main", "main", true},
	"annotated":            {"a tag is peeled; kpt writes the id of the tag", "annotated", "annotated", "annotated", false},
	"HEAD":                 {"HEAD is the default branch; kpt writes HEAD into the lock", "HEAD", "main", "main", false},
	"heads":                {"a branch as Git shortens it, in full from then on; kpt knows it only from its cache", "heads/both", "branch both", "refs/heads/both", false},
	"tags":                 {"a tag, too; kpt writes tags/both into the lock as the commit", "tags/both", "tag both", "refs/tags/both", false},
	"origin":               {"a branch as a clone calls it; kpt writes origin/lonely into the lock as the commit", "origin/lonely", "branch lonely", "lonely", false},
	"of another directory": {"nothing below the package is looked at", "x/v2", "", "", true},
}

func TestResolvePackageRef(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		at := spellings(t, dir)
		for name, tc := range lookups {
			t.Run(name, func(t *testing.T) {
				got, err := gitrepo.ResolvePackageRef(t.Context(), url, "/a/b/c/", tc.ref, gitrepo.Options{})
				if tc.at == "" {
					var none *gitrepo.RefError
					if !errors.As(err, &none) || none.Name != tc.ref {
						t.Fatalf("%s: got %v, %v", tc.reason, got, err)
					}
					return
				}
				if err != nil || got.Commit.String() != at[tc.at] || got.Ref != tc.name {
					t.Fatalf("%s: got %q at %s, %v; want %q at %s", tc.reason, got.Ref, got.Commit, err, tc.name, at[tc.at])
				}
				f, err := gitrepo.FetchPackage(t.Context(), url, "a/b/c", tc.ref, gitrepo.Options{})
				if err != nil || f.Ref != got.Ref || f.Full != got.Full || f.Commit != got.Commit {
					t.Fatalf("%s: fetching resolves to %q at %s, %v", tc.reason, f.Ref, f.Commit, err)
				}
				if diff := cmp.Diff(tc.at, text(f.Tree)["what"]); diff != "" {
					t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
				}
			})
		}
	})
}

func TestResolveIDs(t *testing.T) {
	dir := gittest.NewBare(t)
	id := seed(t, dir, map[string]string{"a": "1"})
	gittest.Git(t, dir, "tag", id[:7], "main")
	got, err := gitrepo.ResolvePackageRef(t.Context(), dir, "", id, gitrepo.Options{})
	if err != nil || got.Commit.String() != id || got.Ref != id || got.Full != "" {
		t.Errorf("a commit id is itself: got %+v, %v", got, err)
	}
	got, err = gitrepo.ResolvePackageRef(t.Context(), dir, "", id[:7], gitrepo.Options{})
	if err != nil || got.Full != "refs/tags/"+id[:7] {
		t.Errorf("a short id is a name like any other: got %+v, %v", got, err)
	}
}

// TestShortIDs has ids that were copied from here and there: whole in capitals, or only their beginning.
func TestShortIDs(t *testing.T) {
	overBoth(t, func(t *testing.T, dir, url string) {
		past := seed(t, dir, map[string]string{"a": "1"})
		tagged := seed(t, dir, map[string]string{"a": "2"})
		for _, tag := range []string{"v1", "v1-again"} { // two objects, one commit
			gittest.Git(t, dir, "-c", "user.name=T", "-c", "user.email=t@example.com", "tag", "-a", "-m", tag, tag, "main")
		}
		tip := seed(t, dir, map[string]string{"a": "3"})
		for name, tc := range map[string]struct{ reason, ref, want string }{
			"capitals": {"capitals are the same digits", strings.ToUpper(tip), tip},
			"branch":   {"a branch stands there", tip[:8], tip},
			"shout":    {"in capitals, too", strings.ToUpper(tip[:8]), tip},
			"tag":      {"a tag does, by way of an object of its own", tagged[:8], tagged},
			"past":     {"nothing that shows stands there", past[:8], ""},
			"three":    {"three digits are no id", tip[:3], ""},
		} {
			t.Run(name, func(t *testing.T) {
				f, err := gitrepo.FetchPackage(t.Context(), url, "", tc.ref, gitrepo.Options{})
				var none *gitrepo.RefError
				if tc.want == "" {
					if hint := strings.Contains(fmt.Sprint(err), "all 40 digits"); !errors.As(err, &none) || hint != (len(tc.ref) > 3) {
						t.Errorf("%s: %v", tc.reason, err)
					}
					return
				}
				if err != nil || f.Commit.String() != tc.want || f.Ref != tc.want {
					t.Errorf("%s: %+v, %v", tc.reason, f, err)
				}
			})
		}
	})
}

// TestResolveAsKpt runs the table through the real kpt, and compares what it writes into the lock.
func TestResolveAsKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	dir := gittest.NewBare(t)
	spellings(t, dir)
	for name, tc := range lookups {
		t.Run(name, func(t *testing.T) {
			ours, err := gitrepo.ResolvePackageRef(t.Context(), dir, "a/b/c", tc.ref, gitrepo.Options{})
			ref, commit, kptErr := kptGet(t, dir, tc.ref)
			same := (err != nil && kptErr != nil) || (err == nil && kptErr == nil && ref == ours.Ref && commit == ours.Commit.String())
			if same != tc.kpt {
				t.Errorf("%s: kpt gives %q at %s, %v; ours is %q at %s, %v", tc.reason, ref, commit, kptErr, ours.Ref, ours.Commit, err)
			}
		})
	}
}

func kptGet(t *testing.T, dir, ref string) (name, commit string, err error) {
	t.Helper()
	source := "file://" + dir + "/a/b/c"
	if ref != "" {
		source += "@" + ref
	}
	dest := filepath.Join(t.TempDir(), "c")
	cmd := exec.Command("kpt", "pkg", "get", source, dest)
	cmd.Env = append(gittest.Env(), "KPT_CACHE_DIR="+t.TempDir())
	if err := cmd.Run(); err != nil {
		return "", "", err
	}
	data := readFile(t, filepath.Join(dest, "Kptfile"))
	k, err := kptfile.Parse("Kptfile", data)
	if err != nil || k.Spec.UpstreamLock == nil || k.Spec.UpstreamLock.Git == nil {
		t.Fatalf("kpt's Kptfile: %v\n%s", err, data)
	}
	return k.Spec.UpstreamLock.Git.Ref, k.Spec.UpstreamLock.Git.Commit, nil
}

func TestOddRefs(t *testing.T) {
	dir := gittest.NewBare(t)
	seed(t, dir, map[string]string{"a": "1"})
	for name, tc := range map[string]struct{ reason, ref, says string }{
		"dash":        {"an option is no ref", "--upload-pack=x", "begins with a dash"},
		"dots":        {"a range is no ref", "a..b", "is an expression"},
		"up":          {"nor is a way out", "refs/heads/../x", "is an expression"},
		"reflog":      {"nor what was once", "main@{1}", "is an expression"},
		"parent":      {"nor a commit's parent", "main^", "Git allows in no ref"},
		"pattern":     {"nor a pattern", "v*", "Git allows in no ref"},
		"line":        {"a line break is refused and quoted", "v1\nx", `"v1\nx" contains a character`},
		"nul":         {"so is a NUL", "v1\x00", "Git allows in no ref"},
		"blank":       {"so is a blank", "v 1", "Git allows in no ref"},
		"unseen":      {"so is what does not show", "v1\u200b", "Git allows in no ref"},
		"reversed":    {"or turns around what shows", "v1\u202e", "Git allows in no ref"},
		"no UTF-8":    {"or is no text", "v\xff", "Git allows in no ref"},
		"backslash":   {"or is a path elsewhere", `a\b`, "Git allows in no ref"},
		"empty part":  {"parts have names", "a//b", "has an empty part"},
		"slash":       {"at the end, too", "a/", "has an empty part"},
		"prefix only": {"a prefix alone names nothing", "refs/heads/", "has an empty part"},
		"hidden":      {"a dot begins no part", "a/.b", "begins or ends with a dot"},
		"lock":        {"Git's own files are no refs", "a.lock", "ends with .lock"},
		"pull":        {"only branches and tags are looked at", "refs/pull/1/head", "neither a branch nor a tag"},
		"at":          {"Git's sign for HEAD is none", "@", "leave the ref out"},
		"long":        {"a name has an end", strings.Repeat("a", 2000), "longer than 1024 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := gitrepo.ResolvePackageRef(t.Context(), dir, "", tc.ref, gitrepo.Options{})
			var odd *gitrepo.RefNameError
			if !errors.As(err, &odd) || !strings.Contains(err.Error(), tc.says) || strings.ContainsAny(err.Error(), "\n\x00") {
				t.Errorf("%s: got %v", tc.reason, err)
			}
		})
	}
	for name, odd := range map[string]string{"up": "../x", "git": "a/.git", "control": "a\nb"} {
		if _, err := gitrepo.ResolvePackageRef(t.Context(), dir, odd, "", gitrepo.Options{}); err == nil {
			t.Errorf("%s: %q is a directory", name, odd)
		}
	}
}

func TestNoDefaultBranch(t *testing.T) {
	dir := gittest.NewBare(t)
	var none *gitrepo.RefError
	if _, err := gitrepo.ResolvePackageRef(t.Context(), dir, "", "", gitrepo.Options{}); !errors.As(err, &none) {
		t.Errorf("an empty repository has no branch: %v", err)
	}
	id := seed(t, dir, map[string]string{"a": "1"})
	gittest.Git(t, dir, "update-ref", "--no-deref", "HEAD", id)
	if _, err := gitrepo.ResolvePackageRef(t.Context(), dir, "", "", gitrepo.Options{}); err == nil || !strings.Contains(err.Error(), "names none") {
		t.Errorf("a HEAD that is detached names no branch: %v", err)
	}
	gittest.Git(t, dir, "symbolic-ref", "HEAD", "refs/heads/missing")
	if _, err := gitrepo.ResolvePackageRef(t.Context(), dir, "", "", gitrepo.Options{}); err == nil {
		t.Error("a HEAD that names a missing branch is no branch")
	}
}
