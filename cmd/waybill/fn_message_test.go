package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// TestMessage is one line, but for what kpt says in several.
func TestMessage(t *testing.T) {
	invalid := func(value, reason string) error {
		return &kptfile.InvalidError{ValidateError: v1.ValidateError{Field: "pipeline.mutators[0]", Value: value, Reason: reason}}
	}
	cases := map[string]struct {
		reason string
		err    error
		want   string
	}{
		"Plain":    {"one line", errors.Join(errors.New("a:\nb"), errors.New("c")), "a: b; c"},
		"Terminal": {"that moves no cursor", errors.New("a\x1b[2J"), `a\x1b[2J`},
		"Invalid":  {"field and reason", invalid("", "r"), "Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: r"},
		"Value":    {"a value is quoted", fmt.Errorf("p: %w", invalid("v\n", "r")), "p: Kptfile is invalid:\nField: `pipeline.mutators[0]`\nValue: \"v\\n\"\nReason: r"},
		"Forged":   {"a reason is one line", invalid("", "r\nerror: other\x1b"), "Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: r; error: other\\x1b"},
		"Joined":   {"what else went wrong has a line", errors.Join(invalid("", "r"), errors.New("s")), "Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: r\ns"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, cli.Message(tc.err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestRenderRefusals says what is wrong in the words and lines that kpt has for it, and where.
func TestRenderRefusals(t *testing.T) {
	const head = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\n"
	const gone = "render package \"app\": Kptfile: Kptfile is invalid:\nField: `pipeline.%ss[%d].configPath`\nValue: %[4]q\nReason: " +
		"functionConfig resource for %[1]s %[3]q is missing from path %[4]q, this also occurs if %[4]q is part of a subpackage"
	cases := map[string]struct{ reason, kptfile, want string }{
		"both":           {"two ways to run", "pipeline:\n  mutators:\n  - image: a\n    exec: b\n", "error: render package \"app\": Kptfile: Kptfile is invalid:\nField: `pipeline.mutators[0]`\nReason: must not specify both `image` and `exec` at the same time\n"},
		"config path":    {"a value", "pipeline:\n  validators:\n  - exec: b\n    configPath: ../x.yaml\n", "Kptfile is invalid:\nField: `pipeline.validators[0].configPath`\nValue: \"../x.yaml\"\nReason: path must not be outside the package\n"},
		"config gone":    {"a mutator without its config", "pipeline:\n  mutators:\n  - exec: cat\n    configPath: none.yaml\n", fmt.Sprintf(gone, "mutator", 0, "cat", "none.yaml")},
		"named":          {"by the name that it has", "pipeline:\n  validators:\n  - image: set-labels\n    name: last\n    configPath: sub/c.yaml\n", fmt.Sprintf(gone, "validator", 0, "last", "sub/c.yaml")},
		"image":          {"or by its image", "pipeline:\n  mutators:\n  - exec: cat\n  - image: set-labels:v0.2\n    configPath: none.yaml\n", fmt.Sprintf(gone, "mutator", 1, "set-labels:v0.2", "none.yaml")},
		"config is none": {"a config that is no KRM object", "pipeline:\n  mutators:\n  - exec: cat\n  - exec: cat\n    configPath: odd.yaml\n", "Field: `pipeline.mutators[1].configPath`\nValue: \"odd.yaml\"\nReason: functionConfig \"odd.yaml\": resource must have `apiVersion`\n"},
		"two configs":    {"a config is one object", "pipeline:\n  validators:\n  - exec: cat\n    configPath: two.yaml\n", "Field: `pipeline.validators[0].configPath`\nValue: \"two.yaml\"\nReason: functionConfig \"two.yaml\" must not contain more than one config, got 2\n"},
		"unknown field":  {"file and line", "pipeline:\n  mutators:\n  - exec: cat\n    bogus: 1\n", "Kptfile: unknown field pipeline.mutators[0].bogus (line 8)"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "app")
			writeFile(t, filepath.Join(dir, "Kptfile"), head+tc.kptfile, 0o644)
			writeFile(t, filepath.Join(dir, "sub/Kptfile"), head, 0o644)
			writeFile(t, filepath.Join(dir, "sub/c.yaml"), plainObject, 0o644)
			writeFile(t, filepath.Join(dir, "two.yaml"), plainObject+"---\n"+strings.Replace(plainObject, "name: ", "name: x", 1), 0o644)
			if strings.Contains(tc.kptfile, "odd.yaml") {
				writeFile(t, filepath.Join(dir, "odd.yaml"), "a: b\n", 0o644)
			}
			r := runCLI(t, "fn", "render", dir, "--allow-exec")
			if r.code != exitFailed || !strings.Contains(r.stderr, tc.want) {
				t.Errorf("%s: exit code %d, stderr:\n%swant:\n%s", tc.reason, r.code, r.stderr, tc.want)
			}
		})
	}
}

// TestNewerKptfiles shows the rows of docs/kpt-differences.md about fields that newer releases of kpt know: to ignore one would render
// something else than its author wants.
func TestNewerKptfiles(t *testing.T) {
	const function = "pipeline:\n  mutators:\n  - image: set-namespace:v0.4\n    configMap: {namespace: x}\n"
	for name, tc := range map[string]struct{ reason, more, want string }{
		"when":     {"the function would run although it must not", function + "    when: size(resources) > 1\n", "unknown field pipeline.mutators[0].when (line 9)"},
		"selector": {"the function would get too much", function + "    selectors:\n    - resourceFileRegexp: a.*\n", "unknown field pipeline.mutators[0].selectors[0].resourceFileRegexp (line 10)"},
		"nulls":    {"the author relies on it", "upstream:\n  type: git\n  preserveExplicitNull: true\n", "unknown field upstream.preserveExplicitNull (line 7)"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "Kptfile"), rpkgKptfile+tc.more, 0o644)
			if got := runCLI(t, "fn", "render", dir); got.code != 1 || !strings.Contains(got.stderr, "Kptfile: "+tc.want) {
				t.Errorf("%s: want %q, got %+v", tc.reason, tc.want, got)
			}
		})
	}
}

// TestNoPackage says where there is none, in full: "." tells nobody.
func TestNoPackage(t *testing.T) {
	t.Chdir(t.TempDir())
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	r := runCLI(t, "fn", "render")
	want := fmt.Sprintf("error: render package %q: not a package: no Kptfile at its root %s\n", filepath.Base(dir), dir)
	if r.code != exitFailed || r.stderr != want {
		t.Errorf("exit code %d, stderr %q, want %q", r.code, r.stderr, want)
	}
}
