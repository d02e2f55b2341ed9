package depcheck

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// What a reader of the site sees, as expressions.
const (
	siteReady   = `(document.readyState === 'complete' && document.getElementById('siteSearch')?.hidden === false)`
	seenFocus   = `document.activeElement.id`
	seenStatus  = `siteStatus.textContent`
	seenResults = `[...siteResults.children].map((e) => e.querySelector('strong').textContent)`
	seenChosen  = `(document.getElementById(siteQuery.getAttribute('aria-activedescendant'))?.querySelector('strong').textContent ?? '')`
	seenMarks   = `[...new Set([...siteResults.querySelectorAll('[aria-selected] mark')].map((e) => e.textContent.toLowerCase()))].sort()`
)

// TestSiteInBrowser builds the site, and uses it as a reader does.
func TestSiteInBrowser(t *testing.T) {
	testenv.Need(t, testenv.Chromium, testenv.Hugo)
	dir, b := buildSite(t), browser.Start(t)
	for _, step := range []struct {
		name, page string
		check      func(*testing.T, *browser.Page, string)
	}{
		{"Search", "index.html", checkSearch},
		{"Queries", "docs/reference/commands.html", checkQueries},
		{"Errors", "index.html", checkFindsErrors},
		{"Looks", "docs/preview.html", checkLooks},
		{"Served", "index.html", checkServed},
		{"NoIndex", "docs/glossary.html", checkNoIndex},
	} {
		t.Run(step.name, func(t *testing.T) { step.check(t, b.Open(t, filepath.Join(dir, step.page), siteReady), dir) })
	}
}

// checkStayed wants no error, and no request for anything but files of the site, which has one address or several.
func checkStayed(t *testing.T, p *browser.Page, sites ...string) {
	t.Helper()
	for _, complaint := range p.Complaints() {
		if !slices.ContainsFunc(sites, func(site string) bool { return strings.HasPrefix(complaint, "request: "+site+"/") }) {
			t.Error(complaint)
		}
	}
}

// goTo opens another page once the answer is there.
func goTo(p *browser.Page, address string) {
	browser.Ask[bool](p, "setTimeout(() => { location.href = `"+address+"`; }), true")
}

func same[T any](t *testing.T, reason string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

// checkSearch finds the entry of an error without a mouse, opens it, and searches on from there.
func checkSearch(t *testing.T, p *browser.Page, dir string) {
	p.Press("/")
	same(t, "/ leads to the search", "siteQuery", browser.Ask[string](p, seenFocus))
	p.Type(`Error: image "x:v1" is not linked into this binary`)
	p.Wait(seenStatus + `.startsWith('No section has all words')`)
	same(t, "a whole message leads to its entry", "Troubleshooting › is not linked into this binary", browser.Ask[string](p, seenChosen))
	p.Press("Escape", "/")
	p.Type("linked into BINARY")
	p.Wait(seenStatus + `.endsWith(' sections.')`)
	results := browser.Ask[[]string](p, seenResults)
	same(t, "titles first", "Troubleshooting › is not linked into this binary", results[0])
	same(t, "the first is chosen", results[0], browser.Ask[string](p, seenChosen))
	same(t, "the words in it are marked", []string{"binary", "into", "linked"}, browser.Ask[[]string](p, seenMarks))
	p.Keep("site-search")
	p.Press("ArrowDown")
	same(t, "an arrow chooses the next", results[1], browser.Ask[string](p, seenChosen))
	p.Press("ArrowUp", "ArrowUp")
	same(t, "and back, not further", results[0], browser.Ask[string](p, seenChosen))
	p.Press("Enter")
	p.Wait(`location.pathname.endsWith('/docs/troubleshooting.html') && location.hash === '#is-not-linked-into-this-binary' && ` + siteReady)
	p.Wait(`document.querySelector('header').getBoundingClientRect().bottom <= document.querySelector(location.hash).getBoundingClientRect().top && scrollY > 0`)
	p.Press("/")
	p.Type("must run with")
	p.Wait(`siteResults.children.length > 0`)
	p.Press("Enter")
	p.Wait(`location.hash === '#must-run-with---allow-exec' && siteFound.hidden`)
	p.Press("/", "Escape")
	same(t, "Escape leaves the search", []string{"", ""}, browser.Ask[[]string](p, `[siteQuery.value, document.activeElement.id]`))
	checkStayed(t, p, "file://"+dir)
}

// checkQueries asks for what is there in other forms, for what is not, and for HTML and patterns.
func checkQueries(t *testing.T, p *browser.Page, dir string) {
	cases := map[string]struct{ reason, query, status, first string }{
		"Nothing":  {"no such word", "xyzzy", "Nothing is found.", ""},
		"Blank":    {"no word", "  \t ", "", ""},
		"Text":     {"a word that only texts have", "lastUpdateTime", "", ""},
		"Heading":  {"a heading", "completion", "", "Install › Completion"},
		"Title":    {"the title of a page", "glossary", "", "Glossary"},
		"Part":     {"part of a word", "glossar", "", "Glossary"},
		"HTML":     {"HTML is text", `<img src=x onerror=alert(1)>`, "", ""},
		"Pattern":  {"signs of patterns are text", `.*+?^${}()|[]\/-`, "Nothing is found.", ""},
		"Brackets": {"signs beside words", `[(glossary`, "Nothing is found.", ""},
		"Long":     {"more words than are looked for", strings.Repeat("a ", 5000), "", ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p.Press("Escape", "/")
			p.Type(tc.query)
			p.Wait(`siteQuery.value !== ''`)
			p.Wait(map[bool]string{true: `siteFound.hidden`, false: `!siteFound.hidden`}[name == "Blank"])
			if tc.status != "" {
				same(t, tc.reason, tc.status, browser.Ask[string](p, seenStatus))
			}
			if tc.first != "" {
				same(t, tc.reason, tc.first, browser.Ask[string](p, seenChosen))
			}
			same(t, "no element of the query", 0, browser.Ask[int](p, `document.querySelectorAll('header img, [onerror]').length`))
			if n := browser.Ask[int](p, `siteResults.children.length`); n > 30 {
				t.Errorf("%d results", n)
			}
		})
	}
	p.Press("Escape")
	took := browser.Ask[float64](p, `(() => { const from = performance.now(); siteQuery.value = 'a change of the fleet'; siteQuery.dispatchEvent(new Event('input')); return performance.now() - from; })()`)
	t.Logf("an answer takes %.0f ms", took)
	checkStayed(t, p, "file://"+dir)
}

// checkFindsErrors wants every entry of troubleshooting to be the first result for a message with its text.
func checkFindsErrors(t *testing.T, p *browser.Page, dir string) {
	entries := firsts("(?m)^### `+ ?(.*?) ?`+$", read(t, "docs/troubleshooting.md"))
	if len(entries) < 20 {
		t.Errorf("only %d entries", len(entries))
	}
	for _, entry := range entries {
		p.Press("Escape", "/")
		p.Type(`error: render package "web-7" of cluster-12: ` + entry + `; see xyzzy for more`)
		p.Wait("!siteFound.hidden && siteResults.children.length > 0")
		same(t, "found by its text", "Troubleshooting › "+strings.ReplaceAll(entry, "`", ""), strings.ReplaceAll(browser.Ask[string](p, seenChosen), "`", ""))
	}
	checkStayed(t, p, "file://"+dir)
}

// checkLooks shows every page on a phone, and checks light, dark and paper.
func checkLooks(t *testing.T, p *browser.Page, dir string) {
	for scheme, back := range map[string]string{"dark": "rgb(20, 23, 28)", "light": "rgb(255, 255, 255)"} {
		p.Prefer(scheme, "")
		same(t, scheme+", as the system", back, browser.Ask[string](p, `getComputedStyle(document.body).backgroundColor`))
		same(t, "contrast of text", true, browser.Ask[bool](p, browser.Contrast))
		p.Keep("site-" + scheme)
	}
	p.Prefer("light", "print")
	same(t, "paper has the text alone", []string{"none", "none", "none", "block"},
		browser.Ask[[]string](p, `['header', '#sitePages', 'aside', 'main'].map((e) => getComputedStyle(document.querySelector(e)).display)`))
	p.Keep("site-print")
	p.Prefer("light", "")
	p.Resize(360, 740)
	pages, err := readPages(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range slices.Sorted(maps.Keys(pages)) {
		goTo(p, "file://"+dir+"/"+page)
		p.Wait("location.pathname === `" + dir + "/" + page + "` && " + siteReady)
		if wide := browser.Ask[int](p, `document.documentElement.scrollWidth`); wide > 360 {
			t.Errorf("%s is %d pixels wide", page, wide)
		}
		same(t, page+": titles", true, browser.Ask[bool](p, `document.title.includes('Waybill') && document.querySelectorAll('h1').length === 1`))
	}
	p.Press("/")
	p.Type("kpt")
	p.Wait(`siteResults.children.length > 0`)
	same(t, "results fit", true, browser.Ask[bool](p, `siteFound.getBoundingClientRect().right <= 360`))
	p.Keep("site-phone")
	checkStayed(t, p, "file://"+dir)
}

// checkServed uses the site in a folder of a server.
func checkServed(t *testing.T, p *browser.Page, dir string) {
	server := httptest.NewServer(http.StripPrefix("/some/folder/", http.FileServerFS(os.DirFS(dir))))
	defer server.Close()
	goTo(p, server.URL+"/some/folder/docs/")
	p.Wait(`document.title === 'Documentation - Waybill' && ` + siteReady)
	sections := browser.Ask[[]string](p, `[...document.querySelectorAll('#sitePages h2')].map((e) => e.textContent).sort()`)
	same(t, "the navigation has the sections of docs/README.md", firsts(`(?m)^## (.+)$`, read(t, "docs/README.md")), sections)
	same(t, "and all pages that it names", []string{}, browser.Ask[[]string](p, `[...document.querySelectorAll('main a[href$=".html"]')].map((e) => e.href)
		.filter((href) => ![...document.querySelectorAll('#sitePages a')].some((e) => e.href === href))`))
	p.Press("/")
	p.Type("first package tutorial")
	p.Wait(`siteResults.children.length > 0`)
	p.Press("Enter")
	p.Wait(`location.pathname === '/some/folder/docs/tutorials/1-first-package.html' && ` + siteReady)
	p.Click(`document.querySelector('#sitePages [href$="glossary.html"]')`)
	p.Wait(`location.pathname === '/some/folder/docs/glossary.html' && ` + siteReady)
	checkStayed(t, p, "file://"+dir, server.URL+"/some/folder")
}

// checkNoIndex wants to be told that the index is missing.
func checkNoIndex(t *testing.T, p *browser.Page, dir string) {
	if err := os.Remove(filepath.Join(dir, "search-index.js")); err != nil {
		t.Fatal(err)
	}
	p.Press("/")
	p.Wait(seenStatus + ` === 'search-index.js is missing beside index.html, so nothing can be found.'`)
}
