package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// TestShim runs a script named kpt that calls waybill, with command lines that kpt takes.
func TestShim(t *testing.T) {
	base, err := os.ReadFile("testdata/kpteval/base.txtar")
	if err != nil {
		t.Fatal(err)
	}
	bin := buildWaybill(t)
	writeFile(t, filepath.Join(bin, "kpt"), "#!/bin/sh\nexec waybill \"$@\"\n", 0o755)
	onPath(t, bin)
	for name, tc := range map[string]struct{ reason, line, want string }{
		"render":      {"as ever", "kpt fn render pkg", "Successfully executed"},
		"functions":   {"the long name of fn", "kpt functions render pkg", "Successfully executed"},
		"v before":    {"global flags come first", "kpt -v 3 fn render pkg", "Successfully executed"},
		"v between":   {"or in between", "kpt fn --v=1 render pkg", "Successfully executed"},
		"v behind":    {"or last", "kpt fn render pkg -v=9", "Successfully executed"},
		"v eval":      {"also of eval", "kpt fn eval pkg --exec bump --v 2", "[PASS]"},
		"bool before": {"a flag without a value takes none", "kpt --truncate-output --stack-trace fn render pkg", "Successfully executed"},
		"all of them": {"however many", "kpt --kubeconfig none --log-flush-frequency 1s fn --stack-trace render pkg --truncate-output=false -v 1", "Successfully executed"},
		"wasm":        {"a pipeline without functions runs no WASM", "kpt fn render pkg --allow-alpha-wasm", "Successfully executed"},
		"wasm eval":   {"nor do linked functions", "kpt fn eval pkg -i set-labels:v0.2 --allow-alpha-wasm -- a=b", "[PASS]"},
		"doc":         {"documentation", "kpt fn doc -i set-labels:v0.2 --v 1", "set-labels"},
		"source":      {"a list", "kpt fn source pkg --v=1", "kind: ResourceList"},
		"pipe":        {"a pipe", "kpt fn source pkg | kpt fn eval - --exec bump | kpt fn sink out --v 1; cat out/web.yaml", "replicas: 2"},
		"unwrap":      {"into another program", "kpt --v=1 functions source plain -o unwrap", "name: plain"},
		"help":        {"help", "kpt help functions sink", "sink DIR"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := writeArchive(t, string(base))
			cmd := exec.Command("sh", "-ec", "PATH=$PWD/bin:$PATH; "+tc.line)
			cmd.Dir = dir
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), tc.want) {
				t.Errorf("%s: %s: %v, and %q is not said in:\n%s", tc.reason, tc.line, err, tc.want, out)
			}
		})
	}
}

// TestWASMIsRefused refuses WASM in images and in executables.
func TestWASMIsRefused(t *testing.T) {
	const kptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: app\npipeline:\n  mutators:\n  - "
	const refusal = `with --allow-alpha-wasm "%" is a WASM function, and waybill runs no WASM functions`
	withoutEngines(t)
	for name, tc := range map[string]struct {
		reason, function, says string
		args                   []string
	}{
		"image":      {"an image", "image: registry.example/f:v1", strings.Replace(refusal, "%", "registry.example/f:v1", 1), []string{"render"}},
		"exec":       {"a file", "exec: ./f.wasm", strings.Replace(refusal, "%", "./f.wasm", 1), []string{"render", "--allow-exec"}},
		"no exec":    {"which has to be allowed first", "exec: ./f.wasm", "must run with `--allow-exec` option", []string{"render"}},
		"eval image": {"the same for one function", "image: set-labels", strings.Replace(refusal, "%", "registry.example/f:v1", 1), []string{"eval", "-i", "registry.example/f:v1"}},
		"eval exec":  {"a file", "image: set-labels", strings.Replace(refusal, "%", "./f.wasm", 1), []string{"eval", "--exec", "./f.wasm"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			writeFile(t, "Kptfile", kptfile+tc.function+"\n", 0o644)
			before := snapshot(t, ".")
			r := runCLI(t, append(append([]string{"fn"}, tc.args...), "--allow-alpha-wasm")...)
			if r.code != exitFailed || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, stderr:\n%swant: %s", tc.reason, r.code, r.stderr, tc.says)
			}
			if len(before) != len(snapshot(t, ".")) {
				t.Errorf("%s: something was written", tc.reason)
			}
		})
	}
}

// TestKptFlagsMeanNothingElsewhere refuses kpt's flags where they would seem to mean something.
func TestKptFlagsMeanNothingElsewhere(t *testing.T) {
	for _, line := range []string{"version --kubeconfig y", "--kubeconfig y image list", "image list -v 1", "--stack-trace version", "--v=1"} {
		if r := runCLI(t, strings.Fields(line)...); r.code != exitUsage || !strings.Contains(r.stderr, "is a flag of kpt, which only the commands of 'waybill fn' and 'waybill pkg' accept") {
			t.Errorf("waybill %s: exit code %d, stderr %q", line, r.code, r.stderr)
		}
	}
}

// TestKnowsFlagsOfKpt reads the help of kpt's fn commands: ours know every flag in it, by its long
// and its short name, and take a value where kpt's does.
func TestKnowsFlagsOfKpt(t *testing.T) {
	testenv.Need(t, testenv.Kpt)
	flag := regexp.MustCompile(`(?m)^ +(?:-(\w), )?--([a-z][a-z-]*)(?:, (\w):)?( [A-Za-z]+)?(   )?`)
	seen := 0
	for _, name := range []string{"", "fn", "fn render", "fn eval", "fn doc", "fn source", "fn sink", "functions"} {
		help, err := exec.Command("kpt", append(strings.Fields(name), "--help")...).Output()
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range flag.FindAllStringSubmatch(string(help), -1) {
			short, inTable := m[1]+m[3], m[5] != ""
			if m[2] == "help" {
				continue
			}
			seen++
			if err := knowsFlag(name, m[2], short, inTable, m[4] != ""); err != nil {
				t.Errorf("kpt %s has a flag that we do not have: %v", name, err)
			}
		}
	}
	if seen < 60 {
		t.Errorf("only %d flags were found in kpt's help", seen)
	}
}

func knowsFlag(command, long, short string, sure, valued bool) error {
	root := newRootCommand()
	cmd, _, err := root.Find(strings.Fields(command))
	if err != nil {
		return err
	}
	if err := cmd.ParseFlags(nil); err != nil { // joins the flags of the commands above
		return err
	}
	f := cmd.Flags().Lookup(long)
	switch {
	case f == nil:
		return errors.New("--" + long)
	case short != "" && (cmd.Flags().ShorthandLookup(short) == nil || cmd.Flags().ShorthandLookup(short).Name != long):
		return errors.New("-" + short)
	case sure && valued != (f.NoOptDefVal == ""):
		return errors.New("--" + long + ", which takes a value in one of both only")
	}
	return nil
}

// TestGlobalFlagsAnywhere takes what is global in kpt in front of the command and behind it.
func TestGlobalFlagsAnywhere(t *testing.T) {
	for _, flag := range []string{"-v 1", "-v=1", "--v 1", "--v=1", "--kubeconfig c", "--log-flush-frequency 1s", "--stack-trace", "--truncate-output=false", "--truncate-output"} {
		for _, command := range []string{"fn render %", "fn eval % -i set-labels", "fn doc -i set-labels %", "fn source %", "fn sink out %", "% fn render", "% fn eval -i set-labels", "fn % sink out", "functions % source web"} {
			line := "waybill " + strings.Replace(command, "%", flag, 1)
			if err := parses(line); err != nil {
				t.Errorf("%s: %v", line, err)
			}
		}
	}
}
