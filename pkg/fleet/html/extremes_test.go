package html

import (
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// tooWide are the elements that stick out of the window, where nothing can be scrolled to the side.
const tooWide = `[...document.querySelectorAll('body *')].filter((e) => e.getClientRects().length > 0 && e.getBoundingClientRect().right > innerWidth + 1 && !e.closest('#grid, pre, #summary table')).map((e) => e.tagName + '#' + e.id + ': ' + e.textContent.slice(0, 60))`

// extremes are fleets that stretch the page.
func extremes() map[string]func(a *index.Index) {
	long := strings.Repeat("x", 253)
	word := func(s string) *string { return &s }
	return map[string]func(a *index.Index){
		"Empty": func(a *index.Index) {
			*a = index.Index{Preview: &waybill.FleetPreview{}}
		},
		"Alone": func(a *index.Index) {
			*a = index.Index{Policies: a.Policies, Objects: a.Objects, Clusters: a.Clusters[:1]}
		},
		"Long": func(a *index.Index) {
			a.Policies[1], a.Objects[1].Name, a.Clusters[2].Name = long, long, long
			a.Preview.Groups[1].Object.Name = long
			a.Clusters[0].Labels = []string{"site=" + long}
		},
		"Fields": func(a *index.Index) {
			for _, s := range []int{0, 1} {
				var fields []waybill.PreviewField
				for i := range 1000 {
					fields = append(fields, waybill.PreviewField{Field: fmt.Sprintf("data.key-%d", i), Change: "changed", From: word("1"), To: word(fmt.Sprint(i * s))})
				}
				a.Preview.Groups[1].Shapes[s].Fields = fields
			}
		},
		"Values": func(a *index.Index) {
			a.Objects[1].Texts = []string{"a: " + strings.Repeat("y", 1<<20) + "\n", "a: " + strings.Repeat("z", 1<<20) + "\nb: 1\n"}
			a.Preview.Groups[1].Shapes[0].Fields[0].To = word(strings.Repeat("y", 200) + "…")
		},
		"Nowhere": func(a *index.Index) {
			a.Objects = append(a.Objects, index.Object{Identity: index.Identity{ID: krm.ID{Kind: "ConfigMap", Namespace: "shop", Name: "unused"}}})
		},
		"Leaving": func(a *index.Index) {
			for i := range a.Clusters {
				a.Clusters[i].Loads = nil
			}
			a.Preview.Groups[1].Change, a.Preview.Groups[1].With = "removed", "left"
			a.Preview.After.Clusters, a.Preview.After.Objects = 0, 0
			a.Preview.Summary.Left = []string{"a", "b"}
		},
	}
}

// TestExtremes opens such fleets on a large screen and on a phone: the page can be used, nothing sticks out of the window, and every
// cluster and object opens.
func TestExtremes(t *testing.T) {
	b := browser.Start(t)
	for name, stretch := range extremes() {
		t.Run(name, func(t *testing.T) {
			a := sample()
			stretch(a)
			p := openPage(t, b, a)
			checkData(t, a, raw(encode(a, MostText)))
			for _, width := range []int{1280, 360} {
				p.Resize(width, 740)
				same(t, fmt.Sprintf("nothing sticks out of %d pixels", width), []string{}, browser.Ask[[]string](p, tooWide))
				for _, address := range browser.Ask[[]string](p, `[...document.querySelectorAll('td a')].map((a) => a.getAttribute('href'))`) {
					browser.Ask[bool](p, fmt.Sprintf(`location.hash = %s, true`, raw(address)))
					p.Wait(`location.hash === ` + string(raw(address)) + ` && !document.getElementById('panel').hidden`)
					same(t, "nothing sticks out once "+address+" is open", []string{}, browser.Ask[[]string](p, tooWide))
				}
				p.Keep(fmt.Sprintf("extreme-%s-%d", strings.ToLower(name), width))
				browser.Ask[bool](p, `location.hash = '#/', true`)
				p.Wait(`document.getElementById('panel').hidden`)
			}
			checkNoErrors(t, p)
		})
	}
}

// TestManyWays bounds the values of a change that is another one on each of 20 clusters, and of a thousand fields.
func TestManyWays(t *testing.T) {
	a := sample()
	one := "1"
	var shapes []waybill.PreviewShape
	for i := range 20 {
		name := fmt.Sprintf("c-%02d", i)
		a.Clusters = append(a.Clusters, index.Cluster{Name: name})
		s := waybill.PreviewShape{Clusters: []string{name}}
		for f := range 1000 {
			s.Fields = append(s.Fields, waybill.PreviewField{Field: fmt.Sprintf("data.key-%d-%d", f, i), Change: "added", To: &one})
		}
		shapes = append(shapes, s)
	}
	a.Preview.Groups[1].Shapes = shapes
	page := string(written(t, a, Options{}))
	for _, want := range []string{"c-00: data.key-0-0: added 1\ndata.key-1-0: added 1\n", "data.key-9-4: added 1\n… 990 more\n… in 15 more ways"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if table, _, _ := strings.Cut(page, `<div id="app">`); strings.Contains(table, "data.key-10-") || strings.Contains(table, "c-05: ") {
		t.Error("the summary has more than there is room for")
	}
}

// TestNothing says of a fleet without clusters, and of a change of nothing, that this is so.
func TestNothing(t *testing.T) {
	for want, a := range map[string]*index.Index{
		"work tree: 0 of 0 clusters receive 0 objects, by 0 policies.": {},
		"Nothing changes on any of 0 clusters.":                        {Preview: &waybill.FleetPreview{}},
	} {
		if page := string(written(t, a, Options{Name: "x", Side: "work tree"})); !strings.Contains(page, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
}
