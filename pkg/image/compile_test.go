package image

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestCompileReproducible builds one function in two checkouts and two environments.
func TestCompileReproducible(t *testing.T) {
	testenv.Need(t, testenv.Git)
	first := digests(t, t.TempDir())
	for name, value := range map[string]string{
		"GOFLAGS": "-tags=other", "GOAMD64": "v3", "GOARM64": "v9.0", "CGO_ENABLED": "1",
		"GOEXPERIMENT": "jsonv2", "GOFIPS140": "latest", "GOWORK": filepath.Join(t.TempDir(), "go.work"),
	} {
		t.Setenv(name, value)
	}
	cloned := t.TempDir()
	mustWrite(t, cloned, module())
	git(t, cloned, "init", "-q")
	git(t, cloned, "add", ".")
	git(t, cloned, "-c", "user.name=Tester", "-c", "user.email=tester@example.test", "commit", "-q", "-m", "all")
	if diff := cmp.Diff(first, digests(t, cloned)); diff != "" {
		t.Errorf("another folder and environment, another digest (-first +second):\n%s", diff)
	}
}

// digests are those of copy-input, built in dir.
func digests(t testing.TB, dir string) Listing {
	t.Helper()
	list, err := List(buildCopyInput(t, dir).Index)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// buildCopyInput builds copy-input of the test module in dir.
func buildCopyInput(t testing.TB, dir string) *Built {
	t.Helper()
	mustWrite(t, dir, module())
	f, err := parseFunction("copy-input", nil)
	if err != nil {
		t.Fatal(err)
	}
	built, err := BuildFunction(t.Context(), dir, *f, "v1", Platforms())
	if err != nil {
		t.Fatal(err)
	}
	return built
}

func git(t testing.TB, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %s: %v: %s", strings.Join(args, " "), err, out)
	}
}

func TestCompileStrips(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, module())
	binary, err := Compile(t.Context(), dir, "./functions/copy-input", arm64)
	if err != nil {
		t.Fatal(err)
	}
	if err := checkBinary(binary, arm64); err != nil {
		t.Errorf("not fit for Build: %v", err)
	}
	f, err := elf.NewFile(bytes.NewReader(binary))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range []string{".note.go.buildid", ".symtab", ".debug_info", ".zdebug_info"} {
		if f.Section(section) != nil {
			t.Errorf("section %s adds size and nothing else", section)
		}
	}
}

// TestCompileLinks: the flags of a function reach the linker.
func TestCompileLinks(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, map[string]string{"go.mod": module()["go.mod"], "functions/stamped/main.go": "package main\n\nvar release string\n\nfunc main() { println(release) }\n"})
	f := Function{Name: "stamped", Package: "./functions/stamped", LinkerFlags: "-X main.release=v9.8.7-linked"}
	built, err := BuildFunction(t.Context(), dir, f, "v1", []Platform{amd64})
	if err != nil {
		t.Fatal(err)
	}
	plain, err := BuildFunction(t.Context(), dir, Function{Name: f.Name, Package: f.Package}, "v1", []Platform{amd64})
	if err != nil {
		t.Fatal(err)
	}
	one, _ := built.Index.Digest()
	if other, _ := plain.Index.Digest(); one == other {
		t.Error("the image is the same without the flags")
	}
	binary, err := Compile(t.Context(), dir, f.Package, amd64, f.LinkerFlags)
	if err != nil || !bytes.Contains(binary, []byte("v9.8.7-linked")) {
		t.Errorf("the variable is not set: %v", err)
	}
}

func TestCompileRefuses(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, module())
	mustWrite(t, dir, map[string]string{
		"broken/main.go":  "package main\n\nfunc main() {\n\tundefined()\n\tvar unused int\n}\n",
		"library/lib.go":  "package library\n",
		"missing/main.go": "package main\n\nimport _ \"example.test/fleet/nowhere\"\n\nfunc main() {}\n",
	})
	cases := map[string]struct{ reason, pkg, want string }{
		"TypeError": {
			reason: "The compiler's words, file and line, all in one line.", pkg: "./broken",
			want: `compile "./broken" for linux/amd64: broken/main.go:4:2: undefined: undefined; broken/main.go:5:6: declared and not used: unused`,
		},
		"MissingImport": {
			reason: "Found before compiling.", pkg: "./missing",
			want: `compile "./missing" for linux/amd64: missing/main.go:3:8: no required module provides package example.test/fleet/nowhere; `,
		},
		"Library": {
			reason: "The go command builds it without a word, into an archive.", pkg: "./library",
			want: `compile "./library": not a main package`,
		},
		"Several": {
			reason: "One image holds one binary.", pkg: "./functions/...",
			want: `compile "./functions/..." for linux/amd64: `,
		},
		"Nothing": {reason: "There is no default package.", pkg: "", want: `compile "": want the path of a main package`},
		"Flag":    {reason: "A name is never an option.", pkg: "-toolexec=id", want: `compile "-toolexec=id": want the path of a main package`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := Compile(t.Context(), dir, tc.pkg, amd64)
			if err == nil || !strings.HasPrefix(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s\nCompile: want one line %q…, got %q", tc.reason, tc.want, errorText(err))
			}
		})
	}
}

func TestCompileStops(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, dir, module())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Compile(ctx, dir, "./functions/copy-input", amd64)
	var refused *CompileError
	if !errors.As(err, &refused) || !errors.Is(err, context.Canceled) {
		t.Errorf("want a CompileError caused by %v, got %v", context.Canceled, err)
	}
}

func TestCompileStoppedSaysWhy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := goFailed(ctx, "./x", amd64, "half a message", &exec.ExitError{})
	if diff := cmp.Diff(`compile "./x" for linux/amd64: context canceled`, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCompileErrorIsBounded(t *testing.T) {
	err := &CompileError{Package: "./x", Platform: amd64, Stderr: "# x\n" + strings.Repeat("wrong\n", 100), Err: &exec.ExitError{}}
	want := `compile "./x" for linux/amd64: ` + strings.Repeat("wrong; ", 10) + "and 90 more lines"
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
