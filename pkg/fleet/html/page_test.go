package html

import (
	"bytes"
	"fmt"
	"os"
	"regexp"
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
	checkData(t, a, []byte(text))
	if !strings.Contains(texts["td"], safetext.Visible(a.Policies[1])) {
		t.Errorf("the summary does not name policy %q", a.Policies[1])
	}
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

// roomForCommonest is how many bytes the commonest texts of sample take: a template of each object, and a value.
func roomForCommonest(a *index.Index) int {
	most := len(raw("3"))
	for _, o := range a.Objects {
		if len(o.Texts) > 0 {
			most += len(raw(strings.Replace(o.Texts[0], "3", "\b0\b", 1)))
		}
	}
	return most
}

// TestBounds leaves out what is too much, the rarest first, and says so.
func TestBounds(t *testing.T) {
	a := sample()
	a.Objects[1].Texts = append(a.Objects[1].Texts, "kind: Deployment\n")
	a.Clusters[2].Loads = []index.Load{{Policy: 1, File: "clusters/c/w.yaml", Items: []index.Item{{Object: 1, Text: 2}}}}
	commonest := roomForCommonest(a)
	left := func(most int) (texts []string) {
		for n, all := range decode(t, raw(encode(a, most))).texts {
			for _, text := range all {
				texts = append(texts, fmt.Sprint(n, " ", text))
			}
		}
		return texts
	}
	for most, want := range map[int][]string{
		commonest:     {"1 kind: Deployment\nreplicas: 3\nimage: web:1\n", "1 (left out)", "1 (left out)", "2 kind: Namespace\n", "3 kind: ManifestWork\n", "3 kind: ManifestWork\n"},
		commonest - 1: {"1 (left out)", "1 (left out)", "1 (left out)", "2 kind: Namespace\n", "3 kind: ManifestWork\n", "3 kind: ManifestWork\n"},
		3:             {"1 (left out)", "1 (left out)", "1 (left out)", "2 (left out)", "3 (left out)", "3 (left out)"},
	} {
		if diff := cmp.Diff(want, left(most)); diff != "" {
			t.Errorf("%d bytes (-want +got):\n%s", most, diff)
		}
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
