package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// moving is a package whose pipeline moves "a" by one spelling of its path.
const moving = `-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: moving
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/starlark
    configPath: move.yaml
-- move.yaml --
apiVersion: fn.kpt.dev/v1alpha1
kind: StarlarkRun
metadata:
  name: move
  annotations:
    config.kubernetes.io/local-config: "true"
source: |
  for r in ctx.resource_list["items"]:
    if r["metadata"]["name"] == "a":
      r["metadata"]["annotations"]["config.kubernetes.io/path"] = "moved/a.yaml"
-- a.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: a
`

// TestLinkedFunctionMoves holds that a linked function moves an object by either spelling of its path, in a render, in an
// evaluation and in a pipe.
func TestLinkedFunctionMoves(t *testing.T) {
	eval := []string{"fn", "eval", ".", "--image", "ghcr.io/waybill-dev/starlark", "--fn-config", "move.yaml"}
	render := []string{"fn", "render", "."}
	cases := map[string]struct {
		reason string
		args   []string
		prefix string // of the spelling
	}{
		"render":         {"the legacy spelling", render, ""},
		"eval":           {"an evaluation does the same", eval, ""},
		"internal":       {"the internal spelling", render, "internal."},
		"internal, eval": {"the internal spelling", eval, "internal."},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := writeArchive(t, strings.Replace(moving, `["config.`, `["`+tc.prefix+`config.`, 1))
			t.Chdir(dir)
			if r := runCLI(t, tc.args...); r.code != exitDone {
				t.Fatalf("%s: %s", tc.reason, r.stderr)
			}
			if d := cmp.Diff([]string{"Kptfile", "move.yaml", "moved/a.yaml"}, readTree(t, dir).Paths()); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
		})
	}
	t.Run("pipe", func(t *testing.T) {
		t.Chdir(writeArchive(t, moving))
		r := runCLIOn(t, listHead+item("a", "      config.kubernetes.io/path: 'a.yaml'\n      internal.config.kubernetes.io/path: 'a.yaml'\n"),
			"fn", "eval", "-", "--image", "ghcr.io/waybill-dev/starlark", "--fn-config", "move.yaml")
		want := listHead + item("a", "      config.kubernetes.io/path: moved/a.yaml\n      internal.config.kubernetes.io/path: 'moved/a.yaml'\n")
		if d := cmp.Diff(want, r.stdout); d != "" || r.code != exitDone {
			t.Errorf("both spellings go on (-want +got):\n%s%s", d, r.stderr)
		}
	})
}
