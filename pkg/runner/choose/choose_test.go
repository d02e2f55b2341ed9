package choose

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	kptfilev1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
)

func TestPrepare(t *testing.T) {
	ours := catalog.Image("bind-resolve")
	cases := map[string]struct {
		reason   string
		opts     Options
		function kptfilev1.Function
		kind     string // how it runs, or
		err      string // why it does not
	}{
		"linked":          {"an image of this release runs in-process", Options{}, kptfilev1.Function{Image: ours}, "in-process", ""},
		"linked latest":   {"so does one without a tag", Options{}, kptfilev1.Function{Image: catalog.Registry + "/bind-resolve"}, "in-process", ""},
		"tag field":       {"the tag field replaces the tag", Options{}, kptfilev1.Function{Image: catalog.Registry + "/bind-resolve:v9", Tag: catalog.Version}, "in-process", ""},
		"other release":   {"another release is not what is linked", Options{Runtime: "inproc"}, kptfilev1.Function{Image: catalog.Registry + "/bind-resolve:v9.9.9"}, "", "is not linked into this binary"},
		"digest":          {"who pins a digest gets that image and no other", Options{Runtime: "inproc"}, kptfilev1.Function{Image: ours + "@sha256:" + strings.Repeat("a", 64)}, "", "is not linked"},
		"foreign":         {"another registry's function of our name is not ours", Options{Runtime: "inproc"}, kptfilev1.Function{Image: "registry.example/bind-resolve"}, "", "is not linked"},
		"short":           {"a short name is the catalogue's, not ours", Options{Runtime: "inproc"}, kptfilev1.Function{Image: "bind-resolve"}, "", DefaultPrefix + "/bind-resolve:latest"},
		"prefix":          {"the prefix for short names can be chosen", Options{ImagePrefix: catalog.Registry}, kptfilev1.Function{Image: "bind-resolve"}, "in-process", ""},
		"bad image":       {"an image name must be one", Options{}, kptfilev1.Function{Image: "registry.example/UPPER"}, "", "UPPER"},
		"flag as image":   {"an image name is never taken for a flag of the engine", Options{}, kptfilev1.Function{Image: "--privileged/x"}, "", "invalid reference"},
		"exec refused":    {"executables run only when allowed", Options{}, kptfilev1.Function{Exec: "true"}, "", "must run with `--allow-exec` option to allow running function binaries"},
		"exec":            {"and then they do", Options{AllowExec: true}, kptfilev1.Function{Exec: "true"}, "exec", ""},
		"unknown engine":  {"an engine that is none", Options{Engine: "lxc"}, kptfilev1.Function{Image: ours}, "", "want one of podman"},
		"unknown runtime": {"a runtime that is none", Options{Runtime: "wasm"}, kptfilev1.Function{Image: ours}, "", "want one of auto"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			kind, err := prepare(c.opts, c.function)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) {
					t.Fatalf("%s: err = %v, want %q", c.reason, err, c.err)
				}
				return
			}
			if err != nil || kind != c.kind {
				t.Errorf("%s: runs %q (%v), want %q", c.reason, kind, err, c.kind)
			}
		})
	}
}

// TestNoImage asks an engine for an image that it cannot run: the error names the tags that need no image, if there are any.
func TestNoImage(t *testing.T) {
	bin := t.TempDir()
	if err := os.WriteFile(filepath.Join(bin, "podman"), []byte("#!/bin/sh\necho no such image >&2\nexit 125\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin)
	for image, want := range map[string]string{
		"gcr.io/kpt-fn/set-labels:v0.9.0": "no such image; waybill runs the function of this name without an image for the tags v0.1, v0.2, latest, unstable",
		"registry.example/other:v1":       "no such image",
	} {
		made, err := Options{}.Factory()
		if err != nil {
			t.Fatal(err)
		}
		r, err := made.Prepare(context.Background(), &kptfilev1.Function{Image: image})
		if err != nil {
			t.Fatalf("%s: %v", image, err)
		}
		if _, err := r.Run(context.Background(), &fn.Input{}); err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%s: err = %v, want %q", image, err, want)
		}
	}
}

func prepare(o Options, f kptfilev1.Function) (string, error) {
	factory, err := o.Factory()
	if err != nil {
		return "", err
	}
	r, err := factory.Prepare(context.Background(), &f)
	if err != nil {
		return "", err
	}
	return r.Kind(), nil
}

// TestTimeLimit holds that the time limit is there however a function runs.
func TestTimeLimit(t *testing.T) {
	for kind, f := range map[string]kptfilev1.Function{
		"in-process": {Image: catalog.Image("bind-resolve")},
		"exec":       {Exec: "sleep 60"},
	} {
		made, err := Options{AllowExec: true, Limits: exec.Limits{Time: time.Nanosecond}}.Factory()
		if err != nil {
			t.Fatal(err)
		}
		r, err := made.Prepare(context.Background(), &f)
		if err != nil || r.Kind() != kind {
			t.Fatalf("%s: %v", kind, err)
		}
		if _, err := r.Run(context.Background(), &fn.Input{}); err == nil || !strings.Contains(err.Error(), "ran longer than") || !strings.Contains(err.Error(), "1ns") {
			t.Errorf("%s: err = %v", kind, err)
		}
	}
}
