package html

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/testenv/browser"
)

// TestHandedOver shows the hand-over entries of a work and the new works, and counts no entry.
func TestHandedOver(t *testing.T) {
	a := sample()
	a.Objects = append(a.Objects, index.Object{Identity: index.Identity{ID: krm.ID{Kind: "ConfigMap", Namespace: "shop", Name: "behind"}}})
	b := &a.Clusters[1]
	b.Loads = append(b.Loads, index.Load{Policy: 1, Work: "old-0", File: "clusters/b/shop/old.yaml", HandsOver: []int{1, 4}})
	p := openPage(t, browser.Start(t), a)
	browser.Ask[string](p, "location.hash = '#/cluster/b'")
	p.Wait(`document.body.innerText.includes('Receives 1 object.')`)
	text := browser.Ask[string](p, seenPanel)
	for _, want := range []string{"Receives 1 object.", "Deployment shop/web to shop-0", "ConfigMap shop/behind: left behind on the cluster"} {
		if !strings.Contains(text, want) {
			t.Errorf("want %q in\n%s", want, text)
		}
	}
	checkNoErrors(t, p)
}

// TestOutcome has the words for what becomes of an object in the page, and what is to be done.
func TestOutcome(t *testing.T) {
	a := sample()
	g := &a.Preview.Groups[0]
	g.Outcome, g.Shapes[0].Says = "left-behind", "It stays on the cluster."
	text := string(written(t, a, Options{}))
	for _, want := range []string{`"change":"left behind"`, `"says":"It stays on the cluster."`, `<td class="t">left behind<td`} {
		if !strings.Contains(text, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
}
