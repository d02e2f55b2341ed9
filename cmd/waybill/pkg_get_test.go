package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/cmd/waybill/internal/pkg"
	"github.com/waybill-dev/waybill/pkg/upstream"
)

// TestPkgGet fetches a package: what is on disk, what is said, and with which words.
func TestPkgGet(t *testing.T) {
	o := newPkgOrigin(t)
	t.Chdir(t.TempDir())
	r := mustRun(t, "pkg", "get", "file://"+o.bare+"/edge@v2", "mine")
	url := "file://" + strings.TrimSuffix(o.bare, ".git")
	if diff := cmp.Diff("Package \"mine\":\nFetching "+url+"@v2\nAdding package \"edge\".\n\nFetched 1 package(s).\n", r.stderr); diff != "" {
		t.Errorf("talk (-want +got):\n%s", diff)
	}
	if !strings.Contains(r.stdout, ".         v2    "+o.commitID(t, "v2")+"   "+url) {
		t.Errorf("table:\n%s", r.stdout)
	}
	lock := "repo: " + url + "\n    directory: /edge\n    ref: v2\n"
	if diff := cmp.Diff(strings.Replace(edgeKptfile, "edge", "mine", 1)+"upstream:\n  type: git\n  git:\n    "+lock+
		"  updateStrategy: resource-merge\nupstreamLock:\n  type: git\n  git:\n    "+lock+"    commit: "+o.commitID(t, "v2")+"\n",
		readText(t, "mine/Kptfile")); diff != "" {
		t.Errorf("Kptfile (-want +got):\n%s", diff)
	}
	if web := readText(t, "mine/web.yaml"); !strings.Contains(web, "metadata: # kpt-merge: shop/web\n") {
		t.Errorf("no mark:\n%s", web)
	}
	for file, mode := range map[string]fs.FileMode{"": 0o755, "bin": 0o755, "bin/run.sh": 0o755, "web.yaml": 0o644, "Kptfile": 0o644} {
		if st, err := os.Stat(filepath.Join("mine", file)); err != nil || st.Mode().Perm() != mode {
			t.Errorf("mine/%s: %v, %v; want mode %o", file, st.Mode(), err, mode)
		}
	}
	checkOnly(t, ".", "mine")
}

// checkOnly wants a folder to hold these names and no other.
func checkOnly(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	got := []string{}
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(append([]string{}, names...), got); diff != "" {
		t.Errorf("in %s (-want +got):\n%s", dir, diff)
	}
}

// TestPkgGetDestination puts packages where kpt puts them, under the name of the folder.
func TestPkgGetDestination(t *testing.T) {
	cases := map[string]struct {
		reason string
		target string
		dest   []string
		want   string // the folder, or else
		says   string // the error
	}{
		"Default":      {"after the folder it is of", "/edge@v1", nil, "edge", ""},
		"Root":         {"after the repository, if it is all of it", "@v1", nil, "repo", ""},
		"Named":        {"where it is said", "/edge@v1", []string{"web"}, "web", ""},
		"Slash":        {"however it is said", "/edge@v1", []string{"./web/"}, "web", ""},
		"Deep":         {"elsewhere", "/edge@v1", []string{"there/web"}, "there/web", ""},
		"Existing":     {"into a folder that is there", "/edge@v1", []string{"there"}, "there/edge", ""},
		"Here":         {"which may be this one", "/edge@v1", []string{"."}, "edge", ""},
		"HereSlash":    {"however it is said", "/edge@v1", []string{"./"}, "edge", ""},
		"Above":        {"or that above", "/edge@v1", []string{"there/.."}, "edge", ""},
		"Link":         {"a link to a folder is one", "/edge@v1", []string{"link"}, "there/edge", ""},
		"Odd":          {"any name will do", "/edge@v1", []string{"a @b: 'ü'"}, "a @b: 'ü'", ""},
		"NoPackage":    {"a folder without a Kptfile gets one", "/plain@v1", nil, "plain", ""},
		"Taken":        {"what is there is not touched", "/edge@v1", []string{"full"}, "", `destination directory "full/edge" already exists`},
		"TakenDefault": {"nor by default", "/there@v1", nil, "", `destination directory "there" already exists`},
		"Dangling":     {"nor is a link that leads nowhere", "/edge@v1", []string{"dangling"}, "", `destination directory "dangling" already exists`},
		"NoParent":     {"folders above are not made", "/edge@v1", []string{"no/web"}, "", `parent directory "no" does not exist`},
		"File":         {"a file is no folder", "/edge@v1", []string{"file"}, "", `destination "file" must be a directory`},
		"InFile":       {"nor is one in it", "/edge@v1", []string{"file/web"}, "", "not a directory"},
	}
	o := newPkgOrigin(t)
	o.commit(t, "v1b", map[string]string{"there/cm.yaml": plainMap("a", "1")})
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for _, dir := range []string{"there", "full/edge"} {
				if err := os.MkdirAll(dir, 0o755); err != nil {
					t.Fatal(err)
				}
			}
			for from, to := range map[string]string{"link": "there", "dangling": "nowhere"} {
				if err := os.Symlink(to, from); err != nil {
					t.Fatal(err)
				}
			}
			writeFile(t, "file", "", 0o644)
			before := snapshot(t, ".")
			r := runCLI(t, append([]string{"pkg", "get", o.bare + tc.target}, tc.dest...)...)
			if tc.says != "" {
				if r.code != exitFailed || r.stdout != "" || !strings.Contains(r.stderr, tc.says) {
					t.Errorf("%s: exit code %d, stdout %q, stderr:\n%s", tc.reason, r.code, r.stdout, r.stderr)
				}
				if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
					t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
				}
				return
			}
			if r.code != exitDone {
				t.Fatalf("%s: exit code %d, stderr:\n%s", tc.reason, r.code, r.stderr)
			}
			var k kptfilev1.KptFile
			if err := yaml.Unmarshal([]byte(readText(t, filepath.Join(tc.want, "Kptfile"))), &k); err != nil || k.Name != filepath.Base(tc.want) {
				t.Errorf("%s: it is called %q; %v", tc.reason, k.Name, err)
			}
		})
	}
}

// TestPkgGetRefused fails in every way there is, and leaves nothing behind.
func TestPkgGetRefused(t *testing.T) {
	o := newPkgOrigin(t)
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		says   string
	}{
		"NoArgument": {"what to fetch?", nil, exitUsage, "accepts between 1 and 2 arg(s), received 0"},
		"TooMany":    {"and where to?", []string{"a", "b", "c"}, exitUsage, "accepts between 1 and 2 arg(s), received 3"},
		"Ambiguous":  {"in kpt's words", []string{"https://git.example.com/a/b"}, exitUsage, "ambiguous repo/dir@version specify '.git' in argument"},
		"Outside":    {"a directory of the repository", []string{o.bare + "/../x"}, exitUsage, "leaves the repository"},
		"Strategy":   {"in kpt's words", []string{o.bare + "/edge", "--strategy", "foo"}, exitUsage, `unknown update strategy "foo"`},
		"Format":     {"known before any work", []string{o.bare + "/edge", "-o", "xml"}, exitUsage, `--output "xml": want table, json or yaml`},
		"NoRef":      {"a ref that is not there", []string{o.bare + "/edge@v9"}, exitFailed, `get package "edge": repository "` + o.bare + `" has no branch, tag or commit "v9"`},
		"OddRef":     {"one that cannot be", []string{o.bare + "/edge@--upload-pack=x"}, exitFailed, `ref "--upload-pack=x"`},
		"NoDir":      {"a folder that is not there", []string{o.bare + "/nope@v1"}, exitFailed, `has no directory "nope"`},
		"NoRepo":     {"a repository that is not there", []string{"gone.git/edge"}, exitFailed, `does not exist`},
		"NoHost":     {"or cannot be reached", []string{"http://127.0.0.1:1/x.git/edge"}, exitFailed, `cannot be reached`},
		"Scheme":     {"or not spoken to", []string{"ext::sh.git/edge"}, exitFailed, `get package "edge"`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			r := runCLI(t, append([]string{"pkg", "get"}, tc.args...)...)
			if r.code != tc.code || r.stdout != "" || strings.Count(r.stderr, "error: ") != 1 || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d (want %d), stdout %q, stderr:\n%swant: %s", tc.reason, r.code, tc.code, r.stdout, r.stderr, tc.says)
			}
			checkOnly(t, ".")
		})
	}
}

// TestPkgGetKinds fetches what is no ordinary package.
func TestPkgGetKinds(t *testing.T) {
	o := newPkgOrigin(t)
	o.commit(t, "v3", map[string]string{
		"edge/link.yaml": "->web.yaml", "whole/Kptfile": edgeKptfile,
		"whole/part/Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: part\nupstream:\n  type: git\n  git:\n    repo: " +
			strings.TrimSuffix(o.bare, ".git") + "\n    directory: /plain\n    ref: v1\n",
	})
	t.Chdir(t.TempDir())

	r := mustRun(t, "pkg", "get", o.bare+"/edge@v3", "--strategy", "fast-forward", "--for-deployment", "-o", "json")
	if _, err := os.Lstat("edge/link.yaml"); err == nil || !strings.Contains(r.stderr, "warning: link.yaml: a symbolic link is not part of a package") {
		t.Errorf("a link: %v\n%s", err, r.stderr)
	}
	if k := readText(t, "edge/Kptfile"); !strings.Contains(k, "  updateStrategy: fast-forward\n") {
		t.Errorf("the strategy is not written down:\n%s", k)
	}
	if c := readText(t, "edge/package-context.yaml"); !strings.Contains(c, "name: kptfile.kpt.dev") || !strings.Contains(c, "  name: edge\n") {
		t.Errorf("package context:\n%s", c)
	}
	repo := strings.TrimSuffix(o.bare, ".git")
	fetched := func(pkg, dir, ref string) upstream.Fetched {
		return upstream.Fetched{Package: pkg, Lock: kptfilev1.GitLock{Repo: repo, Directory: dir, Ref: ref, Commit: o.commitID(t, ref)}}
	}
	want := pkg.GetReport{TypeMeta: cli.TypeMeta("PackageGetReport"), Package: "edge", Destination: "edge", Packages: []upstream.Fetched{fetched(".", "/edge", "v3")}, LeftOut: []upstream.LeftOut{{Path: "link.yaml", Kind: "symbolic link"}}}
	if diff := cmp.Diff(want, fromJSON[pkg.GetReport](t, r)); diff != "" {
		t.Errorf("JSON (-want +got):\n%s", diff)
	}

	r = mustRun(t, "pkg", "get", o.bare+"/whole@v3", "-o", "yaml")
	var got pkg.GetReport
	if err := yaml.UnmarshalStrict([]byte(r.stdout), &got); err != nil {
		t.Fatal(err)
	}
	want = pkg.GetReport{TypeMeta: cli.TypeMeta("PackageGetReport"), Package: "whole", Destination: "whole", Packages: []upstream.Fetched{fetched(".", "/whole", "v3"), fetched("part", "/plain", "v1")}, LeftOut: []upstream.LeftOut{}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("YAML (-want +got):\n%s", diff)
	}
	if _, err := os.Stat("whole/part/cm.yaml"); err != nil || !strings.Contains(r.stderr, "Package \"whole/part\":\n") || !strings.Contains(r.stderr, "Fetched 2 package(s).\n") {
		t.Errorf("%v\n%s", err, r.stderr)
	}
}
