package image

import (
	"crypto/x509"
	"encoding/pem"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

func controllerSpec() Spec {
	s := fakeSpec("waybill", "v1")
	s.Types, s.Controller = nil, true
	return s
}

// TestControllerRuns says how the controller's image runs, which a Deployment relies on.
func TestControllerRuns(t *testing.T) {
	s := controllerSpec()
	idx := mustBuild(t, s)
	checkLaws(t, s, idx)
	img, err := find(idx, amd64)
	if err != nil {
		t.Fatal(err)
	}
	config, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	got := config.Config
	got.Labels = nil
	want := v1.Config{
		Entrypoint: []string{"/usr/local/bin/waybill"}, Cmd: []string{"controller"},
		Env: []string{"PATH=/usr/local/bin"}, User: "65532:65532", WorkingDir: "/",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
	index, err := idx.IndexManifest()
	if err != nil {
		t.Fatal(err)
	}
	for key := range index.Annotations {
		if strings.HasPrefix(key, "dev.kpt.fn") {
			t.Errorf("it is no function, and yet Porch would list it as one: annotation %q", key)
		}
	}
}

func TestControllerFiles(t *testing.T) {
	img, err := find(mustBuild(t, controllerSpec()), arm64)
	if err != nil {
		t.Fatal(err)
	}
	layers, err := img.Layers()
	if err != nil || len(layers) != 1 {
		t.Fatalf("want one layer, got %d, %v", len(layers), err)
	}
	entries, bodies := readLayer(t, layers[0])
	want := []entry{
		{"etc/", 0o755, 0, 0, 0}, {"etc/group", 0o444, 0, 0, 0}, {"etc/passwd", 0o444, 0, 0, 0},
		{"etc/ssl/", 0o755, 0, 0, 0}, {"etc/ssl/certs/", 0o755, 0, 0, 0}, {"etc/ssl/certs/ca-certificates.crt", 0o444, 0, 0, 0},
		{"tmp/", 0o1777, 0, 0, 0},
		{"usr/", 0o755, 0, 0, 0}, {"usr/local/", 0o755, 0, 0, 0}, {"usr/local/bin/", 0o755, 0, 0, 0},
		{"usr/local/bin/waybill", 0o555, 0, 0, 0},
	}
	if diff := cmp.Diff(want, entries); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	checkAuthorities(t, []byte(bodies["etc/ssl/certs/ca-certificates.crt"]))
	delete(bodies, "etc/ssl/certs/ca-certificates.crt")
	wantBodies := map[string]string{
		"etc/group":             "waybill:x:65532:\nnobody:x:65534:\n",
		"etc/passwd":            "waybill:x:65532:65532:waybill:/nonexistent:/sbin/nologin\nnobody:x:65534:65534:nobody:/nonexistent:/sbin/nologin\n",
		"usr/local/bin/waybill": string(fakeBinaries()[arm64]),
	}
	if diff := cmp.Diff(wantBodies, bodies); diff != "" {
		t.Errorf("contents (-want +got):\n%s", diff)
	}
}

// checkAuthorities wants certificates that may sign others, each once, as crypto/x509 reads them.
func checkAuthorities(t *testing.T, file []byte) {
	t.Helper()
	known := map[string]bool{}
	for block, rest := pem.Decode(file); block != nil; block, rest = pem.Decode(rest) {
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if known[string(cert.Raw)] || !cert.IsCA {
			t.Errorf("%s: there twice, or no authority", cert.Subject)
		}
		known[string(cert.Raw)] = true
	}
	if len(known) < 80 {
		t.Errorf("only %d authorities: browsers trust more", len(known))
	}
}
