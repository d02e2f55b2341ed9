package krm

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// checkPlainDocument holds that text, if it is plain, is the document that the library makes of it, lines and columns included, and
// reports whether it is.
func checkPlainDocument(t rapid.TB, text string) bool {
	got := plainDocument([]byte(text))
	if got == nil {
		return false
	}
	dec := yaml.NewDecoder(strings.NewReader(text))
	want, more := &yaml.Node{}, &yaml.Node{}
	if err := dec.Decode(want); err != nil {
		t.Fatalf("the library refuses\n%s\n%v", text, err)
	}
	if err := dec.Decode(more); !errors.Is(err, io.EOF) {
		t.Fatalf("the library sees another document after\n%s\n%v", text, err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Fatalf("%s\n(-library +plain):\n%s", text, d)
	}
	return true
}

func TestPlainDocument(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		plain bool
	}{
		"usual": {"apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels:\n    a.b/c: \"1\"\n    d: ''\nspec:\n  replicas: 3\n" +
			"  paused: true\n  containers:\n  - name: a\n    image: r.example.com/a:1.0\n    ports:\n    - containerPort: 80\n  - name: b\n  list:\n    - x\n" +
			"    - 'y z'\n  notes:\n  - 0\n  - a\nlast: 1\n", true},
		"words":           {"none: name\nno-name: on.off\nyes-sir: truely\n", true},
		"YAML 1.1":        {"on: 1\n", false},
		"number":          {"a: 1.5\n", false},
		"octal":           {"a: 017\n", false},
		"many digits":     {"a: 12345678901234567890\n", false},
		"date":            {"a: 2001-01-01\n", false},
		"null":            {"a: null\n", false},
		"absent value":    {"a:\nb: c\n", false},
		"absent at end":   {"a:\n", false},
		"flow":            {"a: {}\n", false},
		"comment":         {"a: b # c\n", false},
		"escape":          {"a: \"\\n\"\n", false},
		"anchor":          {"a: &b c\n", false},
		"tag":             {"a: !b c\n", false},
		"block":           {"a: |\n  b\n", false},
		"two lines":       {"a: b\n  c: d\n", false},
		"folded":          {"a: b\n  c\n", false},
		"document":        {"---\na: b\n", false},
		"end":             {"a: b\n...\n", false},
		"no line end":     {"a: b", false},
		"list only":       {"- a\n", false},
		"list of lists":   {"a:\n- - b\n", false},
		"odd indentation": {"a:\n    b: c\n  d: e\n", false},
		"too far left":    {"  a: b\nc: d\n", false},
		"map behind list": {"a:\n- b\nc: d\n", true},
		"list behind map": {"a: b\n- c\n", false},
		"empty line":      {"a: b\n\nc: d\n", false},
		"blank":           {"a: b \n", false},
		"tab":             {"a:\tb\n", false},
		"colon":           {"a: b:\n", false},
		"nothing":         {"", false},
		"deep":            {deepMaps(mostOpen + 1), false},
	} {
		if got := checkPlainDocument(t, c.text); got != c.plain {
			t.Errorf("%s: plain is %t, want %t", name, got, c.plain)
		}
	}
}

func deepMaps(levels int) string {
	var b strings.Builder
	for i := range levels {
		b.WriteString(strings.Repeat(" ", i) + "a:\n")
	}
	b.WriteString(strings.Repeat(" ", levels) + "a: b\n")
	return b.String()
}

// TestPlainDocumentsOfRepository compares on every document of every YAML file in the repository, and the words of each line.
func TestPlainDocumentsOfRepository(t *testing.T) {
	plain := 0
	err := filepath.WalkDir("../..", func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || filepath.Ext(p) != ".yaml" {
			return err
		}
		data, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		for _, d := range splitDocuments(unixLines(data)) {
			if checkPlainDocument(t, string(d.data)) {
				plain++
			}
			for line := range bytes.Lines(d.data) {
				_ = checkPlainDocument(t, string(bytes.TrimLeft(line, " ")))
			}
		}
		return nil
	})
	if err != nil || plain < 100 {
		t.Errorf("%d documents of the repository are plain: %v", plain, err)
	}
}

// TestPlainDocumentDrawn compares on lines that are put together at random.
func TestPlainDocumentDrawn(t *testing.T) {
	indents := rapid.SampledFrom([]string{"", "", " ", "  ", "  ", "    ", "      "})
	dashes := rapid.SampledFrom([]string{"", "", "", "- ", "- ", "- - ", "-", "-  ", "? "})
	keys := rapid.SampledFrom([]string{"a:", "b:", "c:", "metadata:", "name:", "a", "y:", "No:", "null:", "true:", "1:", "a.b/c:", "\"q\":", "<<:", "a::", "_a:", "-a:", ""})
	values := rapid.SampledFrom([]string{"", "", "", " b", " c", " 1", " 0", " 00", " 0x1", " 1e3", " 1_000", " true", " True", " yes", " ~", " null", " Null", " .inf", " \"x\"", " 'x'",
		" \"a b\"", " 'it''s'", " \"\"", " a:b", " a:", " a: b", " a#b", " #", " a b", " <<", " =", " -", " - a", " |", " >-", " {}", " []", " *a", " &a", " !t", "  b", " b ", "\tb", " b\r", " é", " 2001-01-01", " 1:30"})
	rapid.Check(t, func(t *rapid.T) {
		var b strings.Builder
		for range rapid.IntRange(1, 8).Draw(t, "lines") {
			b.WriteString(indents.Draw(t, "indent") + dashes.Draw(t, "dash") + keys.Draw(t, "key") + values.Draw(t, "value") + "\n")
		}
		checkPlainDocument(t, b.String())
	})
}

func FuzzPlainDocument(f *testing.F) {
	f.Add("a: b\nc:\n- d: e\n  f: 'g'\n- h\n")
	f.Fuzz(func(t *testing.T, text string) { checkPlainDocument(t, text) })
}
