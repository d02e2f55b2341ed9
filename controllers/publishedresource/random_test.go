package publishedresource_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waybill-dev/waybill/controllers/clustertest"
	"github.com/waybill-dev/waybill/pkg/testenv"
)

// plan is what consumers and the provider want. Tests change it at random.
type plan struct {
	orders [3]orderPlan
	notes  [3]notePlan // of the provider
	wishes [3]int      // of consumers; 0: does not exist
}

type orderPlan struct {
	there bool
	value int
	wish  int // the wish that it refers to, from 1; 0: none
}

type notePlan struct {
	of, value int // of is the Order, from 1; 0: does not exist
}

// randomConfig is the PublishedResource of random histories. Selectors come to match nothing, which the model knows no
// exception for.
var randomConfig = strings.Replace(orders, "{name: orders}", `{name: orders, annotations: {waybill.dev/allow-empty-selection: "true"}}`, 1) +
	`  related:
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

// changed is the plan with some changes.
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

// apply makes both sides what the plan says, except for objects that are being deleted.
func (f *fixture) apply(p plan) {
	f.Helper()
	for i, o := range p.orders {
		name := fmt.Sprint("o", i+1)
		if o.there {
			f.shop.TryPut(f.shop.Parse(fmt.Sprintf("{apiVersion: %s, kind: Order, metadata: {name: %s, namespace: NAMESPACE}, spec: {value: %d, wish: w%d}}",
				remote, name, 9007199254740993+int64(o.value), o.wish)))
		} else {
			f.shop.Remove(remote, "Order", name)
		}
	}
	for i, n := range p.notes {
		name := fmt.Sprint("n", i+1)
		if n.of > 0 {
			f.home.TryPut(f.home.Parse(configText(name, fmt.Sprintf("order: o%d", n.of), fmt.Sprintf("v: x%d", n.value))))
		} else {
			f.home.Remove("v1", "ConfigMap", name)
		}
	}
	for i, v := range p.wishes {
		name := fmt.Sprint("w", i+1)
		if v > 0 {
			f.shop.TryPut(f.shop.Parse(configText(name, "wish: "+name, fmt.Sprintf("v: x%d", v))))
		} else {
			f.shop.Remove("v1", "ConfigMap", name)
		}
	}
}

// expected lists the objects that should exist: the naive model.
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

// actual lists the objects that exist, in the words of the model.
func (f *fixture) actual() (all []string) {
	f.Helper()
	for _, o := range f.shop.All(remote, "Order", f.shop.TestNamespace) {
		all = append(all, fmt.Sprint("order ", o.GetName(), " ", o.GetFinalizers()))
	}
	for _, o := range f.home.All(local, "ShopOrder", "") {
		spec, _ := o.Object["spec"].(map[string]any)
		all = append(all, fmt.Sprintf("copy of %s %v %v", o.GetAnnotations()["waybill.dev/remote-object-name"], spec["value"], spec["wish"]))
	}
	for where, p := range map[string]*cluster{"home": f.home, "shop": f.shop} {
		for _, o := range p.All("v1", "ConfigMap", p.TestNamespace) {
			data, _ := o.Object["data"].(map[string]any)
			if data["v"] != nil {
				all = append(all, fmt.Sprint(where, " ", o.GetName(), " ", data["v"], " ", o.GetFinalizers()))
			}
		}
	}
	slices.Sort(all)
	return all
}

// TestRandomHistory lets consumers and the provider change objects at random, while processes are killed at any point.
func TestRandomHistory(t *testing.T) {
	for _, seed := range testenv.Seeds(t, 1) {
		f := newFixture(t)
		f.home.Ensure("{apiVersion: v1, kind: Namespace, metadata: {name: NAMESPACE}}")
		f.home.Put(randomConfig)
		r := rand.New(rand.NewPCG(seed, 0))
		var now plan
		for life := range 24 {
			k := clustertest.NewKiller(1 + r.IntN(40))
			stop := f.startWith(k)
			for range 1 + r.IntN(3) {
				now = now.changed(r)
				f.apply(now)
				time.Sleep(time.Duration(r.IntN(30)) * time.Millisecond)
			}
			select {
			case <-k.Dead():
			case <-time.After(200 * time.Millisecond): // it was not killed
			}
			stop()
			if life%4 == 3 {
				end := f.start()
				f.eventually(fmt.Sprintf("seed %d, life %d", seed, life), func() string {
					f.apply(now)
					return diff(now.expected(), f.actual())
				})
				end()
			}
		}
		stop := f.start()
		f.apply(plan{})
		f.eventually("nothing is left", func() string { return diff([]string(nil), f.actual()) })
		f.eventually("no Secret is left", func() string { return diff(0, len(f.home.All("v1", "Secret", state))) })
		stop() // the next test has its own
	}
}

// TestOneNameForTwo creates two Orders whose copies would have one name.
func TestOneNameForTwo(t *testing.T) {
	f := newFixture(t)
	f.home.Put(orders + "  naming: {name: same}\n")
	f.putOrder("a", "{x: one}")
	f.start()
	f.awaitCopy("the first Order has it", "a", "{x: one}")
	f.putOrder("b", "{x: two}")
	f.eventually("the second has an event", func() string { return diff(true, f.eventsOf("b")["ReconcilingError"] != "") })
	f.awaitCopy("the first keeps it", "a", "{x: one}")
	f.shop.Remove(remote, "Order", "a")
	f.awaitCopy("the second gets it", "b", "{x: two}")
	f.awaitReady("orders", "True Syncing")
}
