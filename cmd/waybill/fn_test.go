package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestFnRunIsTheFunction wants `fn run` and the function's own program to be the same program:
// same bytes on both streams, same exit code.
func TestFnRunIsTheFunction(t *testing.T) {
	testenv.Long(t, "it builds every function")
	bin := t.TempDir()
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin+"/", "../../functions/...")
	render := runCLI(t, "fn", "render", blueprint, "-o", "stdout")
	if render.code != exitDone {
		t.Fatal(render.stderr)
	}
	const anyCode = -1 // some functions want an inventory or options, to others everything is an option
	cases := map[string]struct {
		reason, stdin string
		code          int
	}{
		"List":       {"a list of a whole package", render.stdout, anyCode},
		"Empty":      {"a list without items", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n", anyCode},
		"Legacy":     {"the old version of the protocol", "apiVersion: config.kubernetes.io/v1alpha1\nkind: ResourceList\nitems: []\nfunctionConfig: {apiVersion: v1, kind: ConfigMap, data: {allowEmptyInventory: 'true'}}\n", anyCode},
		"BadConfig":  {"an option that there is not: an error result, and the list all the same", "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\nfunctionConfig: {apiVersion: v1, kind: ConfigMap, data: {nope: 'true'}}\n", anyCode},
		"OtherKind":  {"an object that is no list", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n", fn.ExitBadList},
		"BrokenYAML": {"no YAML", "items: [", fn.ExitBadList},
		"Nothing":    {"no input at all", "", fn.ExitBadList},
	}
	for _, f := range catalog.Functions {
		for name, tc := range cases {
			t.Run(f.Name+"/"+name, func(t *testing.T) {
				got := runCLIOn(t, tc.stdin, "fn", "run", f.Name)
				if tc.code != anyCode && got.code != tc.code {
					t.Errorf("%s: exit code %d, want %d\n%s", tc.reason, got.code, tc.code, got.stderr)
				}
				if (got.code == fn.ExitBadList) != (got.stdout == "") {
					t.Errorf("%s: exit code %d and stdout %q", tc.reason, got.code, got.stdout)
				}
				if diff := cmp.Diff(runProgram(t, filepath.Join(bin, f.Name), tc.stdin), got, cmp.AllowUnexported(cliRun{})); diff != "" {
					t.Errorf("%s (-program +fn run):\n%s", tc.reason, diff)
				}
			})
		}
	}
}

func runProgram(t *testing.T, name, stdin string) cliRun {
	t.Helper()
	var out, messages strings.Builder
	cmd := exec.Command(name)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(stdin), &out, &messages
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return cliRun{cmd.ProcessState.ExitCode(), out.String(), messages.String()}
}

// TestFnList names every function, its image and what it does, a line each.
func TestFnList(t *testing.T) {
	lines := strings.Split(strings.TrimSpace(runCLI(t, "fn", "list").stdout), "\n")
	if len(lines) != 1+len(catalog.Functions) {
		t.Fatalf("%d lines for %d functions", len(lines), len(catalog.Functions))
	}
	for i, f := range catalog.Functions {
		want := []string{f.Name, "ghcr.io/waybill-dev/" + f.Name + ":" + catalog.Version, f.Doc.Short}
		got := strings.Fields(lines[1+i])
		if diff := cmp.Diff(want, []string{got[0], got[1], strings.Join(got[2:], " ")}); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

// TestFnDoc prints the README of every function, to the byte.
func TestFnDoc(t *testing.T) {
	for _, f := range catalog.Functions {
		r := runCLI(t, "fn", "doc", f.Name)
		if diff := cmp.Diff(f.Doc.README, r.stdout); diff != "" || r.code != exitDone || r.stderr != "" {
			t.Errorf("%s: exit code %d, stderr %q (-want +got):\n%s", f.Name, r.code, r.stderr, diff)
		}
	}
}
