package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// TestVerdict says what is risky, and whether the change is refused, before everything else.
func TestVerdict(t *testing.T) {
	page := string(written(t, sample(), Options{Name: "shop", Refused: []string{"2 clusters change, and --max-clusters allows 1"}}))
	want := []string{`id="verdict" class="high"`, "Refused.", "2 clusters change, and --max-clusters allows 1",
		"2 of 2 clusters change", "High risk: deleted on 1 cluster; low risk: scaled on 1 cluster.", "<caption>Risks", "<caption>Changes", `id="app"`, "<caption>Policies"}
	for i, at := 0, 0; i < len(want); i++ {
		n := strings.Index(page[at:], want[i])
		if n < 0 {
			t.Fatalf("%q does not come after %q", want[i], want[max(i, 1)-1])
		}
		at += n
	}
	for reason, tc := range map[string]struct {
		o      Options
		quiet  bool
		has    []string
		refuse bool
	}{
		"no bound":       {Options{}, false, []string{`class="high"`, "Not refused: no bound is set."}, false},
		"within a bound": {Options{Bounded: true}, false, []string{"Not refused: within all bounds."}, false},
		"beyond a bound": {Options{Bounded: true, Refused: []string{"too many"}}, false, []string{"<strong>Refused.</strong> too many."}, true},
		"no risk":        {Options{}, true, []string{`id="verdict" class="none"`, "No rule about risks applies."}, false},
	} {
		a := sample()
		if tc.quiet {
			a.Preview.Risks = nil
		}
		page := string(written(t, a, tc.o))
		for _, want := range tc.has {
			if !strings.Contains(page, want) {
				t.Errorf("%s: no %q", reason, want)
			}
		}
		if strings.Contains(page, "Refused.") != tc.refuse {
			t.Errorf("%s: refused is %t, want %t", reason, !tc.refuse, tc.refuse)
		}
	}
}

// TestGroups sorts the clusters by the label that a reader chooses, in a column of its own.
func TestGroups(t *testing.T) {
	a := sample()
	a.Clusters[0].Labels, a.Clusters[1].Labels, a.Clusters[2].Labels = []string{"tier=prod"}, []string{"site=edge", "tier=lab"}, []string{"tier=prod"}
	p := openPage(t, browser.Start(t), a)
	same(t, "the labels to choose from", []string{"nothing", "site", "tier"},
		browser.Ask[[]string](p, `[...document.querySelectorAll('#group option')].map((e) => e.textContent)`))
	choose := func(key string) {
		browser.Ask[bool](p, fmt.Sprintf(`(() => { const e = document.getElementById('group'); e.value = '%s'; return e.dispatchEvent(new Event('change')); })()`, key))
	}
	choose("tier")
	same(t, "by tier", []string{"b", "a", "c"}, browser.Ask[[]string](p, seenRows))
	same(t, "the tier is in the first column", []string{"lab", "prod", "prod"},
		browser.Ask[[]string](p, `[...document.querySelectorAll('[role=gridcell][data-column="0"]')].map((e) => e.textContent)`))
	p.Click(`document.querySelector('[data-row="0"][data-column="0"]')`)
	p.Wait(seenPanel + `.includes('Receives 1 object.')`)
	p.Keep("groups")
	choose("")
	same(t, "by name again", []string{"a", "b", "c"}, browser.Ask[[]string](p, seenRows))
	checkNoErrors(t, p)
}

// TestSameWay shows a change with another value on each cluster as one change.
func TestSameWay(t *testing.T) {
	a := sample()
	a.Preview.Groups[1].Shapes[0].Risks = []string{"scaled"}
	p := openPage(t, browser.Start(t), a)
	browser.Ask[bool](p, `location.hash = '#/object/Deployment/shop/web/apps/', true`)
	p.Wait(seenPanel + `.includes('1 field with values that differ by cluster:')`)
	panel := browser.Ask[string](p, seenPanel)
	for _, want := range []string{"1 field changes", "spec.replicas: 1 → 3", "spec.replicas: 1 → 5", "1 cluster: a", "1 cluster: b"} {
		if !strings.Contains(panel, want) {
			t.Errorf("no %q in\n%s", want, panel)
		}
	}
	if strings.Contains(panel, "ways") {
		t.Errorf("one change is shown as several:\n%s", panel)
	}
	checkNoErrors(t, p)
}

// TestPhone holds the page to the width of a phone: nothing is wider than the window, texts can be read, and what is opened can be
// seen.
func TestPhone(t *testing.T) {
	a := realistic(t, 60, false)
	p := openPage(t, browser.Start(t), a)
	p.Resize(360, 740)
	small := `[...document.querySelectorAll('body *')].filter((e) => e.getClientRects().length > 0 && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) && parseFloat(getComputedStyle(e).fontSize) < 12).map((e) => e.textContent)`
	check := func(reason string) {
		t.Helper()
		same(t, reason+": no scrolling to the side", 360, browser.Ask[int](p, `document.documentElement.scrollWidth`))
		same(t, reason+": nothing sticks out", []string{}, browser.Ask[[]string](p, tooWide))
		same(t, reason+": no small print", []string{}, browser.Ask[[]string](p, small))
	}
	check("at first")
	same(t, "the verdict is in sight", true, browser.Ask[bool](p, `document.getElementById('verdict').getBoundingClientRect().bottom < innerHeight`))
	p.Keep("phone")
	p.Click(`document.querySelector('[data-row="1"][data-column="-1"]')`)
	p.Wait(seenPanel + `.includes('13 changes')`)
	check("with a cluster")
	same(t, "the panel is in sight", true, browser.Ask[bool](p, `(() => { const r = document.getElementById('panel-title').getBoundingClientRect(); return r.top >= 0 && r.bottom <= innerHeight; })()`))
	p.Keep("phone-cluster")
	checkNoErrors(t, p)
}
