package main

import (
	"archive/tar"
	"bytes"
	"crypto/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestFunctionCache renders with an image that is pinned by digest, then takes the image away: only a
// render that may use the cache still succeeds, and all give the same tree.
func TestFunctionCache(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	image := pinnedImage(t, "set-labels")
	render := func(dir string, more ...string) cliRun {
		writeFiles(t, dir, map[string]string{
			"Kptfile":  "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - image: " + image + "\n    configMap: {tier: front}\n",
			"web.yaml": "# the front\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: b} # kept\n",
		})
		return runCLI(t, append([]string{"fn", "render", dir, "--image-pull-policy", "Never"}, more...)...)
	}
	shared := startCache(t)
	plain, cold, warm := t.TempDir(), t.TempDir(), t.TempDir()
	answered := "answered from the cache"
	if r := render(plain, "--no-cache"); r.code != exitDone || !strings.Contains(r.stderr, "(podman)") {
		t.Fatalf("without the cache: %+v", r)
	}
	if r := render(cold, "--cache", shared.url, "--cache-write"); r.code != exitDone || !strings.Contains(r.stderr, "(podman or cache)") || strings.Contains(r.stderr, answered) {
		t.Fatalf("with a new cache: %+v", r)
	}
	command(t, nil, "podman", "rmi", image)
	named := t.TempDir()
	if r := render(named); r.code != exitDone || !strings.Contains(r.stderr, "(cache)") {
		t.Fatalf("the same package in another folder: %+v", r)
	}
	sameTree(t, readTree(t, plain), readTree(t, named))
	other := map[string]string{".krmignore": "# another package, and the same input of the function\n"}
	writeFiles(t, warm, other)
	if r := render(warm); r.code != exitDone || !strings.Contains(r.stderr, "1 function run(s) "+answered) {
		t.Fatalf("with a filled cache: %+v", r)
	}
	sameTree(t, readTree(t, plain), readTree(t, cold))
	writeFiles(t, plain, other)
	sameTree(t, readTree(t, plain), readTree(t, warm))
	if web, _ := readTree(t, warm).Get("web.yaml"); !strings.Contains(string(web), "tier: front") {
		t.Errorf("the function did not run:\n%s", web)
	}
	second := t.TempDir()
	if r := render(second, "--cache", shared.url, "--no-cache"); r.code != exitFailed {
		t.Errorf("--no-cache with --cache: %+v", r)
	}
	t.Setenv(cli.CacheDirVariable, t.TempDir())
	writeFiles(t, second, other)
	if r := render(second, "--cache", shared.url); r.code != exitDone || !strings.Contains(r.stderr, "1 function run(s) "+answered) {
		t.Errorf("on a second machine: %+v", r)
	}
	sameTree(t, readTree(t, plain), readTree(t, second))
	if r := render(t.TempDir(), "--no-cache"); r.code != exitFailed {
		t.Errorf("--no-cache: %+v", r)
	}
	t.Setenv(cli.NoCacheVariable, "1")
	if r := render(t.TempDir()); r.code != exitFailed {
		t.Errorf("%s: %+v", cli.NoCacheVariable, r)
	}
}

// TestUselessCache renders where no cache can be: the render says so and is as good as any.
func TestUselessCache(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	t.Setenv(cli.CacheDirVariable, "/dev/null")
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: p}\npipeline:\n  mutators:\n  - image: " + pinnedImage(t, "set-labels") + "\n    configMap: {tier: front}\n",
	})
	r := runCLI(t, "fn", "render", dir, "--image-pull-policy", "Never")
	if r.code != exitDone || strings.Count(r.stderr, `warning: function cache "/dev/null/functions": `) != 1 {
		t.Errorf("%+v", r)
	}
}

// pinnedImage makes an image of one of our functions and returns its name by digest; it is gone
// afterwards.
func pinnedImage(t *testing.T, function string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "function")
	command(t, []string{"CGO_ENABLED=0"}, "go", "build", "-o", bin, "../../functions/"+function)
	program, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for name, data := range map[string][]byte{"function": program, "etc/passwd": []byte("nobody:x:65534:65534::/:/\n")} {
		if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(data))}); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	name := "localhost/waybill-test-" + strings.ToLower(rand.Text()) + ":v1"
	load := exec.Command("podman", "import", "--quiet", "--change", `ENTRYPOINT ["/function"]`, "-", name)
	load.Stdin = &buf
	if out, err := load.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Cleanup(func() { command(t, nil, "podman", "rmi", "--force", "--ignore", name) })
	return strings.TrimSpace(command(t, nil, "podman", "image", "inspect", "--format", "{{index .RepoDigests 0}}", name))
}

// writeFiles fills dir.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
