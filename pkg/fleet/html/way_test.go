package html

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// TestColumns reaches the headers by keyboard, reads their names, and opens what they are about.
func TestColumns(t *testing.T) {
	p := openPage(t, browser.Start(t), sample())
	here := `document.getElementById('here').textContent`
	p.Press("/", "Enter")
	same(t, "a row says all of its name", "a  site=edge  tier=prod", browser.Ask[string](p, here))
	p.Press("End")
	same(t, "a cell says what it is", "a, shop: 1 object, 1 change", browser.Ask[string](p, here))
	p.Press("PageUp", "ArrowUp")
	same(t, "above the first row is the header", "-1,2", browser.Ask[string](p, seenFocus))
	same(t, "and its name", "shop", browser.Ask[string](p, here))
	same(t, "one cell can be tabbed to", 1, browser.Ask[int](p, `document.querySelectorAll('#grid [tabindex="0"]').length`))
	p.Press("Enter")
	p.Wait(seenPanel + `.includes('Delivers 1 different object to 2 clusters.')`)
	p.Press("Escape")
	p.Wait(`document.getElementById('panel').hidden`)
	same(t, "back to the header", "-1,2", browser.Ask[string](p, seenFocus))
	p.Press("Home", "ArrowRight", "Enter")
	p.Wait(seenPanel + `.includes('On 2 clusters.')`)
	same(t, "all changes", "Changes", browser.Ask[string](p, seenHeading))
	p.Press("Tab", "Tab", "Enter")
	p.Wait(`location.hash === '#/object/ConfigMap/shop/gone//'`)
	p.Press("Escape")
	p.Wait(`document.getElementById('panel').hidden`)
	p.Click(`document.querySelector('[data-row="-1"][data-column="1"]')`)
	p.Wait(seenPanel + `.includes('Delivers 1 different object to 1 cluster.')`)
	checkNoErrors(t, p)
}

// TestChanged shows only what changes, and leads from what changes to how.
func TestChanged(t *testing.T) {
	b := browser.Start(t)
	p := openPage(t, b, sample())
	p.Press("/", "Tab", " ")
	p.Wait(seenStatus + ` === '2 of 2 changed clusters.'`)
	same(t, "only those that change", []string{"a", "b"}, browser.Ask[[]string](p, seenRows))
	p.Press("/")
	p.Type("site=edge tier=prod")
	p.Wait(seenStatus + ` === '1 of 2 changed clusters match; 0 objects by that name.'`)
	browser.Ask[bool](p, `location.hash = '#/object/Deployment/shop/web/apps/', true`)
	p.Wait(seenPanel + `.includes('Changes in 2 ways')`)
	panel := browser.Ask[string](p, seenPanel)
	for _, want := range []string{"spec.replicas: 1 → 3", "spec.replicas: 1 → 5", "low: scaled", "1 cluster: a", "1 cluster: b"} {
		if !strings.Contains(panel, want) {
			t.Errorf("no %q in\n%s", want, panel)
		}
	}
	for text, want := range map[string]string{"Deployment shop/web": "#/object/Deployment/shop/web/apps/", "ConfigMap shop/gone": "#/object/ConfigMap/shop/gone//", "b": "#/cluster/b", "no policy": "#/policy/"} {
		browser.Ask[bool](p, `[...document.querySelectorAll('#changes a, #summary a')].find((a) => a.textContent === '`+text+`').click(), true`)
		p.Wait(`location.hash === '` + want + `' && !document.getElementById('panel').hidden`)
	}
	checkNoErrors(t, p)
	alone := sample()
	alone.Preview = nil
	same(t, "nothing to choose without a comparison", true, browser.Ask[bool](openPage(t, b, alone), `document.getElementById('changed') === null`))
}

// TestLongNames shortens long names so that they differ, and leaves room in a narrow window.
func TestLongNames(t *testing.T) {
	a := sample()
	long := strings.Repeat("platform-", 12)
	a.Policies = []string{long + "0-" + long, long + "1-" + long}
	for i, end := range []string{"-austin", "-boston", "-lyon"} {
		a.Clusters[i].Name = long + end
	}
	p := openPage(t, browser.Start(t), a)
	seenHeads := `[...document.querySelectorAll('[role=columnheader]')].map((e) => e.textContent)`
	shown := append(browser.Ask[[]string](p, seenHeads)[2:], browser.Ask[[]string](p, seenRows)...)
	for i, want := range []string{"m-0-", "m-1-", "-austin", "-boston", "-lyon"} { // how much more depends on fonts
		if !strings.Contains(shown[i], want) || !strings.HasPrefix(shown[i], "pl") || !strings.Contains(shown[i], "…") {
			t.Errorf("%q does not say %q", shown[i], want)
		}
	}
	same(t, "the whole name is there to be read out", a.Policies[0], browser.Ask[string](p, `document.querySelectorAll('[role=columnheader]')[2].getAttribute('aria-label')`))
	fits := `[...document.querySelectorAll('[role=columnheader], [role=rowheader]')].every((e) => e.scrollWidth <= e.clientWidth)`
	same(t, "what is shown has room", true, browser.Ask[bool](p, fits))
	browser.Ask[bool](p, `(document.body.style.width = '400px', dispatchEvent(new Event('resize')), true)`)
	same(t, "and two columns have, in a narrow window", true, browser.Ask[bool](p, `(() => { const g = document.getElementById('grid'); return g.clientWidth < 400 && g.clientWidth - document.querySelector('[role=rowheader]').offsetWidth >= 220; })()`))
	same(t, "what is shown has room there", true, browser.Ask[bool](p, fits))
	checkNoErrors(t, p)
}

// TestDirection keeps names that are written from right to left apart from what stands around them.
func TestDirection(t *testing.T) {
	a := sample()
	a.Objects[1].Namespace, a.Clusters[0].Name = "שלום", "שלום-5"
	a.Preview.Groups[1].Object.Namespace, a.Preview.Groups[1].Shapes[0].Clusters[0] = "שלום", "שלום-5"
	p := openPage(t, browser.Start(t), a)
	p.Click(`document.querySelector('[data-row="0"][data-column="0"]')`)
	p.Wait(seenHeading + ` === '1 change'`)
	same(t, "a name has its own direction", []string{"rtl", "rtl"}, browser.Ask[[]string](p, `[document.querySelector('[data-row="0"][data-column="-1"]'), document.getElementById('panel-title')].map((e) => getComputedStyle(e).direction)`))
	same(t, "and keeps it to itself", "isolate", browser.Ask[string](p, `getComputedStyle(document.querySelector('#panel li a')).unicodeBidi`))
	checkNoErrors(t, p)
}

// TestPaper holds paper to being light, and the summary to whole numbers and words.
func TestPaper(t *testing.T) {
	a := sample()
	a.Clusters[2].Name = strings.Repeat("x", 253)
	p := openPage(t, browser.Start(t), a)
	browser.Ask[bool](p, `(document.body.style.width = '400px', true)`)
	same(t, "no number and no short word is in two lines, and nothing is wider than the page", []string{}, browser.Ask[[]string](p, `[...document.querySelectorAll('#summary th, #summary td')].filter((e) => {
		const r = document.createRange();
		r.selectNodeContents(e);
		return e.getBoundingClientRect().right > 400 || /^\S{1,9}$/.test(e.textContent) && r.getBoundingClientRect().height > 24;
	}).map((e) => e.textContent)`))
	p.Click(`document.getElementById('theme')`)
	p.Prefer("light", "print")
	same(t, "light on paper with every setting", "rgb(255, 255, 255)", browser.Ask[string](p, `getComputedStyle(document.body).backgroundColor`))
	checkNoErrors(t, p)
}
