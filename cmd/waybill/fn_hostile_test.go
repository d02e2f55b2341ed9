package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// soon is far more than any hostile package may take, on a busy machine.
const soon = time.Minute

// checkRefused renders dir and holds what every hostile package gets: exit status 1, nothing on stdout,
// one error in one line that says all of wants, in no long time; and the package is as it was.
func checkRefused(t *testing.T, reason, dir string, wants []string, args ...string) {
	t.Helper()
	before, began := snapshot(t, filepath.Dir(dir)), time.Now()
	r := runCLI(t, append([]string{"fn", "render", dir, "--allow-exec"}, args...)...)
	if took := time.Since(began); took > soon {
		t.Errorf("%s: it took %s", reason, took)
	}
	last := errorOf(r.stderr)
	if r.code != exitFailed || r.stdout != "" || !strings.HasPrefix(last, "error: ") || strings.Count(r.stderr, "error: ") != 1 {
		t.Errorf("%s: exit status %d, stdout %q, stderr:\n%.2000s", reason, r.code, r.stdout, r.stderr)
	}
	for _, want := range wants {
		if !strings.Contains(last, want) {
			t.Errorf("%s: the error does not say %q: %.2000s", reason, want, last)
		}
	}
	if strings.ContainsFunc(last, func(c rune) bool { return c < ' ' || c == 0x7f }) || len(last) > 4000 {
		t.Errorf("%s: the error is no line to print: %.2000q", reason, last)
	}
	if diff := cmp.Diff(before, snapshot(t, filepath.Dir(dir))); diff != "" {
		t.Errorf("%s: files were touched (-before +after):\n%.4000s", reason, diff)
	}
}

// errorOf is the error that stderr ends in. The lines that an invalid Kptfile is told in count as one.
func errorOf(stderr string) string {
	at := strings.LastIndex("\n"+stderr, "\nerror: ")
	if at < 0 {
		return ""
	}
	return regexp.MustCompile(`\n(Field|Value|Reason): `).ReplaceAllString(strings.TrimSuffix(stderr[at:], "\n"), " $1: ")
}

// hostilePackage writes files below a new folder "web", with a Kptfile that runs these functions.
func hostilePackage(t *testing.T, functions string, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "web")
	kptfile := "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata: {name: web}\n"
	if functions != "" {
		kptfile += "pipeline:\n  mutators:\n" + functions
	}
	writeFile(t, filepath.Join(dir, "Kptfile"), kptfile, 0o644)
	for name, text := range files {
		writeFile(t, filepath.Join(dir, name), text, 0o644)
	}
	return dir
}

const plainObject = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  k: v\n"

// aliasBomb stands for ten to the power of levels values.
func aliasBomb(levels int) string {
	var b strings.Builder
	b.WriteString(plainObject + "l0: &l0 x\n")
	for i := 1; i <= levels; i++ {
		fmt.Fprintf(&b, "l%d: &l%d [%s*l%d]\n", i, i, strings.Repeat(fmt.Sprintf("*l%d, ", i-1), 9), i-1)
	}
	return b.String()
}

func manyDocuments(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c%d\n", i)
	}
	return b.String()
}

// TestHostileFiles renders packages whose files are made to hurt who reads them.
func TestHostileFiles(t *testing.T) {
	cases := map[string]struct {
		reason, file, text string
		want               string
	}{
		"bomb":         {"a kilobyte that stands for ten billion values", "app/bomb.yaml", aliasBomb(9), "more than the 500000 allowed"},
		"cycle":        {"an alias inside what it stands for", "app/cycle.yaml", plainObject + "x: &x [*x]\n", "stands inside what it refers to"},
		"merge":        {"the bomb's other fuse", "app/merge.yaml", plainObject + "x: &x {a: 1}\ny: {<<: *x}\n", `the merge key "<<" is not supported`},
		"duplicate":    {"which of the two?", "app/twice.yaml", plainObject + "kind: Secret\n", `line 7: field "kind" is given twice`},
		"duplicate 2":  {"in JSON, too", "app/twice.json", `{"apiVersion":"v1","kind":"A","metadata":{"name":"a","name":"b"}}`, `field "name" is given twice`},
		"documents":    {"more documents than anybody writes", "app/many.yaml", manyDocuments(30_000), "more than 20000 documents"},
		"scalar":       {"a text of 100 MB", "app/large.yaml", plainObject + "  large: " + strings.Repeat("x", 100<<20) + "\n", "more than the 67108864 allowed"},
		"deep":         {"nesting as deep as a stack", "app/deep.yaml", plainObject + "x: " + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + "\n", "nested deeper than 200 levels"},
		"deeper":       {"nesting that the parser gives up on", "app/deep.yaml", plainObject + "x: " + strings.Repeat("[", 100_000), "not valid YAML"},
		"NUL":          {"bytes that are no text", "app/nul.yaml", "a: \x00\n", "holds a NUL byte"},
		"ignore":       {"a rule that kpt breaks down on", ".krmignore", "/\n", `line 1: "/" names no file`},
		"large ignore": {"rules without end", ".krmignore", strings.Repeat("*a*a*a*b\n", 10_000), "more than the 65535 allowed"},
		"Kptfile":      {"a bomb for a Kptfile", "app/Kptfile", "apiVersion: kpt.dev/v1\nkind: Kptfile\n" + strings.TrimPrefix(aliasBomb(7), plainObject), "more than the 200000 allowed"},
		"kind":         {"a Kptfile of another kind", "app/Kptfile", plainObject, `want apiVersion "kpt.dev/v1"`},
		"terminal":     {"a file that writes to the terminal", "app/\x1b[2J.yaml", "a: [", "contains a control character"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := hostilePackage(t, "", map[string]string{"ok.yaml": plainObject, tc.file: tc.text})
			culprit := strings.Trim(fmt.Sprintf("%q", tc.file), `"`)
			checkRefused(t, tc.reason, dir, []string{culprit, tc.want})
		})
	}
}

// TestLargeButFine renders what is large and does no harm, and changes none of it.
func TestLargeButFine(t *testing.T) {
	dir := hostilePackage(t, "", map[string]string{"many.yaml": manyDocuments(10_000), "long.yaml": plainObject + "  l: " + strings.Repeat("x", 10<<20) + "\n"})
	before := snapshot(t, dir)
	if r := runCLI(t, "fn", "render", dir); r.code != exitDone {
		t.Errorf("exit status %d: %.2000s", r.code, r.stderr)
	}
	if diff := cmp.Diff(before, snapshot(t, dir)); diff != "" {
		t.Errorf("files were touched (-before +after):\n%.4000s", diff)
	}
}

// TestHostileLinks renders packages with links in them, out of them and in circles: what a link names
// is neither read nor written, and a link where a resource file would be is refused.
func TestHostileLinks(t *testing.T) {
	cases := map[string]struct {
		reason, link, target string
		refused              bool
	}{
		"file inside":    {"the same object would be there twice", "copy.yaml", "ok.yaml", true},
		"file outside":   {"it holds no object at all", "secret.yaml", "../secret.yaml", true},
		"text outside":   {"no file of that name is read", "secret.txt", "../secret.yaml", false},
		"folder inside":  {"the same object twice would be refused", "folder", "real", false},
		"folder outside": {"what is in it is no YAML", "folder", "..", false},
		"loop":           {"a folder that holds itself", "loop", ".", false},
		"itself":         {"a link to itself", "self.yaml", "self.yaml", true},
		"nowhere":        {"a link to nothing", "gone.yaml", "nothing.yaml", true},
		"device":         {"a file without an end", "zero.yaml", "/dev/zero", true},
		"rules":          {"rules from outside would hide ok.yaml", ".krmignore", "../hide-all", true},
		"package":        {"a Kptfile from outside", "real/Kptfile", "../../secret.yaml", true},
		"lock":           {"an editor's lock", ".#ok.yaml", "ada@host.123:456", false},
		"hidden":         {"what .krmignore hides", "hidden.yaml", "ok.yaml", false},
		"hidden below":   {"likewise in a folder", "real/hidden.yaml", "../ok.yaml", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			dir := hostilePackage(t, "  - exec: bump\n", map[string]string{
				"ok.yaml": plainObject, "real/b.yaml": strings.Replace(plainObject, "name: a", "name: b", 1), "../secret.yaml": "SECRET: [", "../hide-all": "*\n"})
			if strings.Contains(tc.link, "hidden") {
				writeFile(t, filepath.Join(dir, ".krmignore"), "hidden.*\n", 0o644)
			}
			bin := filepath.Join(t.TempDir(), "bin")
			writeFile(t, filepath.Join(bin, "bump"), "#!/bin/sh\nsed 's/k: v$/k: new/'\n", 0o755)
			onPath(t, bin)
			if err := os.Symlink(tc.target, filepath.Join(dir, tc.link)); err != nil {
				t.Fatal(err)
			}
			if tc.refused {
				checkRefused(t, tc.reason, dir, []string{tc.link + ": is a symbolic link"})
				return
			}
			before := contents(snapshot(t, filepath.Dir(dir)))
			r := runCLI(t, "fn", "render", dir, "--allow-exec")
			if r.code != exitDone || strings.Contains(r.stderr, "SECRET") {
				t.Errorf("%s: exit status %d: %s", tc.reason, r.code, r.stderr)
			}
			for _, p := range []string{"/web/ok.yaml", "/web/real/b.yaml"} {
				before[p] = strings.Replace(before[p], "k: v", "k: new", 1)
			}
			if diff := cmp.Diff(before, contents(snapshot(t, filepath.Dir(dir)))); diff != "" {
				t.Errorf("%s: want both files rendered and nothing else (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
	t.Run("root", func(t *testing.T) {
		dir := hostilePackage(t, "", nil)
		for _, err := range []error{os.Rename(filepath.Join(dir, "Kptfile"), filepath.Join(dir, "../Kptfile")), os.Symlink("../Kptfile", filepath.Join(dir, "Kptfile"))} {
			if err != nil {
				t.Fatal(err)
			}
		}
		checkRefused(t, "a Kptfile from outside is none", dir, []string{"/web", "Kptfile: is a symbolic link"})
	})
}
