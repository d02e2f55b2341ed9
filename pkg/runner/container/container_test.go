package container

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/runner"
	"github.com/waybill-dev/waybill/pkg/runner/exec"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

func TestRefusedBeforeAnythingRuns(t *testing.T) {
	cases := map[string]struct {
		reason string
		opts   Options
		want   string
	}{
		"policy": {"a pull policy that is none", Options{Engine: "podman", PullPolicy: "Sometimes"}, "want IfNotPresent, Always or Never"},
		"engine": {"an engine that is not installed", Options{Engine: "no-such-engine"}, "needs a container engine"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if _, err := New("registry.example/f:v1", c.opts); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: err = %v, want %q", c.reason, err, c.want)
			}
		})
	}
}

func TestMissingImage(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	r, err := New("localhost/waybill-no-such-image:v0", Options{Engine: "podman", PullPolicy: "Never"})
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.Run(context.Background(), &fn.Input{})
	if err == nil || !strings.Contains(err.Error(), `could not run image "localhost/waybill-no-such-image:v0" (exit status 125)`) {
		t.Errorf("err = %v", err)
	}
	var f *runner.Failure
	if errors.As(err, &f) {
		t.Error("an engine that cannot run the image is taken for a function that failed")
	}
}

// sleeper ignores its input and sleeps.
const sleeper = "package main\n\nimport \"time\"\n\nfunc main() { time.Sleep(time.Hour) }\n"

// TestStopsAndRemoves lets a container overstep its time: it must be gone afterwards.
func TestStopsAndRemoves(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, sleeper)
	r, err := New(image, Options{Engine: "podman", PullPolicy: "Never", Limits: exec.Limits{Time: 3 * time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Run(context.Background(), &fn.Input{}); err == nil || !strings.Contains(err.Error(), "ran longer than 3s") {
		t.Errorf("err = %v", err)
	}
	if left := run(t, nil, "podman", "ps", "--all", "--quiet", "--filter", "ancestor="+image); left != "" {
		t.Errorf("a container was left behind: %s", left)
	}
}

// importImage makes an image of one static program and returns its name; it is gone afterwards.
func importImage(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "main")
	build := osexec.Command("go", "build", "-o", bin, filepath.Join(dir, "main.go"))
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	program, err := os.ReadFile(bin)
	if err != nil {
		t.Fatal(err)
	}
	image := fmt.Sprintf("localhost/waybill-test:%d", os.Getpid())
	run(t, archive(t, program), "podman", "import", "--change", `ENTRYPOINT ["/main"]`, "-", image)
	t.Cleanup(func() { run(t, nil, "podman", "rmi", image) })
	return image
}

func archive(t *testing.T, program []byte) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
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
