package image

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestSBOMs builds a function in two folders, and wants the same layout, in which the index and each image have their SBOM.
func TestSBOMs(t *testing.T) {
	testenv.Long(t, "it compiles for two platforms, twice")
	first, second := t.TempDir(), t.TempDir()
	built := buildInto(t, first)
	buildInto(t, second)
	if diff := cmp.Diff(snapshot(t, first), snapshot(t, second)); diff != "" {
		t.Errorf("another folder, another layout (-first +second):\n%s", diff)
	}
	validateLayout(t, first)
	index, err := built.Index.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	digest, err := built.Index.Digest()
	if err != nil {
		t.Fatal(err)
	}
	subjects := []v1.Hash{digest}
	for _, d := range index.Manifests {
		subjects = append(subjects, d.Digest)
	}
	if len(built.SBOMs) != len(subjects) || len(subjects) != 3 {
		t.Fatalf("want an SBOM of the index and of each image, got %d of %d", len(built.SBOMs), len(subjects))
	}
	for i, sbom := range built.SBOMs {
		checkSBOM(t, sbom, subjects[i])
	}
}

func buildInto(t *testing.T, layout string) *Built {
	t.Helper()
	built := buildCopyInput(t, t.TempDir())
	if err := WriteLayout(layout, fleet+"copy-input:v1", built.Index, built.SBOMs...); err != nil {
		t.Fatal(err)
	}
	return built
}

// checkSBOM wants an artifact, whose only file says what its subject is made of.
func checkSBOM(t *testing.T, sbom v1.Image, subject v1.Hash) {
	t.Helper()
	if err := validate.Image(sbom, validate.Fast); err != nil {
		t.Error(err)
	}
	manifest, err := sbom.Manifest()
	if err != nil {
		t.Fatal(err)
	}
	if manifest.Subject == nil || manifest.Subject.Digest != subject || manifest.ArtifactType != SBOMType || len(manifest.Layers) != 1 {
		t.Fatalf("want a %s that is attached to %s, got %+v", SBOMType, subject, manifest)
	}
	layer, err := sbom.LayerByDigest(manifest.Layers[0].Digest)
	if err != nil {
		t.Fatal(err)
	}
	file, err := layer.Compressed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(file)
	if err != nil || !json.Valid(text) {
		t.Fatalf("the file is no JSON: %v: %.100s", err, text)
	}
	for _, want := range []string{subject.String(), "pkg:golang/example.test/fleet@v1#functions/copy-input", "pkg:golang/stdlib@1."} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
}

// TestSBOMsRefuse: of a program that says nothing of itself, nothing is claimed.
func TestSBOMsRefuse(t *testing.T) {
	s := fakeSpec("bind", "v1")
	_, err := SBOMs(s, mustBuild(t, s))
	if !strings.HasPrefix(errorText(err), `function "bind" for linux/amd64: `) {
		t.Errorf("want an error that names the function and the platform, got %v", err)
	}
}
