package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv"
)

// quoted is any text as a value in YAML.
func quoted(text string) string {
	text = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\x00", `\0`, "\x1b", `\e`).Replace(text)
	return `"` + text + `"`
}

// listening puts programs on the PATH that record their runs: a shell, container engines and "hi",
// which prints its arguments. It returns what they recorded.
func listening(t *testing.T) func() string {
	t.Helper()
	dir := t.TempDir()
	heard := filepath.Join(dir, "heard")
	for _, name := range []string{"hi", "podman", "docker", "nerdctl"} {
		writeFile(t, filepath.Join(dir, "bin", name), "#!/bin/sh\nprintf '<%s>' "+name+" \"$@\" >>'"+heard+"'\necho garbage\n", 0o755)
	}
	onPath(t, filepath.Join(dir, "bin"))
	return func() string {
		data, err := os.ReadFile(heard)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		return string(data)
	}
}

// TestHostileExec runs command lines that want to be more than a program and its arguments. No shell
// ever sees them.
func TestHostileExec(t *testing.T) {
	cases := map[string]struct{ reason, line, want, heard string }{
		"quote":        {"a quote without its other half", `hi "there`, "EOF", ""},
		"quote 2":      {"so with single ones", `hi 'there`, "EOF", ""},
		"escape":       {"an escape of nothing", `hi \`, "EOF", ""},
		"nothing":      {"a line that names no program", `""`, "names no program", ""},
		"blanks":       {"nor does this", `  `, "names no program", ""},
		"comment":      {"nor this", `# hi`, "names no program", ""},
		"NUL":          {"no argument can hold it", "hi a\x00b", "NUL", ""},
		"NUL name":     {"nor can a name", "h\x00i", "NUL", ""},
		"dash":         {"an option is no program", "--allow-exec", `"--allow-exec": executable file not found`, ""},
		"dash c":       {"nor is this one of a shell", "-c hi", `"-c": executable file not found`, ""},
		"sequence":     {"a semicolon is text", "hi a; hi b", "its output", "<hi><a;><hi><b>"},
		"substitution": {"so are dollars and backquotes", "hi $(hi x) `hi y` ${PATH}", "its output", "<hi><$(hi><x)><`hi><y`><${PATH}>"},
		"pipe":         {"so are pipes and files", "hi a | hi b > heard && hi c &", "its output", "<hi><a><|><hi><b><>><heard><&&><hi><c><&>"},
		"glob":         {"and names with stars", "hi * ~ ?", "its output", "<hi><*><~><?>"},
		"lines":        {"lines are one line", "hi a\nhi b", "its output", "<hi><a><hi><b>"},
		"assignment":   {"no variable is set", "X=1 hi", `"X=1": executable file not found`, ""},
		"terminal":     {"what moves the cursor is spelled out", "\x1b[2Jhi", `\x1b[2Jhi`, ""},
		"folder":       {"a folder is no program", "/", "is a directory", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			heard := listening(t)
			dir := hostilePackage(t, "  - exec: "+quoted(tc.line)+"\n", map[string]string{"ok.yaml": plainObject})
			wants := []string{tc.want, strings.Trim(fmt.Sprintf("%q", tc.line), `"`)}
			checkRefused(t, tc.reason, dir, wants)
			if got := heard(); got != tc.heard {
				t.Errorf("%s: heard %q, want %q", tc.reason, got, tc.heard)
			}
			checkRefused(t, tc.reason+", with a limit of memory", dir, wants, "--function-memory", "1Gi")
			if got := heard(); got != tc.heard+tc.heard {
				t.Errorf("%s: with a limit of memory heard %q, want %[3]q twice", tc.reason, got, tc.heard)
			}
		})
	}
}

// TestHostileImages names images that want to be options of the engine. The engine never hears of them.
func TestHostileImages(t *testing.T) {
	cases := map[string]struct{ reason, image, tag string }{
		"privileged":   {"an option", "--privileged", ""},
		"short option": {"another", "-v/:/host", ""},
		"option path":  {"one with a slash, which gets no prefix", "-v=/a/b", ""},
		"blank":        {"a name and an argument", "registry.example/f:v1 --privileged", ""},
		"blanks only":  {"no name at all", "  ", ""},
		"newline":      {"a second line", "registry.example/f:v1\n--privileged", ""},
		"NUL":          {"no name holds it", "registry.example/f\x00:v1", ""},
		"shell":        {"a shell's language", "registry.example/$(hi):v1", ""},
		"dots":         {"a way up", "../../f:v1", ""},
		"scheme":       {"no address", "https://registry.example/f:v1", ""},
		"transport":    {"no file of this machine", "docker-archive:/tmp/f.tar", ""},
		"large letter": {"no name is spelled so", "registry.example/F:v1", ""},
		"digest":       {"a digest that is none", "registry.example/f@sha256:--privileged", ""},
		"long":         {"a name longer than any", "registry.example/" + strings.Repeat("f", 300), ""},
		"tag option":   {"an option for a tag", "registry.example/f", "--privileged"},
		"tag blank":    {"a tag and an argument", "registry.example/f", "v1 --privileged"},
		"tag newline":  {"a tag of two lines", "registry.example/f", "v1\n--privileged"},
		"tag image":    {"a tag that is another image", "registry.example/f", "v1/../../g"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			heard := listening(t)
			function := "  - image: " + quoted(tc.image) + "\n"
			if tc.tag != "" {
				function += "    tag: " + quoted(tc.tag) + "\n"
			}
			dir := hostilePackage(t, function, map[string]string{"ok.yaml": plainObject})
			for _, runtime := range []string{"auto", "podman"} {
				culprit := strings.Trim(fmt.Sprintf("%q", tc.image), `"`)
				checkRefused(t, tc.reason, dir, []string{culprit}, "--runtime", runtime)
			}
			if got := heard(); got != "" {
				t.Errorf("%s: the engine was called with %q", tc.reason, got)
			}
		})
	}
}

// listOf is a program that prints a ResourceList with these items.
func listOf(items string) string {
	return "printf '%s\\n' 'apiVersion: config.kubernetes.io/v1' 'kind: ResourceList' 'items:" + items + "'"
}

// addItem is a program that adds an object at a path to what it is given.
func addItem(path string) string {
	return "awk '{print} /^items:/ {print \"- apiVersion: v1\\n  kind: ConfigMap\\n  metadata:\\n    name: made\\n    annotations:\\n      internal.config.kubernetes.io/path: " + path + "\"}'"
}

// TestHostileFunctions runs functions that hang, flood, talk nonsense, leave children or want to write
// where they must not.
func TestHostileFunctions(t *testing.T) {
	testenv.Long(t, "functions run until they are stopped")
	const quick = "500ms"
	cases := map[string]struct{ reason, body, want string }{
		"hang":         {"stopped, with its children", "sleep 600 & sleep 600", "ran longer than " + quick},
		"stubborn":     {"even if it ignores signals", "trap '' TERM INT HUP; while :; do sleep 1; done", "ran longer than " + quick},
		"own session":  {"though a child leaves its group and holds its output", "setsid sleep 5 & cat", "left a process behind"},
		"hold":         {"a child may still print", "cat; sleep 600 &", "left a process behind"},
		"flood":        {"stdout", "yes", "was stopped"},
		"flood stderr": {"stderr", "yes >&2", "ran longer than " + quick},
		"garbage":      {"no list", "echo hello: [world", "not valid YAML"},
		"binary":       {"no text", "head -c 1000 /dev/zero", "NUL byte"},
		"silent":       {"nothing at all", "cat >/dev/null", "its output"},
		"kind":         {"an object of another kind", "printf 'apiVersion: v1\\nkind: ConfigMap\\nmetadata: {name: a}\\n'", `kind is "ConfigMap"`},
		"no items":     {"a list without items", "printf 'apiVersion: config.kubernetes.io/v1\\nkind: ResourceList\\n'", "no items"},
		"delete":       {"everything", listOf(" []"), "would delete the package; refused"},
		"delete root":  {"all but one", listOf("\n- apiVersion: v1\n  kind: A\n  metadata: {name: a}"), "removed the root Kptfile"},
		"no object":    {"an item without a kind", listOf("\n- metadata: {name: a}"), "resource must have `apiVersion`"},
		"bomb":         {"a bomb among the items", listOf("\n- a: &a [" + strings.Repeat("x,", 999) + "]\n  b: &b [" + strings.Repeat("*a,", 999) + "]\n  c: [*b,*b]"), "aliases stand for more than"},
		"killed":       {"death by signal", "kill -9 $$", "ended by a signal"},
		"shout":        {"what moves the cursor", "printf '\\033[2J\\007boo\\r\\n' >&2; exit 1", "boo"},
		"long word":    {"an endless last line", "head -c 100000 /dev/zero | tr '\\0' x >&2; exit 1", "xxx"},
		"up":           {"a way up", addItem("../../made.yaml"), "made.yaml"},
		"dots":         {"a longer one", addItem("a/../../made.yaml"), "made.yaml"},
		"git":          {"Git's folder", addItem(".git/hooks/made.yaml"), ".git"},
		"git 2":        {"as some file systems spell it", addItem("sub/.GIT /made.yaml"), ".git"},
		"through link": {"a link to a folder outside", addItem("out/made.yaml"), "out is not a directory"},
		"onto link":    {"a link to a file outside", addItem("out.yaml"), "out.yaml: is a symbolic link"},
		"onto file":    {"a folder where a file is", addItem("ok.yaml/made.yaml"), "ok.yaml"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := hostilePackage(t, "  - exec: evil --now\n", map[string]string{"ok.yaml": plainObject, "../outside/file.yaml": plainObject})
			links := map[string]string{"out": "../outside"}
			if name == "onto link" {
				links["out.yaml"] = "../outside/file.yaml"
			}
			for link, target := range links {
				if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
					t.Fatal(err)
				}
			}
			bin := t.TempDir()
			writeFile(t, filepath.Join(bin, "evil"), "#!/bin/sh\n"+tc.body+"\n", 0o755)
			onPath(t, bin)
			limit := soon.String() // for what ends by itself, be the machine ever so busy
			if strings.HasSuffix(tc.want, quick) || tc.want == "was stopped" {
				limit = quick
			}
			culprit := `package "web": function "evil --now" (step 1): `
			if late := strings.HasPrefix(tc.want, "removed the root") || strings.Contains(tc.want, "ok.yaml") || strings.HasPrefix(tc.want, "out"); late {
				culprit = "web" // only the whole package, or the disk, shows that it cannot be written
			}
			checkRefused(t, tc.reason, dir, []string{culprit, tc.want}, "--function-timeout", limit)
		})
	}
}
