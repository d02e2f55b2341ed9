package publishedresource_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// plan is what tests turn knobs on: what consumers and the provider want there to be.
type plan struct {
	orders [3]orderPlan
	notes  [3]notePlan // of the provider
	wishes [3]int      // of consumers; 0: not there
}

type orderPlan struct {
	there bool
	value int
	wish  int // which one it refers to, from 1; 0: none
}

type notePlan struct {
	of, value int // of which Order, from 1; 0: not there
}

// randomly is what a random history works under.
const randomly = orders + `  related:
  - identifier: notes
    origin: service
    version: v1
    resource: configmaps
    cleanupPolicy: MatchOrigin
    object: {selector: {matchLabels: {order: '{{ .RemoteObject.metadata.name }}'}, rewrite: {template: {template: 'got-{{ .Value }}'}}}}
    allowedNames: ['n*']
  - identifier: wishes
    origin: kcp
    version: v1
    resource: configmaps
    object: {selector: {matchLabels: {wish: '{{ .RemoteObject.spec.wish }}'}, rewrite: {template: {template: '{{ .RemoteObject.metadata.name }}-{{ .Value }}'}}}}
    allowedNames: ['o*-w*']
`

// changed turns some knobs.
func (p plan) changed(r *rand.Rand) plan {
	for range 1 + r.IntN(4) {
		switch r.IntN(5) {
		case 0:
			o := &p.orders[r.IntN(3)]
			o.there = !o.there
		case 1:
			p.orders[r.IntN(3)].value++
		case 2:
			p.orders[r.IntN(3)].wish = r.IntN(4)
		case 3:
			p.notes[r.IntN(3)] = notePlan{r.IntN(4), r.IntN(5)}
		default:
			p.wishes[r.IntN(3)] = r.IntN(5)
		}
	}
	return p
}

// become makes both sides what the plan says, but for what is on its way out.
func (w *world) become(p plan) {
	w.Helper()
	for i, o := range p.orders {
		name := fmt.Sprint("o", i+1)
		if o.there {
			w.shop.attempt(w.shop.read(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE}, spec: {value: %d, wish: w%d}}",
				remote, name, 9007199254740993+int64(o.value), o.wish)))
		} else {
			w.shop.remove(remote, "Order", name)
		}
	}
	for i, n := range p.notes {
		name := fmt.Sprint("n", i+1)
		if n.of > 0 {
			w.home.attempt(w.home.read(configText(name, fmt.Sprintf("order: o%d", n.of), fmt.Sprintf("v: x%d", n.value))))
		} else {
			w.home.remove("v1", "ConfigMap", name)
		}
	}
	for i, v := range p.wishes {
		name := fmt.Sprint("w", i+1)
		if v > 0 {
			w.shop.attempt(w.shop.read(configText(name, "wish: "+name, fmt.Sprintf("v: x%d", v))))
		} else {
			w.shop.remove("v1", "ConfigMap", name)
		}
	}
}

// expected is what there is to be: the naive model.
func (p plan) expected() (all []string) {
	for i, o := range p.orders {
		if !o.there {
			continue
		}
		name := fmt.Sprint("o", i+1)
		all = append(all, fmt.Sprintf("order %s [%s]", name, finalizer), fmt.Sprintf("copy of %s %d w%d", name, 9007199254740993+int64(o.value), o.wish))
		if o.wish > 0 && p.wishes[o.wish-1] > 0 {
			all = append(all, fmt.Sprintf("home %s-w%d x%d []", name, o.wish, p.wishes[o.wish-1]))
		}
	}
	for i, n := range p.notes {
		if n.of > 0 {
			all = append(all, fmt.Sprintf("home n%d x%d []", i+1, n.value))
			if p.orders[n.of-1].there {
				all = append(all, fmt.Sprintf("shop got-n%d x%d []", i+1, n.value))
			}
		}
	}
	for i, v := range p.wishes {
		held := slices.ContainsFunc(p.orders[:], func(o orderPlan) bool { return o.there && o.wish == i+1 })
		if v > 0 && held {
			all = append(all, fmt.Sprintf("shop w%d x%d [%s]", i+1, v, finalizer))
		} else if v > 0 {
			all = append(all, fmt.Sprintf("shop w%d x%d []", i+1, v))
		}
	}
	slices.Sort(all)
	return all
}

// found is what there is, in the words of the model.
func (w *world) found() (all []string) {
	w.Helper()
	for _, o := range w.shop.list(remote, "Order", w.shop.namespace) {
		all = append(all, fmt.Sprint("order ", o.GetName(), " ", o.GetFinalizers()))
	}
	for _, o := range w.home.list(local, "ShopOrder", "") {
		spec, _ := o.Object["spec"].(map[string]any)
		all = append(all, fmt.Sprintf("copy of %s %v %v", o.GetAnnotations()["waybill.dev/remote-object-name"], spec["value"], spec["wish"]))
	}
	for where, p := range map[string]*place{"home": w.home, "shop": w.shop} {
		for _, o := range p.list("v1", "ConfigMap", p.namespace) {
			data, _ := o.Object["data"].(map[string]any)
			if data["v"] != nil {
				all = append(all, fmt.Sprint(where, " ", o.GetName(), " ", data["v"], " ", o.GetFinalizers()))
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestRandomHistory has consumers and the provider do anything, and processes end at any point meanwhile.
func TestRandomHistory(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		w := newWorld(t)
		w.home.ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
		w.home.put(randomly)
		r := rand.New(rand.NewPCG(seed, 0))
		var now plan
		for life := range 24 {
			k := clustertest.NewKiller(1 + r.IntN(40))
			stop := w.under(k)
			for range 1 + r.IntN(3) {
				now = now.changed(r)
				w.become(now)
				time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
			}
			select {
			case <-k.Dead():
			case <-time.After(200 * time.Millisecond): // it lived
			}
			stop()
			if life%4 == 3 {
				end := w.start()
				w.eventually(fmt.Sprintf("seed %d, life %d", seed, life), func() string {
					w.become(now)
					return same(now.expected(), w.found())
				})
				end()
			}
		}
		stop := w.start()
		w.become(plan{})
		w.eventually("nothing is left", func() string { return same([]string(nil), w.found()) })
		w.eventually("nor what was last applied", func() string { return same(0, len(w.home.list("v1", "Secret", state))) })
		stop() // the next is another's
	}
}

// TestOneNameForTwo has two Orders whose copies would have one name.
func TestOneNameForTwo(t *testing.T) {
	w := newWorld(t)
	w.home.put(orders + "  naming: {name: same}\n")
	w.order("a", "{x: one}")
	w.start()
	w.becomes("the first has it", "a", "{x: one}")
	w.order("b", "{x: two}")
	w.eventually("the second is told", func() string { return same(true, w.told("b")["ReconcilingError"] != "") })
	w.becomes("the first keeps it", "a", "{x: one}")
	w.shop.remove(remote, "Order", "a")
	w.becomes("the second gets it", "b", "{x: two}")
	w.awaitReady("orders", "True Syncing")
}
