package kustomize

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// FuzzKustomization builds any kustomization, over a base and with one more file: it fails, or gives objects in its folder, and twice
// the same.
func FuzzKustomization(f *testing.F) {
	for _, files := range overlays(f) {
		other := []byte(settings)
		for name, data := range files {
			if strings.HasPrefix(name, "overlays/x/") && name != overlay {
				other = data
			}
		}
		f.Add(files[overlay], other)
	}
	f.Fuzz(func(t *testing.T, text, other []byte) {
		files := fn.Files{overlay: text, "overlays/x/other.yaml": other,
			"base/kustomization.yaml": []byte("resources: [s.yaml]\n"), "base/s.yaml": []byte(settings)}
		first := buildOverlay(t, files, "")
		for _, r := range first.Results {
			if strings.Contains(r.Message, "please report") || strings.Contains(r.Message, "dial tcp") || strings.Contains(r.Message, "git ") {
				t.Errorf("%q", r.Message)
			}
		}
		for _, o := range first.Items {
			if !strings.HasPrefix(o.File(), "kustomized/x/") {
				t.Errorf("an object lies in %s", o.File())
			}
		}
		if again := buildOverlay(t, files, ""); strings.Join(contents(t, first.Items), "\n") != strings.Join(contents(t, again.Items), "\n") {
			t.Error("two builds differ")
		}
	})
}
