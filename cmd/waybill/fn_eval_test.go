package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// evalArchive holds a package and programs to run on it; see TestEvalSameAsKpt.
func evalArchive(t *testing.T) string {
	t.Helper()
	base, err := os.ReadFile("testdata/kpteval/base.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := writeArchive(t, string(base))
	onPath(t, filepath.Join(dir, "bin"))
	return dir
}

// TestEvalLinked runs every linked function in-process for its image, and wants the outcome that its
// program has: the same files or the same failure.
func TestEvalLinked(t *testing.T) {
	testenv.Long(t, "it builds every function")
	onPath(t, buildFunctions(t))
	for _, f := range catalog.Functions {
		t.Run(f.Name, func(t *testing.T) {
			linked, program := copyOf(t, blueprint), copyOf(t, blueprint)
			r := runCLI(t, "fn", "eval", linked, "--image", catalog.Image(f.Name))
			p := runCLI(t, "fn", "eval", program, "--exec", f.Name)
			if !strings.Contains(r.stderr, "(in-process)") {
				t.Errorf("it did not run in-process:\n%s", r.stderr)
			}
			if diff := cmp.Diff(texts(t, program), texts(t, linked)); diff != "" || r.code != p.code {
				t.Errorf("exit codes %d and %d (-program +linked):\n%s", p.code, r.code, diff)
			}
		})
	}
}

// copyOf is a folder with the files of dir.
func copyOf(t *testing.T, dir string) string {
	t.Helper()
	to := t.TempDir()
	for file, text := range texts(t, dir) {
		writeFile(t, filepath.Join(to, file), text, 0o644)
	}
	return to
}

// TestEvalSaves wants a saved function to do in the pipeline what it did when it was run.
func TestEvalSaves(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
	}{
		"Values":    {"arguments", []string{"--exec", "configured", "--", "to=5"}},
		"Config":    {"a config file of the package", []string{"--exec", "configured", "--fn-config", "pkg/conf/set.yaml"}},
		"Selectors": {"selectors", []string{"--exec", "bump", "--match-namespace", "shop", "--exclude-kind", "Service"}},
		"Quotes":    {"a command line with quotes", []string{"--exec", `sed 's/replicas: 1$/replicas: 9/'`}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := evalArchive(t)
			t.Chdir(dir)
			if err := os.RemoveAll("pkg/sub"); err != nil { // config files of subpackages are not for pipelines
				t.Fatal(err)
			}
			before := texts(t, "pkg")
			args := append([]string{"fn", "eval", "pkg", "--save", "--type", "mutator"}, tc.args...)
			if r := runCLI(t, args...); r.code != exitDone || !strings.Contains(r.stderr, "Added") {
				t.Fatalf("exit code %d:\n%s", r.code, r.stderr)
			}
			want := texts(t, "pkg")
			if cmp.Equal(before["web.yaml"], want["web.yaml"]) {
				t.Fatalf("%s: nothing was changed", tc.reason)
			}
			writeFile(t, "pkg/web.yaml", before["web.yaml"], 0o644)
			if r := runCLI(t, "fn", "render", "pkg", "--allow-exec"); r.code != exitDone {
				t.Fatal(r.stderr)
			}
			if diff := cmp.Diff(want, texts(t, "pkg")); diff != "" {
				t.Errorf("%s (-eval +render):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEvalUsage ends wrong usage with exit code 2, before anything runs or is written.
func TestEvalUsage(t *testing.T) {
	cases := map[string]struct{ reason, args, says string }{
		"NoFunction":  {"there is nothing to run", "pkg", "must specify --image or --exec"},
		"Both":        {"two functions", "pkg -i a/b --exec seen", "eval runs one"},
		"TwoDirs":     {"a forgotten --", "pkg --exec seen to=1", "arguments of the function go after '--'"},
		"NoValue":     {"a typo", "pkg --exec seen -- a=b c", `function argument "c"`},
		"NoKey":       {"a typo", "pkg --exec seen -- =b", `function argument "=b"`},
		"Selector":    {"a typo", "pkg --exec seen --exclude-annotations a", `--exclude-annotations "a": want KEY=VALUE`},
		"Type":        {"a type that is none", "pkg --exec seen -t linter", `--type "linter"`},
		"SaveNoType":  {"kpt wants it, too", "pkg --exec seen --save", "--type must be specified"},
		"SaveKind":    {"a Kptfile cannot hold it", "pkg --exec seen -s -t mutator -- Bump to=1", `kind "Bump"`},
		"SaveOutside": {"a Kptfile cannot name it", "pkg --exec seen -s -t mutator --fn-config config.yaml", "--fn-config must be under pkg"},
		"ConfigTwice": {"two configs", "pkg --exec seen --fn-config config.yaml -- a=b", "without function config file"},
		"Mount":       {"docker's other form", "pkg -i a/b --mount /a:/b", "--mount"},
		"Env":         {"the value stays out of the message", "pkg -i a/b -e =s3cret", "--env"},
		"Network":     {"programs have it anyway", "pkg --exec seen --network", "only be used with container functions"},
		"Runtime":     {"a runtime that is none", "pkg -i a/b --runtime lxc", "--runtime"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := evalArchive(t)
			t.Chdir(dir)
			before := texts(t, dir)
			r := runCLI(t, append([]string{"fn", "eval"}, words(tc.args)...)...)
			if r.code != exitUsage || !strings.Contains(r.stderr, tc.says) || strings.Contains(r.stderr, "s3cret") || r.stdout != "" {
				t.Errorf("%s: exit code %d, stderr %s", tc.reason, r.code, r.stderr)
			}
			if diff := cmp.Diff(before, texts(t, dir)); diff != "" {
				t.Errorf("%s: files changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEvalTag runs the tag that --tag names, and saves it as kpt's newer releases do.
func TestEvalTag(t *testing.T) {
	dir := evalArchive(t)
	t.Chdir(dir)
	r := runCLI(t, words("fn eval pkg -i reg.example/bump:v1 --tag v2 --runtime docker -s -t mutator")...)
	if r.code != exitDone {
		t.Fatal(r.stderr)
	}
	after := texts(t, dir)
	if !strings.HasSuffix(after["engine"], " reg.example/bump:v2\n") {
		t.Errorf("the engine was called with %s", after["engine"])
	}
	if want := "    - image: reg.example/bump:v1\n      tag: v2\n"; !strings.HasSuffix(after["pkg/Kptfile"], want) {
		t.Errorf("the Kptfile is\n%s", after["pkg/Kptfile"])
	}
}

// TestFnDocImage prints the documentation of a linked function for its image, and for another what
// it says to --help.
func TestFnDocImage(t *testing.T) {
	dir := evalArchive(t)
	t.Chdir(dir)
	writeFile(t, "bin/helpful", "#!/bin/sh\n[ \"$*\" = --help ] && echo 'How to use it.'\n", 0o755)
	writeFile(t, "bin/docker", "#!/bin/sh\nfor last; do :; done\n[ \"$last\" = --help ] || exit 9\ncase \"$*\" in *helpful*) exec helpful --help ;; esac\necho 'no such flag' >&2\nexit 3\n", 0o755)
	f := catalog.Functions[0]
	cases := map[string]struct {
		reason, args string
		want         cliRun
	}{
		"Linked":   {"no engine is needed", "--image " + catalog.Image(f.Name), cliRun{exitDone, f.Doc.README, ""}},
		"Engine":   {"the image says it", "-i reg.example/helpful:v1 --runtime docker", cliRun{exitDone, "How to use it.\n", ""}},
		"Unknown":  {"not every function knows --help", "-i reg.example/other:v1 --runtime docker", cliRun{exitFailed, "", "error: image \"reg.example/other:v1\": --help ended with exit status 3, so it may not know that flag: no such flag\n"}},
		"Nothing":  {"a name or an image", "", cliRun{exitUsage, "", "error: name a linked function, or an image with --image; see 'waybill fn doc --help'\n"}},
		"Both":     {"not both", f.Name + " -i a/b", cliRun{exitUsage, "", "error: name a linked function, or an image with --image; see 'waybill fn doc --help'\n"}},
		"NotThere": {"only what is linked in", "-i reg.example/other:v1 --runtime inproc", cliRun{exitFailed, "", "error: image \"reg.example/other:v1\" is not linked into this binary; use another --runtime to run it in a container\n"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := runCLI(t, append([]string{"fn", "doc"}, words(tc.args)...)...)
			if diff := cmp.Diff(tc.want, r, cmp.AllowUnexported(cliRun{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
