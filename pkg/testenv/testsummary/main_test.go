package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestReal feeds it what the go command says of real packages, each wrong in its own way.
func TestReal(t *testing.T) {
	testenv.Long(t, "it runs the go command")
	const header = "package p\nimport (\"os\"; \"testing\"; \"time\")\nvar _, _, _ = os.Exit, time.Sleep, testing.Short\n"
	cases := map[string]struct {
		reason string
		test   string
		want   []string // in this order, somewhere in the output; the last one ends it
		ok     bool
	}{
		"Good": {
			reason: "subtests count, their parent does not count again",
			test:   `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) {}); t.Run("y", func(t *testing.T) {}) }`,
			want:   []string{"ok  \texample.com/p", "2 passed, 0 failed, 0 skipped\n"},
			ok:     true,
		},
		"Skips": {
			reason: "a skip is shown with its reason and does no harm where nothing is required",
			test:   `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) { t.Skip("no\nmoon") }) }`,
			want:   []string{"NOT CHECKED HERE", "example.com/p TestA/x: no moon\n", "0 passed, 0 failed, 1 skipped\n"},
			ok:     true,
		},
		"Fails": {
			reason: "what a failed test logged is shown, and one fault counts once however deep it lies",
			test: `func TestA(t *testing.T) { t.Run("x", func(t *testing.T) { t.Error("wrong") }) }
				func TestB(t *testing.T) { t.Run("x", func(t *testing.T) {}); t.Error("own account") }`,
			want: []string{"wrong", "--- FAIL: TestA", "own account", "FAIL\texample.com/p", "1 passed, 2 failed, 0 skipped\n"},
		},
		"DoesNotBuild": {
			reason: "a build failure is a failure, with the compiler's words",
			test:   `func TestA(t *testing.T) { nowhere() }`,
			want:   []string{"undefined: nowhere", "[build failed]", "0 passed, 1 failed, 0 skipped\n"},
		},
		"Panics": {
			reason: "a panic shows its stack, and what other tests had logged by then",
			test:   `func TestA(t *testing.T) { t.Log("about to"); panic("boom") }`,
			want:   []string{"about to", "panic: boom", "0 passed, 1 failed, 0 skipped\n"},
		},
		"ExitsEarly": {
			reason: "a test binary that ends itself has failed even if no test did",
			test:   `func TestMain(m *testing.M) { os.Exit(3) }`,
			want:   []string{"exit status 3", "0 passed, 1 failed, 0 skipped\n"},
		},
		"TimesOut": {
			reason: "what a hanging test had logged is shown",
			test:   `func TestA(t *testing.T) { t.Log("waiting"); time.Sleep(time.Hour) }`,
			want:   []string{"waiting", "timed out", "0 passed, 1 failed, 0 skipped\n"},
		},
		"NothingToRun": {
			reason: "green must not mean that nothing was checked",
			test:   "",
			want:   []string{"ERROR: no test ran\n0 passed, 0 failed, 0 skipped\n"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			out, ok := run(t, goTest(t, header+tc.test), nil)
			if ok != tc.ok {
				t.Errorf("%s: ok = %v, want %v", tc.reason, ok, tc.ok)
			}
			rest := out
			for _, want := range tc.want {
				_, after, found := strings.Cut(rest, want)
				if !found {
					t.Fatalf("%s: %q is missing, or out of order, in:\n%s", tc.reason, want, out)
				}
				rest = after
			}
			if rest != "" {
				t.Errorf("%s: the counts are not alone on the last line:\n%s", tc.reason, out)
			}
		})
	}
}

// goTest is what `go test -json` says of a module with this one test file.
func goTest(t *testing.T, file string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module example.com/p\n\ngo 1.26\n", "p_test.go": file} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-json", "-vet=off", "-timeout=2s", "./...")
	cmd.Dir = dir
	out, err := cmd.Output()
	if len(out) == 0 {
		t.Fatalf("go test says nothing: %v", err)
	}
	return string(out)
}

func run(t testing.TB, in string, required []string) (string, bool) {
	t.Helper()
	var out strings.Builder
	ok, err := summarise(strings.NewReader(in), &out, "", required)
	if err != nil {
		t.Fatal(err)
	}
	return out.String(), ok
}
