package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/cmd/waybill/internal/cli"
	imagecmd "github.com/waybill-dev/waybill/cmd/waybill/internal/image"
	"github.com/waybill-dev/waybill/pkg/catalog"
	"github.com/waybill-dev/waybill/pkg/image"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// imageCheckout makes a checkout with two functions and no dependencies, and works in it.
func imageCheckout(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	const copyInput = "package main\n\nimport (\n\t\"io\"\n\t\"os\"\n)\n\nfunc main() { io.Copy(os.Stdout, os.Stdin) }\n"
	for path, body := range map[string]string{
		"go.mod":                               "module example.test/fleet\n\ngo 1.26.0\n",
		"functions/bind-resolve/main.go":       copyInput,
		"functions/bind-resolve/metadata.yaml": "description: Resolves.\ntags: [mutator]\n",
		"functions/bundle/main.go":             copyInput,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// runImage runs `waybill image ARGS` and returns what it printed.
func runImage(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, messages bytes.Buffer
	code = execute(t.Context(), append([]string{"image"}, args...), strings.NewReader(""), &out, &messages)
	return out.String(), messages.String(), code
}

func mustRunImage(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	stdout, stderr, code := runImage(t, args...)
	if code != exitDone {
		t.Fatalf("waybill image %s: exit code %d: %s", strings.Join(args, " "), code, stderr)
	}
	return stdout, stderr
}

func TestImageList(t *testing.T) {
	imageCheckout(t)
	const table = "NAME          IMAGE                                   DESCRIPTION\n" +
		"bind-resolve  ghcr.io/waybill-dev/bind-resolve:v2.34  Resolves.\n" +
		"bundle        ghcr.io/waybill-dev/bundle:v2.34        \n"
	got, _ := mustRunImage(t, "list", "--tag", "v2.34")
	if diff := cmp.Diff(table, got); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
	want := []imagecmd.Row{
		{Name: "bind-resolve", Image: "ghcr.io/waybill-dev/bind-resolve:v2", Description: "Resolves."},
		{Name: "bundle", Image: "ghcr.io/waybill-dev/bundle:v2"},
	}
	for _, format := range []string{"json", "yaml"} {
		out, _ := mustRunImage(t, "list", "--tag", "v2", "--format", format)
		var list cli.List[imagecmd.Row]
		if err := yaml.UnmarshalStrict([]byte(out), &list); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(cli.NewList("ImageList", want), list); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

func TestImageBuild(t *testing.T) {
	testenv.Long(t, "it compiles for two platforms, twice")
	imageCheckout(t)
	out, messages := mustRunImage(t, "build", "--format", "json", "-o", "layout", "--tarball-dir", "tars/new")
	if want := "building bind-resolve for linux/amd64, linux/arm64\nbuilding bundle for linux/amd64, linux/arm64\n"; messages != want {
		t.Errorf("talk (-want +got):\n%s", cmp.Diff(want, messages))
	}
	var list cli.List[imagecmd.Row]
	if err := json.Unmarshal([]byte(out), &list); err != nil {
		t.Fatal(err)
	}
	rows := list.Items
	if len(rows) != 2 || rows[0].Tarball != "tars/new/bind-resolve.tar" || len(rows[1].Platforms) != 2 {
		t.Fatalf("want two functions with tarballs and two platforms, got:\n%s", out)
	}
	for _, row := range rows {
		if _, err := os.Stat(row.Tarball); err != nil {
			t.Error(err)
		}
		for _, digest := range append(digestsOf(row), row.Digest) {
			blob := "layout/blobs/" + strings.Replace(digest, ":", "/", 1)
			if _, err := os.Stat(blob); err != nil {
				t.Errorf("%s: printed digest is not in the layout: %v", row.Name, err)
			}
		}
	}
	if again, _ := mustRunImage(t, "build", "--format", "json", "-o", "layout", "--tarball-dir", "tars/new"); again != out {
		t.Errorf("the second build differs (-first +second):\n%s", cmp.Diff(out, again))
	}
}

func digestsOf(row imagecmd.Row) (digests []string) {
	for _, p := range row.Platforms {
		digests = append(digests, p.Digest)
	}
	return digests
}

var digest = regexp.MustCompile(`sha256:[0-9a-f]{64}`)

func TestImageBuildWritesNothingUnasked(t *testing.T) {
	imageCheckout(t)
	before, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	out, _ := mustRunImage(t, "build", "bundle", "--platform", "linux/amd64", "--tag", "v2.34.5")
	after, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	if len(before) != len(after) {
		t.Errorf("want the folder as it was, got %v", after)
	}
	const want = "IMAGE                               PLATFORM     DIGEST\n" +
		"ghcr.io/waybill-dev/bundle:v2.34.5  all          sha256:…\n" +
		"ghcr.io/waybill-dev/bundle:v2.34.5  linux/amd64  sha256:…\n"
	if diff := cmp.Diff(want, digest.ReplaceAllString(out, "sha256:…")); diff != "" {
		t.Errorf("table (-want +got):\n%s", diff)
	}
}

func TestImageRefuses(t *testing.T) {
	other := "linux/arm64"
	if image.HostPlatform().String() == other {
		other = "linux/amd64"
	}
	cases := map[string]struct {
		reason string
		args   []string
		code   int
		want   string
	}{
		"UnknownName":  {"A typo must not build everything.", []string{"build", "bind"}, exitUsage, `no image is called "bind": want one of bind-resolve, bundle`},
		"Platform":     {"Named before anything is compiled.", []string{"build", "--platform", "linux/386"}, exitUsage, `--platform: platform "linux/386": want one of linux/amd64, linux/arm64`},
		"Format":       {"Found before anything is compiled.", []string{"build", "--format", "xml"}, exitUsage, `--format "xml": want table, json or yaml`},
		"ListFormat":   {"The same flag, the same message.", []string{"list", "--format", "xml"}, exitUsage, `--format "xml": want table, json or yaml`},
		"Tag":          {"Found before anything is compiled.", []string{"build", "--tag", "a b"}, exitUsage, `--tag: image reference "ghcr.io/waybill-dev/bind-resolve:a b": want registry/repository:tag: `},
		"NoFunctions":  {"A wrong --dir is not an empty success.", []string{"build", "--dir", "functions"}, exitFailed, `find functions: open functions/functions: no such file or directory`},
		"UnknownFlag":  {"A later verb's flag must not be swallowed.", []string{"build", "--push"}, exitUsage, `unknown flag: --push; see 'waybill image build --help'`},
		"ListArgument": {"list takes no names.", []string{"list", "bundle"}, exitUsage, `unknown command "bundle" for "waybill image list"; see 'waybill image list --help'`},
		"UnknownVerb":  {"Not silently the help text.", []string{"bild"}, exitUsage, `unknown command "bild" for "waybill image"`},
		"Layout": {"Another user's folder is not deleted.", []string{"build", "bundle", "--platform", other, "-o", "functions"}, exitFailed,
			`OCI layout "functions": neither empty nor an OCI layout: open functions/oci-layout: no such file or directory`},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			imageCheckout(t)
			out, messages, code := runImage(t, tc.args...)
			_, said, _ := strings.Cut(messages, "error: ")
			if code != tc.code || !strings.HasPrefix(said, tc.want) || strings.Count(said, "\n") != 1 || out != "" {
				t.Errorf("%s\nwant exit code %d, one line %q and no output\ngot exit code %d, %q and %q", tc.reason, tc.code, tc.want, code, said, out)
			}
		})
	}
}

// TestImageNames: the images built are those that Kptfiles name and the catalogue answers to.
func TestImageNames(t *testing.T) {
	got, err := image.Reference("bind-resolve", catalog.Version)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(catalog.Image("bind-resolve"), got); diff != "" {
		t.Errorf("the catalogue and the images differ (-catalogue +image):\n%s", diff)
	}
}

// TestImageExamples runs what --help prints, as printed.
func TestImageExamples(t *testing.T) {
	testenv.Long(t, "it compiles for two platforms")
	ran := 0
	for _, cmd := range imagecmd.NewCommand().Commands() {
		for line := range strings.Lines(cmd.Example) {
			words := strings.Fields(line)
			if len(words) == 0 || words[0] == "#" {
				continue
			}
			t.Run(strings.TrimSpace(line), func(t *testing.T) {
				if words[0] != "waybill" || words[1] != "image" {
					t.Fatalf("not a command of this family: %q", line)
				}
				if cmd.Name() == "push" { // to registries that do not exist
					line, _, _ := strings.Cut(line, ">")
					if err := cmd.ParseFlags(strings.Fields(line)[3:]); err != nil {
						t.Error(err)
					}
					return
				}
				imageCheckout(t)
				if out, _ := mustRunImage(t, words[2:]...); out == "" {
					t.Error("printed nothing")
				}
			})
			ran++
		}
	}
	if ran < 7 {
		t.Errorf("want the examples of build, list and push, found %d", ran)
	}
}

// TestImageForPodman goes the whole way of a kpt user: build, load, run.
func TestImageForPodman(t *testing.T) {
	testenv.Need(t, testenv.Podman)
	imageCheckout(t)
	const tag = "v0.0.0-waybill-cmd-test"
	mustRunImage(t, "build", "bundle", "--tarball-dir", ".", "--tag", tag)
	const ref = "ghcr.io/waybill-dev/bundle:" + tag
	if out, err := exec.Command("podman", "load", "-i", "bundle.tar").CombinedOutput(); err != nil {
		t.Fatalf("podman load: %v: %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("podman", "rmi", "-f", ref).CombinedOutput(); err != nil {
			t.Errorf("podman rmi: %v: %s", err, out)
		}
	})
	run := exec.Command("podman", "run", "--rm", "-i", "--network", "none", "--user", "nobody",
		"--security-opt=no-new-privileges", "--pull", "never", "--read-only", ref)
	run.Stdin = strings.NewReader("items: []\n")
	if out, err := run.CombinedOutput(); err != nil || string(out) != "items: []\n" {
		t.Errorf("want the input back, got %v, %q", err, out)
	}
}
