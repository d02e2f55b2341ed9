package html

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// TestOneChange has one change for each template that changes, whatever it writes on each of 60 clusters: a ConfigMap, the mirror
// of an image, lists of different lengths.
func TestOneChange(t *testing.T) {
	a := realistic(t, 60, false)
	changed := map[int]int{}
	for i, g := range encode(a, MostText).Changes.Groups {
		changed[g.Object]++
		name := a.Objects[g.Object].Title()
		lists := name == "Deployment ingress/gateway" // whose lists have one to four items
		if ways := len(g.Ways); ways != 1 && !lists || lists && ways != 4 {
			t.Errorf("%s changes in %d ways", name, ways)
		}
		if got := a.Preview.Groups[i].Clusters; got != 60 && name != "Deployment shop/cart" {
			t.Errorf("%s changes on %d clusters", name, got)
		}
	}
	for object, n := range changed {
		want := 1
		if a.Objects[object].Title() == "Deployment shop/cart" { // on some clusters it is scaled to zero, too
			want = 2
		}
		if n != want {
			t.Errorf("%s is %d changes, want %d", a.Objects[object].Title(), n, want)
		}
	}
	if len(changed) != 13 {
		t.Errorf("%d objects change, want 13", len(changed))
	}
	if want := "60 added, 60 removed, 660 changed (13 different objects, counted for every cluster)"; !strings.Contains(headline(a, ""), want) {
		t.Errorf("no %q in %q", want, headline(a, ""))
	}
}

// TestOutlines shows a change of a template by its outline, and then the values of each cluster.
func TestOutlines(t *testing.T) {
	p := openPage(t, browser.Start(t), realistic(t, 60, false))
	open := func(hash, wait string) string {
		t.Helper()
		browser.Ask[bool](p, "location.hash = '"+hash+"', true")
		p.Wait(seenPanel + ".includes(`" + wait + "`)")
		return browser.Ask[string](p, seenPanel)
	}
	for hash, wants := range map[string][]string{
		"#/object/ConfigMap/ingress/gateway//": {"2 fields with values that differ by cluster:", "http://up.‹cluster›.example.com → https://up.‹cluster›.example.com",
			"1 cluster: austin-0002", "data[failover.url]: https://10.218.166.109/failover", "40 more"},
		"#/object/Deployment/shop/cart/apps/":       {"Changes in 2 ways", "spec.replicas: 2 → 0", "medium: scaled-to-zero", "mirror.‹cluster›.example.com:5000/shop/cart:1.5.0"},
		"#/object/Deployment/ingress/gateway/apps/": {"Changes in 4 ways", "env[name=PEER_3].value"},
		"#/changes": {"Deployment ingress/gateway: 2 to 5 fields change on 60 clusters", "Secret ingress/tls: 1 field changes on 60 clusters"},
		"#/cluster/austin-0002/Deployment/shop/web/apps/": {"mirror.austin-0002.example.com:5000/shop/web:1.4.0 → mirror.austin-0002.example.com:5000/shop/web:1.5.0",
			"image: mirror.austin-0002.example.com:5000/shop/web:1.5.0", "memory: 192Mi"},
	} {
		panel := open(hash, wants[0])
		for _, want := range wants {
			if !strings.Contains(panel, want) {
				t.Errorf("%s: no %q in\n%.2000s", hash, want, panel)
			}
		}
	}
	p.Press("/")
	p.Type("legacy-rules") // is deleted everywhere
	p.Wait(seenStatus + ` === '60 of 60 clusters have an object that matches; 1 object by that name.'`)
	same(t, "a deleted object is found", []string{"ConfigMap monitoring/legacy-rules"}, browser.Ask[[]string](p, seenFound))
	checkNoErrors(t, p)
}

// TestLeftOut says of texts for which there is no room that they are not there, and shows the others.
func TestLeftOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.html")
	a := sample()
	if err := os.WriteFile(file, written(t, a, Options{Name: "shop", MostText: roomForCommonest(a)}), 0o600); err != nil {
		t.Fatal(err)
	}
	p := browser.Start(t).Open(t, file, ready)
	for cluster, want := range map[string]string{"a": "replicas: 3", "b": "What it says is not in this page"} {
		browser.Ask[bool](p, "location.hash = '#/cluster/"+cluster+"/Deployment/shop/web/apps/', true")
		p.Wait(seenPanel + ".includes('In " + cluster + ".')")
		if panel := browser.Ask[string](p, seenPanel); !strings.Contains(panel, want) || !strings.Contains(panel, "in 2 forms or more") {
			t.Errorf("%s: no %q in\n%s", cluster, want, panel)
		}
	}
	checkNoErrors(t, p)
}

// TestReachable goes through the whole page by Tab: whatever can be used gets the focus, and shows it.
func TestReachable(t *testing.T) {
	p := openPage(t, browser.Start(t), sample())
	browser.Ask[bool](p, `location.hash = '#/cluster/b/Deployment/shop/web/apps/', true`)
	p.Wait(seenPanel + `.includes('In b.')`)
	browser.Ask[bool](p, `document.activeElement.blur(), scrollTo(0, 0), true`)
	same(t, "what can be used", true, browser.Ask[bool](p, `(window.usable = [...document.querySelectorAll('a, button, input, select, pre, [tabindex="0"]')].filter((e) => e.getClientRects().length > 0)).length > 15`))
	seen := browser.Ask[int](p, `usable.length`)
	browser.Ask[bool](p, `document.addEventListener('focusin', (e) => { const s = getComputedStyle(e.target); e.target.dataset.reached = s.outlineStyle !== 'none' && parseFloat(s.outlineWidth) >= 2 ? 'seen' : 'unseen'; }), true`)
	for range seen + 5 {
		p.Press("Tab")
	}
	same(t, "what Tab does not reach, or does not show", []string{},
		browser.Ask[[]string](p, `usable.filter((e) => e.dataset.reached !== 'seen').map((e) => e.outerHTML.slice(0, 80) + ' ' + e.dataset.reached)`))
	checkNoErrors(t, p)
}
