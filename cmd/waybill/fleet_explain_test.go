package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

const edgeFleet = "../../examples/edge-fleet"

// TestExplainPage types what docs/explain.md says, and wants it to print what the page shows.
func TestExplainPage(t *testing.T) {
	const page = "../../docs/explain.md"
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(edgeFleet)); err != nil {
		t.Fatal(err)
	}
	before := readTree(t, dir)
	out := runPage(t, page, dir, strings.NewReplacer(), "PATH="+buildWaybill(t)+":"+os.Getenv("PATH"), cli.CacheDirVariable+"="+t.TempDir(), "LC_ALL=C")
	checkShown(t, page, "", out)
	if diff := before.Diff(readTree(t, dir)); len(diff) > 0 {
		t.Errorf("files have changed: %v", diff)
	}
}

func TestFleetExplain(t *testing.T) {
	blueprint, err := filepath.Abs(edgeFleet + "/blueprint")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	root := t.TempDir()
	t.Chdir(root)
	for _, folder := range []string{"regions/a", "regions/b"} {
		if err := os.CopyFS(filepath.Join(root, folder), os.DirFS(blueprint)); err != nil {
			t.Fatal(err)
		}
	}
	for _, folder := range []string{"empty", "broken"} {
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	writeFiles(t, root, map[string]string{"broken/Kptfile": "kind: [\n", "new.yaml": previewClusters("new-1") +
		"---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: new-1\n  namespace: customization-properties\ndata: {city: Nowhere, registry: mirror.example.com, region: eu}\n"})
	cases := map[string]struct {
		reason         string
		args           []string
		code           int
		stdout, stderr string
	}{
		"There":     {"what is there", []string{"lab-1/namespace/shop", "--dir", blueprint}, exitDone, "lab-1 receives Namespace shop by policy shop.\n", ""},
		"Absent":    {"what is not is explained as well", []string{"lab-1/configmap/shop/feature-flags", "--dir", blueprint}, exitDone, "lab-1 does not receive", ""},
		"ExitThere": {"shown by the exit code", []string{"lab-1/namespace/shop", "--dir", blueprint, "--exit-code"}, exitDone, "lab-1 receives", ""},
		"ExitNot":   {"shown by the exit code", []string{"lab-1/configmap/shop/feature-flags", "--dir", blueprint, "--exit-code"}, exitFailed, "lab-1 does not", ""},
		"ExitField": {"a field that is not there", []string{"lab-1/namespace/shop#spec", "--dir", blueprint, "--exit-code"}, exitFailed, "has no field spec", ""},
		"ExitWhere": {"a failure differs from no", []string{"lab-1", "--dir", "nowhere", "--exit-code"}, exitUsage, "", "nowhere"},
		"Table":     {"what other commands call it", []string{"lab-1", "--dir", blueprint, "-o", "table"}, exitDone, "lab-1 receives 13", ""},
		"Several":   {"a folder of packages, each with its own policies", []string{"lab-1", "--dir", "regions"}, exitDone, "lab-1 receives 26 objects in 2 works, by 2 of 4 policies.\n", ""},
		"Places":    {"files are named from where one stands", []string{"lab-1/namespace/shop", "--dir", "regions/a"}, exitDone, "Object: regions/a/app/namespace.yaml:1\n", ""},
		"WhatIf":    {"a cluster that is not there", []string{"new-1/namespace/shop", "--dir", "regions/a", "--with-cluster", "new.yaml"}, exitDone, "new-1 receives Namespace shop", ""},
		"Unknown":   {"a slip of the pen", []string{"lab-11", "--dir", "regions/a"}, exitDone, "did you mean lab-1.\n", ""},
		"NoPackage": {"nothing to render", []string{"lab-1", "--dir", "empty"}, exitFailed, "", "there is no package in empty: no Kptfile"},
		"Broken":    {"a package that cannot be read", []string{"lab-1", "--dir", "broken"}, exitFailed, "", `render package "broken": Kptfile`},
		"Question":  {"no question", []string{"lab-1/shop"}, exitUsage, "", "want CLUSTER, CLUSTER/KIND/NAMESPACE/NAME"},
		"Field":     {"no field", []string{"lab-1/namespace/shop#a..b"}, exitUsage, "", `field "a..b": a name is missing`},
		"Fields":    {"fields of a cluster", []string{"lab-1", "--fields"}, exitUsage, "", "--fields is about an object"},
		"Output":    {"a format that is none", []string{"lab-1", "-o", "xml"}, exitUsage, "", `--output "xml": want text, json, yaml`},
		"None":      {"no question at all", nil, exitUsage, "", "accepts 1 arg(s), received 0"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := runCLI(t, append([]string{"fleet", "explain"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stdout, tc.stdout) || tc.stdout == "" && r.stdout != "" || !strings.Contains(r.stderr, tc.stderr) || tc.stderr == "" && r.stderr != "" {
				t.Errorf("%s: exit code %d, want %d; stdout %q, want %q; stderr %q, want %q", tc.reason, r.code, tc.code, r.stdout, tc.stdout, r.stderr, tc.stderr)
			}
		})
	}
}

// TestFleetExplainData wants the same as JSON and as YAML, also before it is rendered.
func TestFleetExplainData(t *testing.T) {
	blueprint, err := filepath.Abs(edgeFleet + "/blueprint")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	root := t.TempDir()
	t.Chdir(root)
	if err := os.CopyFS(root, os.DirFS(blueprint)); err != nil {
		t.Fatal(err)
	}
	ask := func(format string) (x map[string]any) {
		r := runCLI(t, "fleet", "explain", "zurich-1/deployment/shop/frontend", "--fields", "-o", format)
		decode := map[string]func([]byte, any) error{"json": json.Unmarshal, "yaml": func(b []byte, v any) error { return yaml.Unmarshal(b, v) }}[format]
		if err := decode([]byte(r.stdout), &x); err != nil || r.code != exitDone {
			t.Fatal(err, r)
		}
		return x
	}
	asJSON := ask("json")
	if asJSON["kind"] != "FleetExplanation" || asJSON["there"] != true || len(asJSON["fields"].([]any)) < 20 {
		t.Errorf("%v", asJSON)
	}
	if diff := cmp.Diff(asJSON, ask("yaml")); diff != "" {
		t.Errorf("(-JSON +YAML):\n%s", diff)
	}
	for _, generated := range []string{"bindings", "clusters"} {
		if err := os.RemoveAll(generated); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(asJSON, ask("json")); diff != "" {
		t.Errorf("rendered before, and not (-before +not):\n%s", diff)
	}
}
