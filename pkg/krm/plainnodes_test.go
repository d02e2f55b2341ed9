package krm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
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
	if !reflect.DeepEqual(want, got) { // cmp takes for ever on deep nodes
		t.Fatalf("%s\n(-library +plain):\n%s", text, cmp.Diff(want, got))
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
		"words":           {"none: name\nno-name: on.off\nyes-sir: really\n", true},
		"YAML 1.1":        {"on: 1\n", false},
		"number":          {"a: 1.5\n", false},
		"octal":           {"a: 017\n", false},
		"many digits":     {"a: 12345678901234567890\n", false},
		"date":            {"a: 2001-01-01\n", false},
		"null":            {"a: null\n", false},
		"absent value":    {"a:\nb: c\n", false},
		"absent at end":   {"a:\n", false},
		"flow":            {"a: [b]\n", false},
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
		"list of lists":   {"a:\n- - b\n  -   - c\n      - d: e\n- f: g\n", true},
		"odd indentation": {"a:\n    b: c\n  d: e\n", false},
		"too far left":    {"  a: b\nc: d\n", false},
		"map behind list": {"a:\n- b\nc: d\n", true},
		"list behind map": {"a: b\n- c\n", false},
		"empty lines":     {"\n  \na: b\n\nc:\n\n- d\n   \n- e\n\n", true},
		"blanks":          {"a:   b \nc:  \n-   'd'  \n-   e:  k g \n    h: i\n", true},
		"tab":             {"a:\tb\n", false},
		"colon":           {"a: b:\n", false},
		"nothing":         {"", false},
		"deep":            {deepMaps(99), true},
		"too deep":        {deepMaps(100), false},
		"empty":           {"a: {}\nb: []\nc:\n- {}\n- d: []\n", true},
		"not ASCII":       {"a: \"é\"\nb: k\u00fcr\nc:\n- '\U0001f600' \n", true},
		"control":         {"a: b\x01\n", false},
		"NUL":             {"a: \"b\x00\"\n", false},
		"next line":       {"a: b\u0085c\n", false},
		"line separator":  {"a: \"b\u2028c\"\n", false},
		"byte order mark": {"\ufeffa: b\n", false},
		"mark within":     {"a: \"\ufeffb\"\n", false},
		"not UTF-8":       {"a: b\xff\n", false},
		"CRLF":            {"a: b\r\nc: d\r\n", false},
		"key twice":       {"a: b\nc: d\na: e\n", false},
		"key behind":      {"b: 1\na: 2\nc: 3\na: 4\n", false},
		"many keys":       {manyKeys(1000), true},
		"long key":        {strings.Repeat("k", 1000) + ": a\n", true},
		"too long key":    {strings.Repeat("k", 1025) + ": a\n", false},
		"long item":       {"a:\n- " + strings.Repeat("k", 5000) + "\n- \"" + strings.Repeat("k", 5000) + "\"\n- '" + strings.Repeat("k", 5000) + "'\n", true},
		"no blank":        {"a:b\n", false},
		"no blank within": {"a: b:c\n", true},
		"explicit key":    {"? a\n: b\n", false},
		"explicit item":   {"a:\n- ? b\n", false},
		"dash only":       {"a:\n-\n", false},
		"null in list":    {"a:\n- b:\n- c: d\n", false},
		"null below":      {"a:\n  b:\nc: d\n", false},
		"null word":       {"a: ~\n", false},
		"null key":        {"Null: a\n", false},
		"null capital":    {"a: NULL\n", false},
		"merge":           {"<<: a\n", false},
		"merge value":     {"a: <<\n", false},
		"equals":          {"a: =\n", false},
		"infinity":        {"a: .inf\n", false},
		"no number":       {"a: .NaN\n", false},
		"hexadecimal":     {"a: 0x1F\n", false},
		"octal 1.2":       {"a: 0o7\n", false},
		"underscore":      {"a: 1_000\n", false},
		"sexagesimal":     {"a: 1:30\n", false},
		"negative":        {"a: -1\n", false},
		"True":            {"a: True\n", false},
		"yes":             {"a: yes\n", false},
		"key true":        {"true: a\n", false},
		"key y":           {"y: a\n", false},
		"off in list":     {"a:\n- off\n", false},
		"quotes":          {"a: 'yes'\nb: \"1\"\nc: '~'\nd: \"# a: b\"\ne: '- \"x\"'\n", true},
		"quote twice":     {"a: 'it''s'\n", false},
		"quote in quotes": {"a: \"it's\"\n", false},
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

func manyKeys(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%04d: a\n", i)
	}
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
		" {} ", " a ", "   a", " \"a b\"", " 'it''s'", " \"\"", " a:b", " a:", " a: b", " a#b", " #", " a b", " <<", " =", " -", " - a", " |", " >-", " {}", " []", " *a", " &a", " !t", "  b", " b ", "\tb", " b\r", " é", " 2001-01-01", " 1:30"})
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
