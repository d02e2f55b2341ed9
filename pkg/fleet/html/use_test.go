package html

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/testenv"
	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// ready is true once a page can be used.
const ready = "document.documentElement.dataset.ready !== undefined"

// openPage is a page of a in a browser.
func openPage(t testing.TB, b *browser.Browser, a *index.Index) *browser.Page {
	t.Helper()
	file := filepath.Join(t.TempDir(), "report.html")
	if err := os.WriteFile(file, written(t, a, Options{Name: "shop", Side: "work tree"}), 0o600); err != nil {
		t.Fatal(err)
	}
	return b.Open(t, file, ready)
}

// What a reader sees, as expressions.
const (
	seenRows    = `[...document.querySelectorAll('[role=rowheader]')].map((e) => e.textContent)`
	seenFocus   = `(document.activeElement.dataset.row ?? document.activeElement.id) + ',' + (document.activeElement.dataset.column ?? '')`
	seenStatus  = `document.getElementById('status').textContent`
	seenPanel   = `(document.getElementById('panel').hidden ? '' : document.getElementById('panel').innerText)`
	seenHeading = `document.activeElement.textContent`
	seenFound   = `[...document.querySelectorAll('#found a')].map((e) => e.textContent)`
)

func same[T any](t *testing.T, reason string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", reason, diff)
	}
}

func checkNoErrors(t *testing.T, p *browser.Page) {
	t.Helper()
	same(t, "no error, no warning, no request", nil, p.Complaints())
}

// TestKeyboard goes all the way without a mouse: search, matrix, cluster, object, and back.
func TestKeyboard(t *testing.T) {
	p := openPage(t, browser.Start(t), sample())
	same(t, "every cluster has a row", []string{"a", "b", "c"}, browser.Ask[[]string](p, seenRows))
	p.Press("/")
	same(t, "/ leads to the search", "search,", browser.Ask[string](p, seenFocus))
	p.Type("site=edge")
	p.Wait(seenStatus + ` === '2 of 3 clusters match; 0 objects by that name.'`)
	p.Press("Enter")
	same(t, "Enter leads to the first row found", "0,-1", browser.Ask[string](p, seenFocus))
	p.Press("ArrowDown", "ArrowDown", "ArrowRight")
	same(t, "arrows move, and stop at the end", "1,0", browser.Ask[string](p, seenFocus))
	p.Press("Home", "ArrowUp", "End")
	same(t, "End is the last column", "0,2", browser.Ask[string](p, seenFocus))
	same(t, "one cell can be tabbed to", 1, browser.Ask[int](p, `document.querySelectorAll('#grid [tabindex="0"]').length`))
	p.Press("Enter")
	p.Wait(seenPanel + `.includes('Receives 2 objects.')`)
	same(t, "what the column is about has the focus", "shop", browser.Ask[string](p, seenHeading))
	p.Press("Escape")
	p.Wait(`document.getElementById('panel').hidden`)
	p.Press("Home", "Enter")
	p.Wait(seenPanel + `.includes('Receives 2 objects.')`)
	same(t, "without a column it is the title", "panel-title,", browser.Ask[string](p, seenFocus))
	p.Press("Escape")
	p.Wait(`document.getElementById('panel').hidden`)
	p.Press("ArrowRight", "Enter")
	p.Wait(seenHeading + ` === '1 change'`)
	p.Press("Tab", "Enter") // the first change
	p.Wait(`location.hash === '#/cluster/a/Deployment/shop/web/apps/' && ` + seenPanel + `.includes('In a.')`)
	panel := browser.Ask[string](p, seenPanel)
	for _, want := range []string{"spec.replicas: 1 → 3", "replicas: 3\nimage: web:1", "On 2 clusters, in 2 forms", "shop: clusters/a/shop/w.yaml"} {
		if !strings.Contains(panel, want) {
			t.Errorf("no %q in\n%s", want, panel)
		}
	}
	same(t, "YAML has a role, for its name", "group", browser.Ask[string](p, `document.querySelector('pre').getAttribute('role')`))
	p.Press("Escape")
	p.Wait(`document.getElementById('panel').hidden`)
	same(t, "the focus is back where it was", "0,0", browser.Ask[string](p, seenFocus))
	p.Press("Escape")
	p.Wait(seenStatus + ` === '3 of 3 clusters.'`)
	checkNoErrors(t, p)
}

// TestSearch finds clusters by name and label, objects by name, and clusters by their objects.
func TestSearch(t *testing.T) {
	cases := map[string]struct {
		reason, query string
		rows, objects []string
	}{
		"Nothing": {"all clusters, no list of objects", "", []string{"a", "b", "c"}, []string{}},
		"Label":   {"a label", "tier=prod", []string{"a"}, []string{}},
		"Words":   {"all words must be there", "edge a", []string{"a"}, []string{}},
		"Object":  {"clusters that have an object", "deployment/shop/WEB", []string{"a", "b"}, []string{"Deployment shop/web"}},
		"Kind":    {"a kind that one cluster has", "namespace", []string{"a"}, []string{"Namespace shop"}},
		"Gone":    {"an object that is deleted: the clusters that had it", "gone", []string{"b"}, []string{"ConfigMap shop/gone"}},
		"Policy":  {"what nothing else is called like", "no policy", []string{"a"}, []string{"policy no policy"}},
		"Both":    {"objects in a namespace that is called like a policy", "shop", []string{"a", "b"}, []string{"policy shop", "ConfigMap shop/gone", "Deployment shop/web", "Namespace shop", "ManifestWork shop-0, itself"}},
		"Nowhere": {"nothing", "zebra", []string{}, []string{}},
	}
	b := browser.Start(t)
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := openPage(t, b, sample())
			p.Press("/")
			p.Type(tc.query)
			p.Wait(`search.value === ` + "`" + tc.query + "`")
			same(t, tc.reason, tc.rows, browser.Ask[[]string](p, seenRows))
			same(t, tc.reason, tc.objects, browser.Ask[[]string](p, seenFound))
			checkNoErrors(t, p)
		})
	}
}

// TestOpen opens everything that there is with a mouse, and by its address.
func TestOpen(t *testing.T) {
	b := browser.Start(t)
	p := openPage(t, b, sample())
	same(t, "changes and risks, then counts with a badge for their own changes", []string{"1", "1", "±1 1", "2 high", "", "±1 1", "", "", ""},
		browser.Ask[[]string](p, `[...document.querySelectorAll('[role=gridcell]')].map((e) => e.textContent)`))
	p.Click(`document.querySelector('[data-row="1"][data-column="2"]')`)
	p.Wait(seenPanel + `.includes('2 changes')`)
	panel := browser.Ask[string](p, seenPanel)
	for _, want := range []string{"ConfigMap shop/gone: removed high: deleted", "Deployment shop/web: 1 field changes low: scaled", "spec.replicas: 1 → 5", "shop-0 in clusters/b/shop/w.yaml", "ManifestWork shop-0, itself"} {
		if !strings.Contains(panel, want) {
			t.Errorf("no %q in\n%s", want, panel)
		}
	}
	for hash, want := range map[string]string{
		"#/object/Deployment/shop/web/apps/":    "Changes in 2 ways",
		"#/policy/shop":                         "Delivers 1 different object to 2 clusters.",
		"#/policy/":                             "no policy",
		"#/policy/nobody":                       "",
		"#/changes":                             "Deployment shop/web: 1 field changes on 2 clusters low: scaled",
		"#/object/ConfigMap/shop/gone//":        "On no cluster any more",
		"#/cluster/b/Deployment/shop/web/apps/": "replicas: 5",
		"#/cluster/c":                           "Receives 0 objects.",
		"#/cluster/b/ManifestWork//shop-0/work.open-cluster-management.io/work": "kind: ManifestWork",
		"#/cluster/nobody": "", "#/object/x": "", "#/%zz": "", "#": "", "#/cluster/b/": "Receives 1 object.",
	} {
		browser.Ask[string](p, "location.hash = `"+hash+"`")
		p.Wait("(" + seenPanel + ").includes(`" + want + "`) && (" + seenPanel + " === '') === " + map[bool]string{true: "true", false: "false"}[want == ""])
	}
	checkNoErrors(t, p)
}

// TestHostileInBrowser has a browser make of hostile words what it likes.
func TestHostileInBrowser(t *testing.T) {
	b := browser.Start(t)
	for _, name := range hostile {
		t.Logf("called %q", name)
		p := openPage(t, b, named(name, name))
		browser.Ask[bool](p, `location.hash = '#/cluster/b', true`)
		p.Wait(seenPanel + `.includes('2 changes')`)
		p.Click(`document.querySelector('#panel li a')`)
		p.Wait(seenPanel + `.includes('In b.')`)
		same(t, "no element that is not ours", 0, browser.Ask[int](p, `document.querySelectorAll('img, svg, iframe, object, embed, b, [onload], [onerror]').length`))
		same(t, "no script that is not ours", 2, browser.Ask[int](p, `document.scripts.length`))
		if want := safetext.Visible(name); !strings.Contains(browser.Ask[string](p, `document.getElementById('panel-title').textContent`), want) {
			t.Errorf("the object is not called %q", want)
		}
		p.Click(`document.querySelector('[data-row="2"]')`)
		p.Wait(fmt.Sprintf(`document.getElementById('panel-title').textContent === %s`, raw(safetext.Visible(name))))
		checkNoErrors(t, p)
	}
}

// TestLooks takes pictures, and checks light, dark, paper, and a page without scripts.
func TestLooks(t *testing.T) {
	b := browser.Start(t)
	p := openPage(t, b, sample())
	back := `getComputedStyle(document.body).backgroundColor`
	p.Prefer("dark", "")
	same(t, "dark, as the system", "rgb(20, 23, 28)", browser.Ask[string](p, back))
	browser.Ask[bool](p, `location.hash = '#/cluster/b', true`)
	p.Wait(seenPanel + ` !== ''`)
	dark := p.Keep("dark")
	same(t, "contrast of text, in the dark", true, browser.Ask[bool](p, browser.Contrast))
	p.Prefer("light", "")
	same(t, "light, as the system", "rgb(255, 255, 255)", browser.Ask[string](p, back))
	light := p.Keep("light")
	if string(dark) == string(light) {
		t.Error("light and dark look the same")
	}
	p.Click(`document.getElementById('theme')`)
	same(t, "dark by choice", "rgb(20, 23, 28)", browser.Ask[string](p, back))
	p.Click(`document.getElementById('theme')`)
	p.Prefer("dark", "")
	same(t, "light by choice", "rgb(255, 255, 255)", browser.Ask[string](p, back))
	p.Prefer("light", "print")
	same(t, "on paper it is the summary", []string{"none", "block"}, browser.Ask[[]string](p, `['app', 'summary'].map((id) => getComputedStyle(document.getElementById(id)).display)`))
	p.Keep("print")
	p.Prefer("light", "")
	p.Press("Escape", "/", "Enter")
	same(t, "where the focus is can be seen", "3px", browser.Ask[string](p, `getComputedStyle(document.activeElement).outlineWidth`))
	same(t, "contrast of text", true, browser.Ask[bool](p, browser.Contrast))
	checkNoErrors(t, p)
}

// TestLarge uses a page of ten thousand clusters: only what is in sight is in the document.
func TestLarge(t *testing.T) {
	testenv.Long(t, "thousands of clusters")
	clusters := map[bool]int{true: 500, false: 10_000}[testing.Short()]
	a := large(clusters, 100, 60)
	size := len(written(t, a, Options{Name: "shop"}))
	if size > 40<<20 {
		t.Errorf("the page has %d bytes", size)
	}
	p := openPage(t, browser.Start(t), a)
	t.Logf("%d clusters: %.1f MiB, ready after %d ms", clusters, float64(size)/(1<<20), browser.Ask[int](p, `Number(document.documentElement.dataset.ready)`))
	p.Press("/")
	p.Press("Enter", "Ctrl+End")
	last := a.Clusters[clusters-1].Name
	same(t, "the last cell has the focus", last, browser.Ask[string](p, `document.activeElement.parentElement.firstChild.textContent`))
	if n := browser.Ask[int](p, `document.querySelectorAll('#grid [role]').length`); n > 3000 {
		t.Errorf("%d elements in the matrix", n)
	}
	same(t, "and it is known which row that is", fmt.Sprint(clusters+1), browser.Ask[string](p, `document.activeElement.parentElement.getAttribute('aria-rowindex')`))
	p.Press("PageUp", "Enter")
	p.Wait(seenPanel + `.includes('Receives 100 objects.')`)
	p.Press("/")
	p.Type(last)
	p.Wait(seenStatus + `.startsWith('1 of ')`)
	took := browser.Ask[float64](p, `(() => { const from = performance.now(); search.value = 'web-007'; search.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter'})); return performance.now() - from; })()`)
	t.Logf("search by object: %.0f ms", took)
	p.Wait(seenStatus + `.includes('have an object that matches')`)
	p.Keep("large")
	checkNoErrors(t, p)
}
