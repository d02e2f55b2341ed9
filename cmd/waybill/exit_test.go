package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
)

const brokenPackages = `
-- good/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: good
-- unlinked/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: unlinked
pipeline:
  mutators:
  - image: registry.example/other:v1
-- exec/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: exec
pipeline:
  mutators:
  - exec: "true"
-- failing/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: failing
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve:v0.1.0
-- unknown/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: unknown
pipelines: {}
-- both/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: both
pipeline:
  mutators:
  - image: a
    exec: b
-- broken/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: broken
-- broken/app/web.yaml --
apiVersion: v1
kind: [ConfigMap
-- plain/web.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: web
-- variants/fleet.yaml --
apiVersion: v1
kind: ConfigMap
metadata:
  name: none-here
`

// TestExitCodes fails in every way there is: the code is the promised one, stdout holds nothing,
// and stderr ends in one line that says what is wrong.
func TestExitCodes(t *testing.T) {
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		says   string
	}{
		"UnknownCommand":    {"a typo is no wish for help", []string{"recncile"}, exitUsage, `unknown command "recncile" for "waybill"; did you mean 'waybill reconcile'? See 'waybill --help'`},
		"UnknownBefore":     {"the command is wrong, not its flag", []string{"doctr", "--no-such"}, exitUsage, `unknown command "doctr" for "waybill"; did you mean 'waybill doctor'?`},
		"UnknownElsewhere":  {"as kpt users type it", []string{"render"}, exitUsage, `did you mean 'waybill fn render'?`},
		"UnknownAltogether": {"nothing is similar", []string{"zebra"}, exitUsage, `unknown command "zebra" for "waybill"; see 'waybill --help'`},
		"UnknownSubcommand": {"so in groups", []string{"fn", "rendr"}, exitUsage, `unknown command "rendr" for "waybill fn"`},
		"UnknownHelp":       {"help reports unknown commands", []string{"help", "fn", "rendr"}, exitUsage, `unknown command "rendr" for "waybill fn"; did you mean 'waybill fn render'? See 'waybill fn --help'`},
		"UnknownShell":      {"cobra's own commands keep our codes", []string{"completion", "tcsh"}, exitUsage, `unknown command "tcsh"`},
		"ShellArgument":     {"so do its leaves", []string{"completion", "bash", "x"}, exitUsage, `takes no arguments, got "x"`},
		"UnknownFlag":       {"flags are checked", []string{"fn", "render", "--alow-exec"}, exitUsage, `unknown flag: --alow-exec; see 'waybill fn render --help'`},
		"FlagWithoutValue":  {"a flag that wants a value", []string{"reconcile", "-f"}, exitUsage, `flag needs an argument`},
		"FlagOfWrongType":   {"a flag of another type", []string{"reconcile", "--dry-run=perhaps"}, exitUsage, `invalid argument "perhaps"`},
		"TooManyArguments":  {"render takes one package", []string{"fn", "render", "good", "exec"}, exitUsage, `accepts at most 1 arg(s), received 2`},
		"NeedlessArgument":  {"list takes none", []string{"fn", "list", "all"}, exitUsage, `this command takes no arguments, got "all"`},
		"NoName":            {"run wants a name", []string{"fn", "run"}, exitUsage, `accepts 1 arg(s), received 0`},
		"NoRevision":        {"approve wants a name", []string{"rpkg", "approve", "-f", "good"}, exitUsage, `requires at least 1 arg(s)`},
		"NoFiles":           {"reconcile wants files", []string{"reconcile"}, exitUsage, `--filename`},
		"NoRepositories":    {"rpkg wants files", []string{"rpkg", "get"}, exitUsage, `--filename`},
		"Watch":             {"what is not there yet says so", []string{"reconcile", "-f", "variants", "--once=false"}, exitUsage, `--once`},
		"Format":            {"known before any work", []string{"reconcile", "-f", "none", "-o", "xml"}, exitUsage, `--output "xml": want table, json or yaml`},
		"UnquotedPattern":   {"the shell made several names of a pattern", []string{"rpkg", "get", "-f", "variants/fleet.yaml", "plain/web.yaml"}, exitUsage, `"plain/web.yaml" is a file and no package revision: put a pattern for --filename in quotes`},
		"RpkgFormat":        {"the same for rpkg", []string{"rpkg", "get", "-f", "none", "-o", "long"}, exitUsage, `--output "long": want table, wide, name, json or yaml`},
		"ImageFormat":       {"the same for image", []string{"image", "list", "--format", "xml"}, exitUsage, `--format "xml": want table, json or yaml`},
		"Runtime":           {"known before any work", []string{"fn", "render", "none", "--runtime", "rkt"}, exitUsage, `--runtime: runtime "rkt": want one of auto, inproc, podman, docker, nerdctl`},
		"PullPolicy":        {"whether or not a container runs", []string{"fn", "render", "good", "--image-pull-policy", "Sometimes"}, exitUsage, `--image-pull-policy "Sometimes": want IfNotPresent, Always, Never`},
		"NoFunction":        {"a function that is not linked in", []string{"fn", "run", "no-such"}, exitUsage, `no function "no-such" is linked into this binary; 'waybill fn list'`},
		"NoDoc":             {"the same for its documentation", []string{"fn", "doc", "no-such"}, exitUsage, `no function "no-such" is linked`},

		"NoDirectory":     {"a package that is not there", []string{"fn", "render", "none"}, exitFailed, `read package: open none: no such file or directory`},
		"NoCheckout":      {"images are those of a checkout", []string{"image", "list"}, exitFailed, `run this command in a checkout of Waybill, or name one by --dir`},
		"FileAsPackage":   {"a package is a folder", []string{"fn", "render", "good/Kptfile"}, exitFailed, `good/Kptfile`},
		"NoPackage":       {"a folder that is none", []string{"fn", "render", "plain"}, exitFailed, `render package "plain": not a package: no Kptfile at its root`},
		"ExecRefused":     {"executables only when allowed, in kpt's words", []string{"fn", "render", "exec"}, exitFailed, "must run with `--allow-exec` option to allow running function binaries"},
		"FailingFunction": {"a function that fails", []string{"fn", "render", "failing"}, exitFailed, `render package "failing": function "ghcr.io/waybill-dev/bind-resolve:v0.1.0" (step 1):`},
		"UnknownField":    {"a Kptfile with an unknown field", []string{"fn", "render", "unknown"}, exitFailed, `render package "unknown": Kptfile: unknown field pipelines`},
		"BrokenYAML":      {"file and line", []string{"fn", "render", "broken"}, exitFailed, `render package "broken": app/web.yaml: document 1, line 2: not valid YAML`},
		"OtherTag":        {"with the tags that are linked in", []string{"fn", "eval", "unlinked", "--image", "gcr.io/kpt-fn/set-labels:v0.9.0", "--runtime", "inproc"}, exitFailed, "is not linked into this binary (the function of this name is, for the tags v0.1, v0.2, latest, unstable)"},
		"Unreachable":     {"the address and the reason", []string{"rpkg", "get", "--kubeconfig", unreachable(t)}, exitFailed, `the API server cannot be reached: Get "https://127.0.0.1:9/`},
		"NotInBinary":     {"in-process means linked in", []string{"fn", "render", "unlinked", "--runtime", "inproc"}, exitFailed, `image "registry.example/other:v1" is not linked into this binary; use another --runtime`},
		"NoEngine":        {"nothing to run a container with", []string{"fn", "render", "unlinked"}, exitFailed, `image "registry.example/other:v1" is not linked into this binary, and no container engine (podman, docker, nerdctl) is installed`},
		"EngineMissing":   {"an engine that was asked for", []string{"fn", "render", "unlinked", "--runtime", "docker"}, exitFailed, `image "registry.example/other:v1" needs a container engine: exec: "docker"`},
		"NoSuchFile":      {"objects that are not there", []string{"reconcile", "-f", "none.yaml"}, exitFailed, `none.yaml: no such file or directory`},
		"MoreFiles":       {"what follows the first path are paths, too", []string{"reconcile", "-f", "variants", "none.yaml"}, exitFailed, `none.yaml: no such file or directory`},
		"NoVariants":      {"files without a variant do nothing", []string{"reconcile", "-f", "variants"}, exitFailed, `no PackageVariant`},
		"NoRepository":    {"files without a repository list nothing", []string{"rpkg", "get", "-f", "variants"}, exitFailed, `no Repository`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(writeArchive(t, brokenPackages))
			withoutEngines(t)
			before := snapshot(t, ".")
			r := runCLI(t, tc.args...)
			lines := strings.Split(strings.TrimSuffix(r.stderr, "\n"), "\n")
			last := lines[len(lines)-1]
			if r.code != tc.code || r.stdout != "" || !strings.HasPrefix(last, "error: ") || !strings.Contains(last, tc.says) {
				t.Errorf("%s: waybill %s: exit code %d (want %d), stdout %q, stderr:\n%swant an error with: %s",
					tc.reason, strings.Join(tc.args, " "), r.code, tc.code, r.stdout, r.stderr, tc.says)
			}
			if n := strings.Count(r.stderr, "error: "); n != 1 {
				t.Errorf("%s: %d errors are printed, want one:\n%s", tc.reason, n, r.stderr)
			}
			if diff := cmp.Diff(before, snapshot(t, ".")); diff != "" {
				t.Errorf("%s: files were changed (-before +after):\n%s", tc.reason, diff)
			}
		})
	}
}

// withoutEngines leaves nothing on the PATH, and nothing of kpt's in the environment.
func withoutEngines(t *testing.T) {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
	for _, name := range []string{"KRM_FN_RUNTIME", "KPT_FN_RUNTIME", "KPT_IMAGE_PREFIX", "SOURCE_DATE_EPOCH"} {
		t.Setenv(name, "")
	}
}

// TestMessagesGoToStderr wants stdout to hold data and nothing else.
func TestMessagesGoToStderr(t *testing.T) {
	dir := writeArchive(t, brokenPackages)
	cases := map[string]struct {
		reason         string
		args           []string
		stdout, stderr string // prefixes; "" is nothing at all
	}{
		"Render":  {"a render in place has no data", []string{"fn", "render", "good"}, "", "Package \"good\":\n"},
		"Unwrap":  {"progress is no data", []string{"fn", "render", "good", "-o", "unwrap"}, "apiVersion: kpt.dev/v1\n", "Package \"good\":\n"},
		"List":    {"a list is data", []string{"fn", "list"}, "NAME ", ""},
		"Doc":     {"so is a document", []string{"fn", "doc", "bind-resolve"}, "# bind-resolve\n", ""},
		"Help":    {"so is help that was asked for", []string{"--help"}, "Waybill computes", ""},
		"Nothing": {"who says nothing asks for help", nil, "Waybill computes", ""},
		"Group":   {"so in groups", []string{"rpkg"}, "List package revisions in Git", ""},
		"Version": {"for scripts", []string{"version"}, "waybill     devel\n", ""},
		"Habit":   {"for fingers", []string{"--version"}, "waybill devel (go", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(dir)
			r := runCLI(t, tc.args...)
			if r.code != exitDone || !begins(r.stdout, tc.stdout) || !begins(r.stderr, tc.stderr) {
				t.Errorf("%s: exit code %d, stdout %q, stderr %q; want them to begin with %q and %q",
					tc.reason, r.code, r.stdout, r.stderr, tc.stdout, tc.stderr)
			}
		})
	}
}

func begins(text, prefix string) bool {
	return strings.HasPrefix(text, prefix) && (prefix != "" || text == "")
}

// TestEnvironment takes the engine from the variables that kpt users set, and names the one that
// does not fit.
func TestEnvironment(t *testing.T) {
	cases := map[string]struct {
		reason   string
		krm, kpt string
		code     int
		says     string
	}{
		"Unset":      {"the first engine there is; here, none", "", "", exitFailed, "no container engine"},
		"New":        {"the new name", "nerdctl", "", exitFailed, `exec: "nerdctl"`},
		"Old":        {"the old name still works", "", "podman", exitFailed, `exec: "podman"`},
		"NewWins":    {"the new name hides the old", "docker", "podman", exitFailed, `exec: "docker"`},
		"NewInvalid": {"a value that is none", "rkt", "podman", exitUsage, `environment variable KRM_FN_RUNTIME: container engine "rkt": want one of podman, docker, nerdctl`},
		"OldInvalid": {"a value that is none", "", "Docker", exitUsage, `environment variable KPT_FN_RUNTIME: container engine "Docker": want one of podman, docker, nerdctl`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			t.Chdir(writeArchive(t, brokenPackages))
			withoutEngines(t)
			t.Setenv("KRM_FN_RUNTIME", tc.krm)
			t.Setenv("KPT_FN_RUNTIME", tc.kpt)
			r := runCLI(t, "fn", "render", "unlinked")
			if r.code != tc.code || !strings.Contains(r.stderr, tc.says) {
				t.Errorf("%s: exit code %d, want %d; stderr %q does not say %q", tc.reason, r.code, tc.code, r.stderr, tc.says)
			}
		})
	}
}

// TestImagePrefix completes images the way kpt does.
func TestImagePrefix(t *testing.T) {
	dir := writeArchive(t, brokenPackages)
	file := filepath.Join(dir, "unlinked/Kptfile")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, file, strings.ReplaceAll(string(text), "registry.example/other:v1", "short"), 0o644)
	withoutEngines(t)
	for prefix, want := range map[string]string{
		"":                       `"ghcr.io/kptdev/krm-functions-catalog/short:latest"`,
		"registry.example/mine/": `"registry.example/mine/short:latest"`,
	} {
		t.Setenv("KPT_IMAGE_PREFIX", prefix)
		if r := runCLI(t, "fn", "render", filepath.Join(dir, "unlinked")); !strings.Contains(r.stderr, want) {
			t.Errorf("prefix %q: %q does not name %s", prefix, r.stderr, want)
		}
	}
}

func TestOneLine(t *testing.T) {
	cases := map[string]struct {
		reason string
		err    error
		want   string
	}{
		"Plain":  {"most errors are one line", errors.New("a: b"), "a: b"},
		"Joined": {"causes that come together", errors.Join(errors.New("a"), errors.New("b")), "a; b"},
		"Kpt":    {"kpt's form of several lines", errors.New("Kptfile is invalid:\nField: x\nReason: y\n\n"), "Kptfile is invalid: Field: x; Reason: y"},
		"Empty":  {"nothing to say", errors.New("\n"), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, cli.OneLine(tc.err)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}
