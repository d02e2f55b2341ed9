package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	previewcmd "github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/preview"
)

// TestFleetPreviewInert compares objects whose names are meant to do harm, in every form.
func TestFleetPreviewInert(t *testing.T) {
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	root := t.TempDir()
	names := []string{"::stop-commands::x", "\u009b31mx", "\u202eevil", "\u200bzero", "\x7fdel", "\U000e0041tag", "\u2028line", "a\nb", "##[error]x", "\ufffex", "\ufeffbom"}
	for side, v := range map[string]string{"a": "1", "b": "2"} {
		var docs []string
		for _, n := range names {
			data, err := json.Marshal(map[string]any{"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "metadata": map[string]any{"name": n, "namespace": n},
				"spec": map[string]any{"workload": map[string]any{"manifests": []any{map[string]any{"apiVersion": "v1", "kind": n, "metadata": map[string]any{"name": n}, "data": map[string]any{n: n + v}}}}}})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for _, r := range string(data) {
				if r < 0x7f {
					text.WriteRune(r)
				} else if r > 0xffff {
					fmt.Fprintf(&text, `\U%08x`, r)
				} else {
					fmt.Fprintf(&text, `\u%04x`, r)
				}
			}
			docs = append(docs, text.String())
		}
		writeFile(t, filepath.Join(root, side, "w.yaml"), strings.Join(docs, "\n---\n")+"\n", 0o644)
	}
	t.Chdir(root)
	decoded := map[string]map[string]any{}
	for _, form := range previewcmd.Formats {
		args := []string{"fleet", "preview", "a", "b", "-o", form}
		if form == "text" {
			args = append(args, "--all")
		}
		r := runCLI(t, args...)
		if r.code != exitDone {
			t.Errorf("%s: exit code %d, %s", form, r.code, r.stderr)
		}
		for _, bad := range []string{"\u009b", "\u202e", "\u200b", "\x7f", "\U000e0041", "\u2028", "\ufffe", "\ufeff"} {
			if strings.Contains(r.stdout, bad) {
				t.Errorf("%s has %q in it", form, bad)
			}
		}
		for line := range strings.Lines(r.stdout) {
			if form != "github" && (strings.HasPrefix(strings.TrimSpace(line), "::") || form == "text" && strings.Contains(line, "##[")) {
				t.Errorf("%s has a command in it: %q", form, line)
			}
		}
		if decode := map[string]func([]byte, any) error{"json": json.Unmarshal, "yaml": func(b []byte, v any) error { return yaml.Unmarshal(b, v) }}[form]; decode != nil {
			var v map[string]any
			if err := decode([]byte(r.stdout), &v); err != nil {
				t.Errorf("%s: %v", form, err)
			}
			decoded[form] = v
		}
	}
	if diff := cmp.Diff(decoded["json"], decoded["yaml"]); diff != "" || decoded["json"]["groups"] == nil {
		t.Errorf("(-json +yaml):\n%s", diff)
	}
}

// TestFleetPreviewTwins warns of a work that is in two files.
func TestFleetPreviewTwins(t *testing.T) {
	root := t.TempDir()
	work := "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: a\n  name: w\nspec:\n  workload:\n    manifests:\n    - {apiVersion: v1, kind: Namespace, metadata: {name: x}}\n"
	writeFile(t, filepath.Join(root, "a", "w.yaml"), work, 0o644)
	writeFile(t, filepath.Join(root, "a", "old", "w.yaml"), work, 0o644)
	writeFile(t, filepath.Join(root, "b", "w.yaml"), work, 0o644)
	t.Chdir(root)
	r := runCLI(t, "fleet", "preview", "a", "b")
	if !strings.Contains(r.stdout, "Nothing changes") || r.stderr != "warning: before, a: work a/w is in old/w.yaml and in w.yaml: a cluster can have only one work of that name\n" {
		t.Errorf("%s%s", r.stdout, r.stderr)
	}
}
