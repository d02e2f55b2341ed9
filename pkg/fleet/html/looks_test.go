package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// TestContrast looks at every text of a large page, in the light and in the dark: badges, shades, values that come and go.
func TestContrast(t *testing.T) {
	a := realistic(t, 60, false)
	for i := range a.Clusters { // every shade
		a.Clusters[i].Loads = a.Clusters[i].Loads[:len(a.Clusters[i].Loads)-i%2]
		a.Clusters[i].Loads[0].Items = a.Clusters[i].Loads[0].Items[:12-i%4]
	}
	p := openPage(t, browser.Start(t), a)
	for _, scheme := range []string{"light", "dark"} {
		p.Prefer(scheme, "")
		for _, hash := range []string{"#/", "#/cluster/" + a.Clusters[2].Name, "#/object/Deployment/shop/cart/apps/", "#/changes", "#/policy/shop"} {
			browser.Ask[bool](p, fmt.Sprintf(`location.hash = '%s', true`, hash))
			p.Wait(fmt.Sprintf(`location.hash === '%s' && document.getElementById('panel').hidden === %t`, hash, hash == "#/"))
			same(t, scheme+" "+hash, []string{}, browser.Ask[[]string](p, browser.Faint))
		}
		same(t, "every shade is in sight", []string{"heat1", "heat2", "heat3", "heat4"},
			browser.Ask[[]string](p, `['heat1', 'heat2', 'heat3', 'heat4'].filter((c) => document.querySelector('#grid .' + c) && document.querySelector('#legend .' + c))`))
		p.Keep("fleet-" + scheme)
	}
	checkNoErrors(t, p)
}

// TestShades has the fewest objects of a column light and the most dark, and a column in which all clusters have as many light.
func TestShades(t *testing.T) {
	a := sample()
	for i, n := range []int{1, 2, 3} { // objects of shop; every cluster has one of no policy
		a.Clusters[i].Loads = a.Clusters[0].Loads[:1:1]
		load := sample().Clusters[0].Loads[1]
		load.Items = nil
		for range n {
			load.Items = append(load.Items, sample().Clusters[0].Loads[1].Items[0])
		}
		a.Clusters[i].Loads = append(a.Clusters[i].Loads, load)
	}
	p := openPage(t, browser.Start(t), a)
	shade := `[...document.querySelectorAll('[role=gridcell][data-column="%d"]')].map((e) => e.textContent.split(' ').at(-1) + ' ' + e.className.match(/heat\d/)[0])`
	same(t, "by number", []string{"1 heat1", "2 heat3", "3 heat4"}, browser.Ask[[]string](p, fmt.Sprintf(shade, 2)))
	same(t, "as many everywhere", []string{"1 heat1", "1 heat1", "1 heat1"}, browser.Ask[[]string](p, fmt.Sprintf(shade, 1)))
	same(t, "the legend explains it", "Shade: number of objects, in its column fewest more many most; ±n: objects that change, by risk high medium low",
		browser.Ask[string](p, `document.getElementById('legend').innerText.replace(/\s+/g, ' ').trim()`))
	checkNoErrors(t, p)
}

// TestBadges has in each cell the changes of its own policy and their level, also that of an object which its policy delivered before.
func TestBadges(t *testing.T) {
	a := sample()
	a.Preview.Groups[0].Shapes[0].File = "fleet/clusters/b/shop/w.yaml" // where the removed object was, below the root of the repository
	p := openPage(t, browser.Start(t), a)
	same(t, "badges by row", []string{"", "±1 ", "", "±2 high", "", ""},
		browser.Ask[[]string](p, `[...document.querySelectorAll('[role=gridcell]')].filter((e) => e.dataset.column > 0).map((e) => { const b = e.querySelector('.badge'); return b ? b.textContent + ' ' + b.className.replace('badge', '').trim() : ''; })`))
	checkNoErrors(t, p)
}

// TestStill has nothing that moves, for readers who want no motion, and for others.
func TestStill(t *testing.T) {
	for _, word := range []string{"transition", "animation", "@keyframes", "smooth"} {
		if strings.Contains(asset("page.css")+wholeScript(), word) {
			t.Errorf("the page has a %s", word)
		}
	}
}

// TestWithoutScripts has verdict, risks, changes and their values, policies and clusters in a page that runs no script, and on
// paper.
func TestWithoutScripts(t *testing.T) {
	a := realistic(t, 60, false)
	p := openPage(t, browser.Start(t), a)
	wants := []string{"60 of 60 clusters change", "High risk: object-deleted on 60 clusters", "Not refused", "The object is deleted.",
		"mirror.‹cluster›.example.com:5000/shop/web:1.4.0 → mirror.‹cluster›.example.com:5000/shop/web:1.5.0", "memory: 128Mi → 192Mi",
		"https://10.‹value›/failover", "for example on austin-0002: data[failover.url]: added https://10.218.166.109/failover",
		"spec.replicas: 2 → 0", "Policies", "monitoring", "Clusters", "region=us site=s02 tier=prod"}
	check := func(reason string) {
		t.Helper()
		text := browser.Ask[string](p, `document.body.innerText`)
		for at, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s: no %q", reason, want)
			} else if at < 4 { // from top to bottom
				text = text[strings.Index(text, want):]
			}
		}
		same(t, reason+": nothing is cut", []string{}, browser.Ask[[]string](p, `[...document.querySelectorAll('#verdict, section:not(#panel), section:not(#panel) *')].filter((e) => e.getClientRects().length > 0 && (e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).overflowX !== 'visible' || e.scrollHeight > e.clientHeight + 1 && getComputedStyle(e).overflowY !== 'visible')).map((e) => e.tagName + e.id)`))
	}
	p.Resize(794, 1123) // A4
	p.Prefer("light", "print")
	check("print")
	p.Keep("fleet-print")
	p.Prefer("light", "")
	p.WithoutScripts()
	check("no scripts")
	same(t, "no controls that do nothing", []string{}, browser.Ask[[]string](p, `[...document.querySelectorAll('input, button, select, nav [href="#app"]')].filter((e) => e.getClientRects().length > 0).map((e) => e.id)`))
	p.Keep("fleet-without-scripts")
}
