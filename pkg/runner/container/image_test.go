package container

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// importImage makes an image of testdata/misbehave for an architecture, with these folders, and returns
// its name; it is gone afterwards.
func importImage(t *testing.T, arch string, folders ...string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "main")
	build := osexec.Command("go", "build", "-o", bin, "./testdata/misbehave")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	image := "localhost/waybill-test-" + strings.ToLower(rand.Text()) + ":v1"
	run(t, archive(t, program, folders...), "podman", "import", "--arch", arch, "--change", `ENTRYPOINT ["/main"]`,
		"--change", "VOLUME /volume", "-", image)
	t.Cleanup(func() { run(t, nil, "podman", "rmi", image) })
	return image
}

// archive is what the project's own images hold: the program, and an unused user. Folders
// are more of them, that only root may write to.
func archive(t *testing.T, program []byte, folders ...string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, name := range folders {
		if err := w.WriteHeader(&tar.Header{Name: name + "/", Typeflag: tar.TypeDir, Mode: 0o755}); err != nil {
			t.Fatal(err)
		}
	}
	for name, f := range map[string]struct {
		mode int64
		data []byte
	}{"main": {0o755, program}, "etc/passwd": {0o644, []byte("nobody:x:65534:65534::/:/\n")}} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: f.mode, Size: int64(len(f.data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(f.data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func run(t *testing.T, stdin []byte, name string, args ...string) string {
	t.Helper()
	cmd := osexec.Command(name, args...)
	cmd.Stdin = bytes.NewReader(stdin)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}
