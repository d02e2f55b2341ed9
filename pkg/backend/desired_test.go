package backend_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/backend/backendtest"
	"github.com/waybill-dev/waybill/pkg/backend/inventory"
	"github.com/waybill-dev/waybill/pkg/backend/plan"
	"github.com/waybill-dev/waybill/pkg/backend/table"
)

// wish is what random histories turn knobs on: what there is, and in which version.
type wish struct {
	main, zone    int    // version of its name; 0: not there
	nodes         [3]int // version of its bridge's name
	nodeChains    [3]int
	services      [3]int
	endpoints     [3]int // of the service of the same number
	rules         [3][]int
	pods          [3]int // on the node of the same number
	host          [3]int // on which its port is
	split         bool   // pods are in Translations of their nodes
	renamed       int    // a version in the names of Translations, as converters have
	beforeDefault bool   // the names of Translations put what is needed last
}

func change(r *rand.Rand, w wish) wish {
	for range 1 + r.IntN(4) {
		i, v := r.IntN(3), r.IntN(4)
		switch r.IntN(13) {
		case 0:
			w.main = v
		case 1:
			w.zone = v
		case 2, 3:
			w.nodes[i] = v
		case 4:
			w.nodeChains[i] = v
		case 5:
			w.services[i] = v
		case 6:
			w.endpoints[i] = v
		case 7:
			w.rules[i] = r.Perm(4)[:v]
		case 8:
			w.pods[i] = v
		case 9:
			w.host[i] = v
		case 10:
			w.split = !w.split
		case 11:
			w.renamed = v
		case 12:
			w.beforeDefault = !w.beforeDefault
		}
	}
	return w
}

// sound adds what others need.
func sound(w wish) wish {
	w.main, w.zone = max(w.main, 1), max(w.zone, 1)
	for i := range 3 {
		if w.endpoints[i] > 0 {
			w.services[i] = max(w.services[i], 1)
		}
		if w.pods[i] > 0 {
			w.nodes[i] = max(w.nodes[i], 1)
		}
	}
	return w
}

func resource(kind, parent string, pairs ...any) table.Resource {
	body := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return table.Resource{Kind: kind, Parent: parent, Body: string(data)}
}

func (w wish) translations() (all []plan.Translation) {
	add := func(namespace, name string, resources ...table.Resource) {
		if w.beforeDefault {
			namespace = map[string]string{"kube-system": "z", "default": "a"}[namespace]
		}
		all = append(all, plan.Translation{Namespace: namespace, Name: fmt.Sprintf("%s.%d", name, w.renamed), Resources: resources})
	}
	if w.zone > 0 {
		add("kube-system", "zone", resource("TunnelZone", "", "id", "zone", "name", w.zone), resource("Router", "", "id", "router", "name", "r"))
	}
	if w.main > 0 {
		add("kube-system", "chain",
			resource("Chain", "", "id", "main", "name", w.main), resource("Chain", "", "id", "services", "name", "s"),
			resource("Rule", "main", "id", "jump", "type", "jump", "jumpChainId", "services"))
	}
	for i := range 3 {
		if w.nodes[i] > 0 {
			add("default", fmt.Sprintf("node.%d", i), w.node(i)...)
			add("default", fmt.Sprintf("node-arp.%d", i), resource("IPv4MACPair", bridge(i), "ip", "10.0.0.2", "mac", fmt.Sprintf("00:00:%02d", w.nodes[i])))
		}
		if w.pods[i] > 0 && !w.split {
			add("default", fmt.Sprintf("pod.%d", i), w.pod(i)...)
		}
		if w.services[i] > 0 {
			add("default", fmt.Sprintf("service.%d", i), resource("Chain", "", "id", service(i), "name", w.services[i]),
				resource("Rule", "services", "id", "to-"+service(i), "jumpChainId", service(i)))
		}
		if w.endpoints[i] > 0 {
			add("default", fmt.Sprintf("endpoints.%d", i), w.endpoint(i)...)
		}
	}
	return all
}

func bridge(i int) string  { return fmt.Sprintf("bridge/%d", i) } // needs escaping
func service(i int) string { return fmt.Sprintf("service-%d", i) }

func (w wish) node(i int) []table.Resource {
	b, p := bridge(i), fmt.Sprintf("port-%d", i)
	list := []table.Resource{
		resource("Bridge", "", "id", b, "name", w.nodes[i], "inboundFilterId", "main"),
		resource("Port", b, "id", "b"+p, "type", "Bridge"),
		resource("Port", "router", "id", "r"+p, "type", "Router", "portMac", "x"),
		resource("Route", "router", "id", "route"+p, "nextHopPort", "r"+p),
		resource("PortLink", "b"+p, "portId", nil, "peerId", "r"+p),
	}
	if w.nodeChains[i] > 0 {
		c := fmt.Sprintf("chain-%d", i)
		list = append(list, resource("Chain", "", "id", c, "name", w.nodeChains[i]),
			resource("Port", b, "id", "n"+p, "type", "Bridge", "outboundFilterId", c),
			resource("HostInterfacePort", fmt.Sprintf("%s%d", backendtest.Hosts, i), "hostId", i, "portId", "n"+p),
			resource("Rule", c, "id", "snat"+p, "type", "snat"),
			resource("TunnelZoneHost", "zone", "hostId", fmt.Sprintf("%s%d", backendtest.Hosts, i), "ipAddress", w.nodes[i]))
	}
	if w.split && w.pods[i] > 0 {
		list = append(list, w.pod(i)...)
	}
	return list
}

func (w wish) pod(i int) []table.Resource {
	p, at := fmt.Sprintf("pod-%d", i), (i+w.host[i])%3
	if w.nodes[at] == 0 {
		at = i
	}
	return []table.Resource{
		resource("Port", bridge(at), "id", p, "type", "Bridge"),
		resource("HostInterfacePort", fmt.Sprintf("%s%d", backendtest.Hosts, at), "portId", p, "interfaceName", w.pods[i]),
		resource("MACPort", bridge(at), "macAddr", "ac:ca:ba", "portId", p),
	}
}

func (w wish) endpoint(i int) []table.Resource {
	c := fmt.Sprintf("endpoint-%d", i)
	list := []table.Resource{
		resource("Chain", "", "id", c, "name", w.endpoints[i]),
		resource("Rule", service(i), "id", "jump-"+c, "jumpChainId", c),
	}
	for _, n := range w.rules[i] {
		list = append(list, resource("Rule", c, "id", fmt.Sprintf("rule-%d-%d", i, n), "version", w.endpoints[i]/2))
	}
	return list
}

// checkBackend holds that the backend has what is desired and nothing else, rules in their order.
func checkBackend(t testing.TB, w *backendtest.Server, desired []plan.Translation) {
	t.Helper()
	things, rules := w.State()
	want := map[string]any{}
	for _, d := range desired {
		order := map[string][]string{}
		for _, r := range d.Resources {
			name, body := backendtest.Named(t, r.Kind, r.Parent, r.Body)
			want[name] = body
			if r.Kind == "Rule" {
				order[r.Parent] = append(order[r.Parent], body["id"].(string))
			}
		}
		for chain, ids := range order {
			slices.Reverse(ids)
			got := slices.DeleteFunc(slices.Clone(rules[chain]), func(id string) bool { return !slices.Contains(ids, id) })
			if diff := cmp.Diff(ids, got); diff != "" {
				t.Errorf("rules of %s stand in the order of %s, last first (-want +got):\n%s", chain, d.Key(), diff)
			}
		}
	}
	if diff := cmp.Diff(want, things); diff != "" {
		t.Fatalf("the backend has what is desired (-want +got):\n%s", diff)
	}
}

// show is a plan as a person would tell it.
func show(t testing.TB, desired []plan.Translation, table *table.Table, i *inventory.Inventory) string {
	t.Helper()
	plan, err := plan.New(desired, table, i)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, o := range plan.Spec.Operations {
		fmt.Fprintf(&b, "%s %s %s of %s: %s", o.Op, o.Kind, o.ID, o.Translation, o.Reason)
		if o.Cause != "" {
			b.WriteString(" " + o.Cause)
		}
		if o.Changed != nil {
			fmt.Fprintf(&b, " %v", o.Changed)
		}
		b.WriteByte('\n')
	}
	for _, p := range plan.Spec.Problems {
		at := ""
		if p.Index != nil {
			at = fmt.Sprintf("[%d]", *p.Index)
		}
		fmt.Fprintf(&b, "problem %s%s: %s\n", p.Translation, at, p.Message)
	}
	return b.String()
}
