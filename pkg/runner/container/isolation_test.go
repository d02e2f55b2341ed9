package container

import (
	"context"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/runner/exec"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// nothingLeft fails t when a container of image is there still, running or not.
func nothingLeft(t *testing.T, image string) {
	t.Helper()
	if left := run(t, nil, "podman", "ps", "--all", "--quiet", "--filter", "ancestor="+image); left != "" {
		t.Errorf("a container was left behind: %s", left)
	}
}

// ask runs image in a mode of testdata/misbehave and returns the lines it printed.
func ask(t *testing.T, image, mode string, opts Options) (lines []string, code int, err error) {
	t.Helper()
	opts.Engine, opts.PullPolicy = "podman", "Never"
	f, err := New(image, opts)
	if err != nil {
		t.Fatal(err)
	}
	stdout, _, code, err := f.Process(context.Background(), []byte(mode+"\n"))
	nothingLeft(t, image)
	for line := range strings.Lines(string(stdout)) {
		lines = append(lines, strings.TrimSpace(line))
	}
	return lines, code, err
}

// TestOversteps has a function use more than it may: it is stopped, nothing stays of it, and the
// error names the image and the limit.
func TestOversteps(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	cases := map[string]struct {
		reason, mode string
		limits       exec.Limits
		want         string
	}{
		"hang":   {"a function that never ends", "hang", exec.Limits{Time: 3 * time.Second}, "ran longer than 3s"},
		"deaf":   {"one that hears no signal", "deaf", exec.Limits{Time: 3 * time.Second}, "ran longer than 3s and was stopped: la la la"},
		"flood":  {"a function that prints without end", "flood", exec.Limits{Output: 1 << 20}, "printed more than 1048576 bytes"},
		"memory": {"a function that takes ever more memory", "memory", exec.Limits{Memory: 64 << 20}, "its memory limit of 67108864 bytes"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			began := time.Now()
			_, _, err := ask(t, image, c.mode, Options{Limits: c.limits})
			if took := time.Since(began); took > c.limits.Time+8*time.Second { // podman's own patience is 10 s
				t.Errorf("%s: it took %s", c.reason, took)
			}
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), `image "`+image+`": `) {
				t.Errorf("%s: err = %v, want one that names the image and says %q", c.reason, err, c.want)
			}
		})
	}
}

// TestTidy has a function run out of memory where there is nothing, and where a file is that has the
// name of what podman leaves behind.
func TestTidy(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	for _, want := range []string{"", "mine"} {
		t.Chdir(t.TempDir())
		if want != "" {
			if err := os.WriteFile(oomFile, []byte(want), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, _, err := ask(t, image, "memory", Options{Limits: exec.Limits{Memory: 64 << 20}}); err == nil {
			t.Error("256 MiB fit into 64")
		}
		if got, err := os.ReadFile(oomFile); string(got) != want || (err == nil) != (want != "") {
			t.Errorf("afterwards there is %q (%v), want %q", got, err, want)
		}
	}
}

// TestProcesses lets a function start processes until it may not; each has several threads, which
// count. Given more room it starts all of them: so it was the limit that stopped it.
func TestProcesses(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	tight, code, err := ask(t, image, "fork", Options{Processes: 40})
	if err != nil || code == 0 || len(tight) >= 30 {
		t.Errorf("started %d processes within a limit of 40 tasks (exit status %d, %v), want fewer than 30 and a failure", len(tight), code, err)
	}
	if roomy, code, err := ask(t, image, "fork", Options{}); err != nil || code != 0 || len(roomy) != 30 {
		t.Errorf("started %d processes within the default limit (exit status %d, %v), want all 30", len(roomy), code, err)
	}
}

func TestCage(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH)
	address := listen(t)
	t.Setenv("https_proxy", "http://user:password@127.0.0.1:1")
	cases := map[string]struct {
		reason, mode string
		opts         Options
		want         []string
	}{
		"memory":  {"what fits the default limit is no trouble", "memory", Options{}, []string{"256 MiB"}},
		"write":   {"only what lives in memory can be written to", "write", Options{}, []string{"/dev/shm", "/tmp"}},
		"mount":   {"a mount of one's own takes the place of /tmp", "write", Options{Mounts: []string{"type=tmpfs,dst=/tmp/,rw=true"}}, []string{"/dev/shm", "/tmp"}},
		"rights":  {"nobody, without capabilities or a way to gain them, told of no proxy", "tell", Options{}, []string{"Uid 65534", "CapEff 0000000000000000", "CapBnd 0000000000000000", "NoNewPrivs 1"}},
		"dial":    {"no network", "dial " + address, Options{}, nil},
		"network": {"the network when that is allowed", "dial " + address, Options{AllowNetwork: true}, []string{"connected"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, code, err := ask(t, image, c.mode, c.opts)
			if err != nil || code != 0 {
				t.Fatalf("exit status %d, %v", code, err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", c.reason, diff)
			}
		})
	}
}

// TestTmp has images whose own /tmp only root may write to: a function may write to its /tmp, whoever
// it runs as.
func TestTmp(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	image := importImage(t, runtime.GOARCH, "tmp")
	for reason, opts := range map[string]Options{"nobody": {}, "ourselves": {AsCurrentUser: true}} {
		if got, code, err := ask(t, image, "write", opts); err != nil || code != 0 || !slices.Contains(got, "/tmp") {
			t.Errorf("%s: could write to %v (exit status %d, %v), want /tmp among them", reason, got, code, err)
		}
	}
	for _, engine := range []string{"docker", "nerdctl"} {
		args := Options{Engine: engine}.withDefaults().isolation()
		if want := "/tmp:rw,nosuid,nodev,noexec,mode=1777,size=2147483648"; !slices.Contains(args, want) {
			t.Errorf("%s is told %q, want %q among it", engine, args, want)
		}
	}
}

// listen takes connections on this machine and returns where.
func listen(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	return l.Addr().String()
}
