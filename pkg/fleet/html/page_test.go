package html

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/fn/fntest"
	"github.com/waybill-dev/waybill/pkg/safetext"
)

// TestGolden holds what the page says, apart from its style and script, to a file; without a comparison, too.
func TestGolden(t *testing.T) {
	alone := sample()
	alone.Preview = nil
	for name, a := range map[string]*index.Index{"compared": sample(), "alone": alone} {
		page := written(t, a, Options{Name: "shop", Side: "work tree"})
		got := regexp.MustCompile(`(?s)(<style>|<script>).*?(</style>|</script>)`).ReplaceAll(page, []byte("$1…$2"))
		got = regexp.MustCompile(`sha256-[^']*`).ReplaceAll(got, []byte("sha256-…"))
		file := "testdata/" + name + ".html"
		if *fntest.Update {
			if err := os.WriteFile(file, got, 0o644); err != nil { // #nosec G306 -- a file of the repository
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s (-want +got); -update rewrites it:\n%s", file, diff)
		}
		if !bytes.Equal(page, written(t, a, Options{Name: "shop", Side: "work tree"})) {
			t.Errorf("%s: not the same the second time", name)
		}
	}
}

// structureOf are the elements and attributes of a page, without the rows of its summary, and its texts by element.
func structureOf(t testing.TB, page []byte) (out []string, texts map[string]string) {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	texts = map[string]string{}
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		switch n.Type {
		case html.ElementNode:
			line := n.Data
			for _, at := range n.Attr {
				line += " " + at.Key + "=" + at.Val
			}
			out = append(out, line)
		case html.CommentNode:
			out = append(out, "comment")
		case html.TextNode:
			texts[n.Parent.Data] += n.Data
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(root)
	return out, texts
}

// TestContentPolicy holds the policy to the style and the script that a browser finds in the page.
func TestContentPolicy(t *testing.T) {
	page := string(written(t, sample(), Options{Name: "shop"}))
	cut := func(from, to string) string {
		_, rest, ok := strings.Cut(page, from)
		inside, _, ends := strings.Cut(rest, to)
		if !ok || !ends {
			t.Fatalf("there is no %s in the page", from)
		}
		return inside
	}
	want := contentPolicy(cut("<style>", "</style>"), cut("<script>", "</script>"))
	if got := cut(`http-equiv="Content-Security-Policy" content="`, `"`); got != want {
		t.Errorf("the policy is %s, want %s", got, want)
	}
	for _, word := range []string{"unsafe", "http:", "https:", "*"} {
		if strings.Contains(want, word) {
			t.Errorf("the policy allows %q", word)
		}
	}
}

// TestScriptMakesNoMarkup looks for the ways in which a script makes markup or code of text, or asks a network.
func TestScriptMakesNoMarkup(t *testing.T) {
	for _, word := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "fetch(", "XMLHttpRequest", "import(", "http:", "https:"} {
		if strings.Contains(wholeScript()+asset("page.css"), word) {
			t.Errorf("the assets use %s", word)
		}
	}
}

// checkEscaped holds a page to having no more elements than one of harmless words, and to saying what the index says.
func checkEscaped(t testing.TB, a *index.Index, page []byte) {
	t.Helper()
	plain, _ := structureOf(t, written(t, named("name", "value"), Options{Name: "x"}))
	got, texts := structureOf(t, page)
	if diff := cmp.Diff(plain, got); diff != "" {
		t.Errorf("elements or attributes that are not ours (-want +got):\n%s", diff)
	}
	if bad := bytes.IndexFunc(page, func(r rune) bool { return r != '\n' && r != utf8.RuneError && safetext.Visible(string(r)) != string(r) }); bad >= 0 || !utf8.Valid(page) {
		t.Errorf("a character that cannot be seen, at byte %d", bad)
	}
	_, rest, _ := strings.Cut(string(page), `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	checkData(t, a, text)
	if !strings.Contains(texts["td"], safetext.Visible(a.Policies[1])) {
		t.Errorf("the summary does not name policy %q", a.Policies[1])
	}
}

// checkData reads the data as the script does, and holds every text and name to those of the index.
func checkData(t testing.TB, a *index.Index, text string) {
	t.Helper()
	var d struct {
		Policies []string
		Objects  [][]json.RawMessage
		Clusters [][]json.RawMessage
	}
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Objects) != len(a.Objects) || len(d.Clusters) != len(a.Clusters) {
		t.Fatalf("%d objects and %d clusters, want %d and %d", len(d.Objects), len(d.Clusters), len(a.Objects), len(a.Clusters))
	}
	for i, o := range a.Objects {
		var name string
		var texts []json.RawMessage
		mustRead(t, d.Objects[i][2], &name)
		mustRead(t, d.Objects[i][5], &texts)
		if name != safetext.Visible(o.Name) {
			t.Errorf("object %q is called %q", o.Name, name)
		}
		for n, want := range o.Texts {
			if got := textFrom(t, texts, n); got != safetext.VisibleLines(want) {
				t.Errorf("text %d of object %q is %q, want %q", n, o.Name, got, want)
			}
		}
	}
}

func mustRead(t testing.TB, text json.RawMessage, into any) {
	t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// textFrom does what yamlOf of the script does.
func textFrom(t testing.TB, texts []json.RawMessage, n int) string {
	t.Helper()
	var first string
	mustRead(t, texts[0], &first)
	if n == 0 {
		return first
	}
	var edits []json.RawMessage
	mustRead(t, texts[n], &edits)
	lines := strings.Split(first, "\n")
	for i := len(edits) - 3; i >= 0; i -= 3 {
		var at, drop int
		var text string
		mustRead(t, edits[i], &at)
		mustRead(t, edits[i+1], &drop)
		mustRead(t, edits[i+2], &text)
		own := strings.Split(text, "\n")
		lines = slices.Replace(lines, at, at+drop, own[:len(own)-1]...)
	}
	return strings.Join(lines, "\n")
}

func TestHostile(t *testing.T) {
	for _, name := range hostile {
		for _, value := range hostile {
			a := named(name, value)
			checkEscaped(t, a, written(t, a, Options{Name: name, Side: value}))
		}
	}
}

func FuzzPage(f *testing.F) {
	for i, name := range hostile {
		f.Add(name, hostile[len(hostile)-1-i])
	}
	f.Fuzz(func(t *testing.T, name, value string) {
		a := named(name, value)
		checkEscaped(t, a, written(t, a, Options{Name: name, Side: value}))
	})
}

// FuzzTexts holds any two texts to coming back as they were.
func FuzzTexts(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n")
	f.Add("a\nb\n", "a\n")
	f.Add("", "\n\n")
	f.Add("a\na\na", "a\na")
	f.Add("k: |\n\n  x\n", "k: |\n  x\n\n")
	f.Fuzz(func(t *testing.T, first, second string) {
		texts := encodeTexts([]index.Object{{Texts: []string{first, second}}}, 1<<30)[0]
		if got := textFrom(t, texts, 1); got != safetext.VisibleLines(second) {
			t.Errorf("%q became %q", second, got)
		}
	})
}

// TestBounds leaves out what is too much, the rarest first, and says so.
func TestBounds(t *testing.T) {
	a := sample()
	objects, most := a.Objects, 0
	for _, o := range objects {
		for _, text := range o.Texts[:min(1, len(o.Texts))] {
			most += len(raw(text))
		}
	}
	texts := encodeTexts(objects, most)
	if string(texts[1][1]) != "null" || string(texts[1][0]) == "null" || string(texts[3][0]) == "null" {
		t.Errorf("want the commonest texts alone, got %s", texts)
	}
	if texts = encodeTexts(objects, 3); string(texts[1][0]) != "null" || string(texts[1][1]) != "null" {
		t.Errorf("want nothing, got %s", texts)
	}
	page := string(written(t, large(300, 3, 2), Options{Name: "x"}))
	if !strings.Contains(page, "… 100 more clusters") || strings.Count(page, "<tr>") != 300-100+2+2 {
		t.Errorf("the summary has %d rows", strings.Count(page, "<tr>"))
	}
}

func BenchmarkWrite(b *testing.B) {
	for name, clusters := range map[string]int{"clusters=1000": 1000, "clusters=10000": 10_000} {
		b.Run(name, func(b *testing.B) {
			a := large(clusters, 100, 10)
			b.ReportAllocs()
			size := 0
			for b.Loop() {
				size = len(written(b, a, Options{Name: "x"}))
			}
			b.ReportMetric(float64(size)/(1<<20), "MiB/page")
		})
	}
}
