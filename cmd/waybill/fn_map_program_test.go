package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

// hookProgram answers a MapRequest with one ConfigMap, which says what a file beside the program says.
const hookProgram = `#!/bin/sh
name=$(awk '/^items:/ {items = 1} /^functionConfig:/ {items = 0} items && $1 == "name:" {print $2; exit}')
cat <<END
apiVersion: config.kubernetes.io/v1
kind: ResourceList
items:
- apiVersion: v1
  kind: ConfigMap
  metadata:
    name: $name
  data:
    said: $(cat "$(dirname "$0")/said")
END
`

const hookedPackage = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: p
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/map:v0.1.0
    configPath: controller.yaml
`

const hookedController = `apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata:
  name: copies
  annotations:
    config.kubernetes.io/local-config: "true"
spec:
  parentResource: {apiVersion: example.org/v1, kind: Policy}
  inputResources: [{apiVersion: v1, resource: services}]
  outputResources: [{apiVersion: v1, resource: configmaps}]
  hooks:
    map: {function: {exec: PROGRAM}}
`

const hookedObjects = `apiVersion: example.org/v1
kind: Policy
metadata:
  name: all
  namespace: prod
---
apiVersion: v1
kind: Service
metadata:
  name: web
  namespace: prod
`

// TestMapRunsPrograms renders a package whose map asks a program: only if programs may run, and again
// each time, since the output of a program is not predictable.
func TestMapRunsPrograms(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	dir, tools := filepath.Join(t.TempDir(), "p"), t.TempDir()
	program := filepath.Join(tools, "program")
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(program, hookProgram, 0o700)
	write(filepath.Join(dir, "Kptfile"), hookedPackage, 0o600)
	write(filepath.Join(dir, "objects.yaml"), hookedObjects, 0o600)
	write(filepath.Join(dir, "controller.yaml"), strings.Replace(hookedController, "PROGRAM", program, 1), 0o600)

	try := func(args ...string) (int, string) {
		var stdout, stderr strings.Builder
		code := execute(t.Context(), args, nil, &stdout, &stderr)
		return code, stderr.String()
	}
	code, stderr := try("fn", "render", dir)
	if code != 1 || !strings.Contains(stderr, "--allow-exec") || !strings.Contains(stderr, "spec.hooks.map.function") {
		t.Errorf("without --allow-exec: exit code %d: %s", code, stderr)
	}
	if code, stderr := try("fn", "eval", dir, "--image", "ghcr.io/waybill-dev/map:v0.1.0", "--fn-config", filepath.Join(dir, "controller.yaml")); code != 1 || !strings.Contains(stderr, "--allow-exec") {
		t.Errorf("eval without --allow-exec: exit code %d: %s", code, stderr)
	}
	for _, said := range []string{"once", "twice", "twice"} {
		write(filepath.Join(tools, "said"), said, 0o600)
		if code, stderr := try("fn", "render", "--allow-exec", dir); code != 0 {
			t.Fatalf("exit code %d: %s", code, stderr)
		}
		var made string
		for p, b := range readTree(t, dir).All() {
			if strings.HasPrefix(p, "map/") {
				made += string(b.Data())
			}
		}
		if !strings.Contains(made, "name: web\n") || !strings.Contains(made, "said: "+said+"\n") {
			t.Errorf("the program said %q, and there is:\n%s", said, made)
		}
	}
	write(filepath.Join(dir, "objects.yaml"), strings.SplitAfter(hookedObjects, "---\n")[0], 0o600) // nothing to ask about
	for _, want := range []struct {
		flags []string
		code  int
	}{{[]string{"--allow-exec"}, 0}, {nil, 1}} {
		if code, stderr := try(append([]string{"fn", "render", dir}, want.flags...)...); code != want.code {
			t.Errorf("with %v: exit code %d: %s", want.flags, code, stderr)
		}
	}
}
