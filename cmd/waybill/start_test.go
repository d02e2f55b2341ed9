package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/delegate"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestControllerIsAnotherProgram runs `waybill controller`, its help and its completion with the program that has the controllers beside
// waybill, on the PATH, nowhere, and as a link to waybill itself, which must not run itself for ever.
func TestControllerIsAnotherProgram(t *testing.T) {
	const missing = "error: the program waybill-controller has the controllers and the client of Porch, and is neither beside waybill nor on the PATH: install it as docs/install.md says"
	folders := map[string]func(bin, path string){
		"beside":      func(bin, _ string) { installController(t, bin) },
		"on the PATH": func(_, path string) { installController(t, path) },
	}
	for name, put := range folders {
		bin, path := buildWaybill(t), t.TempDir()
		put(bin, path)
		t.Setenv("PATH", path)
		waybill := filepath.Join(bin, "waybill")
		check(t, name, runOnPath(t, waybill, "controller", "--workers", "0"), exitUsage, "", "want a --poll-interval of 1s or more, and 1 or more --workers")
		check(t, name+": help", runOnPath(t, waybill, "controller", "--help"), exitDone, "--leader-elect-namespace", "")
		check(t, name+": help", runOnPath(t, waybill, "help", "controller"), exitDone, "--leader-elect-namespace", "")
		check(t, name+": completion", runOnPath(t, waybill, "__complete", "controller", "--leader-elect-n"), exitDone, "--leader-elect-namespace", "")
		must(t, os.Symlink(waybill, filepath.Join(path, "kubectl-waybill")))
		check(t, name+": plugin", runOnPath(t, "kubectl-waybill", "controller", "--help"), exitDone, "kubectl waybill controller [flags]", "")
	}
	bin, path := buildWaybill(t), t.TempDir()
	t.Setenv("PATH", path)
	waybill := filepath.Join(bin, "waybill")
	for _, name := range []string{"missing", "itself"} {
		check(t, name, runOnPath(t, waybill, "controller", "--leader-elect"), exitFailed, "", missing)
		check(t, name+": help", runOnPath(t, waybill, "controller", "--help"), exitFailed, "", missing)
		check(t, name+": help", runOnPath(t, waybill, "help", "controller"), exitDone, "docs/install.md", "")
		check(t, name+": completion", runOnPath(t, waybill, "__complete", "controller", "--x"), exitDone, ":4", "")
		check(t, name+": other commands", runOnPath(t, waybill, "--help"), exitDone, "  controller  Draft in Git what the PackageVariants", "")
		if name == "missing" {
			must(t, os.Symlink(waybill, filepath.Join(bin, delegate.Program)))
			must(t, os.Symlink(waybill, filepath.Join(path, delegate.Program)))
		}
	}
}

// TestControllerSummary holds the line about the command to that of the program that has it.
func TestControllerSummary(t *testing.T) {
	cmd, _, err := newRootCommand().Find([]string{"controller"})
	if own := delegate.NewCommand(); err != nil || own.Short != cmd.Short || own.Name() != cmd.Name() {
		t.Errorf("waybill says %q, %s says %q (%v)", own.Short, delegate.Program, cmd.Short, err)
	}
}

// TestSize holds the program to what people download.
func TestSize(t *testing.T) {
	testenv.Long(t, "builds the program")
	info, err := os.Stat(filepath.Join(buildWaybill(t), "waybill"))
	if err != nil || info.Size() > 60e6 {
		t.Errorf("the program has %d bytes, want at most 60 MB (%v): what became part of it?", info.Size(), err)
	}
}

// TestStartWithoutCollection holds that no garbage is collected before a command begins, and that packages allocate little when they
// are initialised: 3.0 MB, of which this module's allocate 0.1 MB.
func TestStartWithoutCollection(t *testing.T) {
	testenv.Long(t, "builds the program")
	cmd := exec.Command(filepath.Join(buildWaybill(t), "waybill"), "--help") // #nosec G204 -- a test's own arguments
	cmd.Env = slices.DeleteFunc(append(os.Environ(), "GODEBUG=gctrace=1,inittrace=1"), func(v string) bool { return strings.HasPrefix(v, "GOGC=") })
	out, err := cmd.CombinedOutput()
	if err != nil || strings.Contains(string(out), "gc 1 @") {
		t.Errorf("%v\n%s", err, out)
	}
	all, own := 0, 0
	for _, line := range regexp.MustCompile(`(?m)^init (\S+) @.* clock, (\d+) bytes`).FindAllStringSubmatch(string(out), -1) {
		n, _ := strconv.Atoi(line[2])
		if all += n; strings.HasPrefix(line[1], "github.com/waybill-dev/") {
			own += n
		}
	}
	if all < 1e6 || all > 3.3e6 || own > 0.15e6 {
		t.Errorf("packages allocate %d bytes before main, those of this module %d of them: what can be made when it is first used?", all, own)
	}
}

// TestVersions builds the program with the flags of a release and of packagers, and reads what `waybill version` says. TestInstallPage does
// it for a checkout.
func TestVersions(t *testing.T) {
	testenv.Long(t, "builds the program twice")
	const variable = "-X github.com/waybill-dev/waybill/cmd/waybill/internal/version."
	for name, tc := range map[string]struct {
		flags []string
		want  string // the first lines
	}{
		"packager": {[]string{"-trimpath", "-buildvcs=false"}, "waybill     devel\ncommit      not recorded\ndate        not recorded\n"},
		"release": {[]string{"-buildvcs=false", "-ldflags", variable + "release=v9.8.7 " + variable + "commit=abc " + variable + "date=2026-01-02T03:04:05Z"},
			"waybill     v9.8.7\ncommit      abc\ndate        2026-01-02T03:04:05Z\n"},
	} {
		file := filepath.Join(t.TempDir(), "waybill")
		build := exec.Command("go", slices.Concat([]string{"build", "-o", file}, tc.flags, []string{"."})...) // #nosec G204 -- a test's own arguments
		build.Env = append(os.Environ(), "CGO_ENABLED=0")
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		if r := runOnPath(t, file, "version"); r.code != exitDone || !strings.HasPrefix(r.stdout, tc.want) {
			t.Errorf("%s: %d %q, want %q", name, r.code, r.stdout+r.stderr, tc.want)
		}
	}
}

// TestVersionLists lists every linked function with its version, and what it stands in for.
func TestVersionLists(t *testing.T) {
	var got struct {
		Version, Go, Platform string
		Functions             []struct {
			Name, Version    string
			Replaces         []string
			ReplacesVersions []string
		}
	}
	r := runCLI(t, "version", "-o", "json")
	if err := json.Unmarshal([]byte(r.stdout), &got); err != nil || r.code != exitDone {
		t.Fatal(r, err)
	}
	if got.Version != "devel" || got.Go != runtime.Version() || got.Platform != runtime.GOOS+"/"+runtime.GOARCH || len(got.Functions) != len(catalog.Functions) {
		t.Errorf("got %+v", got)
	}
	for _, f := range got.Functions {
		images, versions := catalog.StandsInFor(f.Name)
		if f.Version != catalog.Version || !slices.Equal(f.Replaces, images) || !slices.Equal(f.ReplacesVersions, versions) {
			t.Errorf("got %+v", f)
		}
	}
}

// BenchmarkStart starts the program that make build makes. `make bench-kpt KPTBENCH=-start` compares it with kpt.
func BenchmarkStart(b *testing.B) {
	bin := b.TempDir()
	cmd := exec.Command("go", "build", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-o", bin, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	for _, args := range []string{"version", "fn render --help"} {
		b.Run(args, func(b *testing.B) {
			var peak int64
			for b.Loop() {
				cmd := exec.Command(filepath.Join(bin, "waybill"), strings.Fields(args)...)
				if out, err := cmd.CombinedOutput(); err != nil || len(out) == 0 {
					b.Fatalf("%v: %s", err, out)
				}
				if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					peak = max(peak, usage.Maxrss<<10)
				}
			}
			b.ReportMetric(float64(peak)/1e6, "MB/start")
		})
	}
}
