package main

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/gitrepo/gittest"
)

// TestReconcileTextRevision reads revision v1, as Porch's tutorials write it, as 1, and says so. Other texts are errors.
func TestReconcileTextRevision(t *testing.T) {
	for revision, want := range map[string]string{
		"v1":   `PackageVariant fleet/eu: spec.upstream.revision: "v1" is read as 1; write the number`,
		`"v1"`: `PackageVariant fleet/eu: spec.upstream.revision: "v1" is read as 1; write the number`,
		"1":    "",
		"v0":   "spec.upstream.revision",
		"main": "spec.upstream.revision",
	} {
		f := newDraftFleet(t)
		dir := filepath.Dir(f.file)
		writeFile(t, filepath.Join(dir, "eu.yaml"), "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: eu, namespace: fleet}\n"+
			"spec:\n  upstream: {repo: blueprints, package: shop, revision: "+revision+"}\n  downstream: {repo: deployments, package: eu/shop}\n", 0o644)
		r := runCLI(t, "reconcile", "-f", dir)
		read := revision != "v0" && revision != "main"
		if (r.code == exitDone) != read || (want == "") != (r.stderr == "") || !strings.Contains(r.stderr, want) || strings.Contains(r.stderr, "warning: ") != (read && want != "") {
			t.Errorf("%s: exit code %d, stdout %q, stderr %q", revision, r.code, r.stdout, r.stderr)
		}
		if read && !strings.Contains(r.stdout, "cloned from blueprints.shop.v1") {
			t.Errorf("%s: %s", revision, r.stdout)
		}
	}
}

// TestReconcileUnreadableVariant has a variant with a misspelt field beside a good one: only that one fails, and -o json has both.
func TestReconcileUnreadableVariant(t *testing.T) {
	f := newDraftFleet(t)
	dir := filepath.Dir(f.file)
	const variant = "apiVersion: config.porch.kpt.dev/v1alpha1\nkind: PackageVariant\nmetadata: {name: NAME, namespace: fleet}\n" +
		"spec:\n  upstream: {repo: blueprints, package: shop, revision: 1}\n  downstream: {repo: deployments, package: NAME/shop}\n"
	good := strings.ReplaceAll(variant, "NAME", "eu")
	writeFile(t, filepath.Join(dir, "variants.yaml"), good+"---\n"+strings.ReplaceAll(variant, "NAME", "us"), 0o644)
	runCLI(t, "reconcile", "-f", dir)
	before := gittest.Refs(t, f.deployments)
	bad := strings.ReplaceAll(strings.Replace(variant, "revision: 1", "revsion: 1", 1), "NAME", "us")
	writeFile(t, filepath.Join(dir, "variants.yaml"), strings.ReplaceAll(variant, "NAME", "asia")+"---\n"+good+"---\n"+bad, 0o644)
	r := runCLI(t, "reconcile", "-f", dir, "-o", "json")
	var list struct {
		Items []struct{ Name, Action, Message string }
	}
	if err := json.Unmarshal([]byte(r.stdout), &list); err != nil {
		t.Fatalf("%v: %+v", err, r)
	}
	var got []string
	for _, item := range list.Items {
		got = append(got, item.Name+" "+item.Action)
	}
	if diff := cmp.Diff([]string{"asia created", "eu unchanged", "us failed"}, got); diff != "" || r.code != exitFailed {
		t.Errorf("exit code %d (-want +got):\n%s", r.code, diff)
	}
	if last := list.Items[2].Message; !strings.Contains(last, "variants.yaml") || !strings.Contains(last, "spec.upstream.revsion: Forbidden: unknown field") || !strings.Contains(r.stderr, "error: fleet/us: ") {
		t.Errorf("message %q, stderr %q", last, r.stderr)
	}
	for ref := range strings.Lines(before) {
		if after := gittest.Refs(t, f.deployments); !strings.Contains(after, strings.TrimSpace(ref)) {
			t.Errorf("%s is gone or moved; refs are\n%s", ref, after)
		}
	}
	if r := runCLI(t, "rpkg", "get", "-f", dir, "-o", "name"); r.code != exitDone || !strings.Contains(r.stdout, "deployments.us.shop.packagevariant-1") {
		t.Errorf("rpkg get needs no variants: %+v", r)
	}
}
