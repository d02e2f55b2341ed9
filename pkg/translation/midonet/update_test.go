package midonet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

func TestTypes(t *testing.T) {
	var replaced, all []string
	for _, known := range types {
		all = append(all, known.Kind)
		if known.Replace {
			replaced = append(replaced, known.Kind)
		}
	}
	if diff := cmp.Diff([]string{"TunnelZone", "Router", "Bridge", "Port"}, replaced); diff != "" || len(all) != 12 {
		t.Errorf("of %d types these can be replaced (-want +got):\n%s", len(all), diff)
	}
	for _, b := range []body{
		tunnelZone{}, tunnelZoneHost{}, router{}, bridge{}, port{}, portLink{}, route{}, chain{}, rule{},
		hostInterfacePort{}, macPort{}, ipv4MACPair{},
	} {
		if known, ok := TypeOf(b.kind()); !ok || known.Kind != b.kind() {
			t.Errorf("%s is made and not a known type", b.kind())
		}
	}
}

// TestBodiesWithoutValues holds which fields are left out and which are written whatever they hold.
func TestBodiesWithoutValues(t *testing.T) {
	for want, b := range map[string]body{
		`{}`: tunnelZone{}, `{} `: tunnelZoneHost{}, `{}  `: router{}, `{}   `: bridge{}, `{}    `: chain{}, `{}     `: macPort{},
		`{"type":""}`: port{}, `{"type":""} `: rule{}, `{"portId":null,"peerId":""}`: portLink{}, `{"interfaceName":""}`: hostInterfacePort{},
		`{"ip":"","mac":""}`: ipv4MACPair{},
		`{"dstNetworkAddr":"","dstNetworkLength":0,"nextHopPort":"","srcNetworkAddr":"","srcNetworkLength":0,"type":""}`: route{},
	} {
		if got := text(b); got != strings.TrimSpace(want) {
			t.Errorf("%s without values is %s, want %s", b.kind(), got, want)
		}
	}
}

func TestCheckUpdate(t *testing.T) {
	r := func(kind, parent, body string) api.Resource {
		return api.Resource{Kind: kind, Parent: parent, Body: body}
	}
	bridge1, port1 := r("Bridge", "", `{"id":"b1","name":"n"}`), r("Port", "b1", `{"id":"p1","type":"Bridge"}`)
	chain1, chain2 := r("Chain", "", `{"id":"c1","name":"n"}`), r("Chain", "", `{"id":"c2"}`)
	link, mac := r("PortLink", "p1", `{"portId":null,"peerId":"p2"}`), r("MACPort", "b1", `{"macAddr":"m","portId":"p1"}`)
	odd := r("Vip", "", `{"id":"v1"}`)
	type list = []api.Resource
	gone := "would be deleted: the resources of a Translation may grow, never shrink"
	moved := "would change its parent, which a backend cannot do in place"
	changed := "would change, and a backend cannot replace its type in place"
	for name, tc := range map[string]struct {
		reason   string
		old, new list
		want     string
	}{
		"nothing":           {"nothing was promised", nil, nil, ""},
		"created":           {"a list may grow from nothing", nil, list{chain1}, ""},
		"same":              {"what stays may stay", list{bridge1, port1, chain1, link, mac}, list{bridge1, port1, chain1, link, mac}, ""},
		"appended":          {"a list may grow", list{chain1}, list{chain1, chain2}, ""},
		"inserted":          {"in any place: what is there is found by what the backend knows it by", list{chain1}, list{chain2, chain1}, ""},
		"replaced":          {"a type with PUT may change", list{chain1, bridge1}, list{chain1, r("Bridge", "", `{"id":"b1","name":"m"}`)}, ""},
		"written otherwise": {"what a body says counts", list{chain1}, list{r("Chain", "", `{ "name": "n", "id": "c1" }`)}, ""},
		"shrunk":            {"the rest would not be deleted", list{chain1, chain2}, list{chain1}, "resources[1]: Chain c2 " + gone},
		"emptied":           {"the first is named", list{chain1, chain2}, nil, "resources[0]: Chain c1 " + gone},
		"another":           {"a list of the same length may have lost one", list{bridge1, chain1}, list{bridge1, chain2}, "resources[1]: Chain c1 " + gone},
		"another bridge":    {"that its type has PUT does not help a resource that is gone", list{bridge1}, list{r("Bridge", "", `{"id":"b2","name":"n"}`)}, "resources[0]: Bridge b1 " + gone},
		"another kind":      {"an id of another type is another resource", list{chain1}, list{r("Bridge", "", `{"id":"c1","name":"n"}`)}, "resources[0]: Chain c1 " + gone},
		"changed":           {"a chain has no PUT", list{bridge1, chain1, chain2}, list{bridge1, r("Chain", "", `{"id":"c1","name":"m"}`)}, "resources[1]: Chain c1 " + changed},
		"changed number":    {"numbers are not rounded", list{r("Rule", "c1", `{"id":"r","dlType":9007199254740993}`)}, list{r("Rule", "c1", `{"id":"r","dlType":9007199254740992}`)}, "resources[0]: Rule r " + changed},
		"moved":             {"no PUT moves a port", list{port1}, list{r("Port", "b2", port1.Body)}, "resources[0]: Port p1 " + moved},
		"moved entry":       {"an entry of another table is another one", list{mac}, list{r("MACPort", "b2", mac.Body)}, "resources[0]: MACPort m p1 " + gone},
		"link":              {"a port has one link, known by the port alone", list{link}, list{r("PortLink", "p1", `{"portId":null,"peerId":"p3"}`)}, "resources[0]: PortLink " + changed},
		"tunnel endpoint":   {"known by its host", list{r("TunnelZoneHost", "z", `{"hostId":"h","ipAddress":"a"}`)}, list{r("TunnelZoneHost", "z", `{"hostId":"h","ipAddress":"b"}`)}, "resources[0]: TunnelZoneHost h " + changed},
		"unknown same":      {"an unknown type may stay as it is", list{odd}, list{chain1, odd}, ""},
		"unknown changed":   {"and may not change", list{odd}, list{r("Vip", "", `{"id":"v1","name":"n"}`)}, "resources[0]: Vip v1 " + changed},
		"no JSON same":      {"what cannot be read may stay as it is", list{r("Chain", "", `{id}`)}, list{r("Chain", "", `{id}`)}, ""},
		"no JSON":           {"and is gone when it is not there", list{r("Chain", "", `{id}`)}, list{r("Chain", "", `{id} `)}, "resources[0]: Chain " + gone},
		"odd id":            {"an id that is no text names nothing", list{r("Chain", "", `{"id":7}`)}, list{r("Chain", "", `{"id":8}`)}, "resources[0]: Chain " + gone},
		"parts of names":    {"two names are not one that looks like both", list{r("MACPort", "b", `{"macAddr":"a b","portId":"c"}`)}, list{r("MACPort", "b", `{"macAddr":"a","portId":"b c"}`)}, "resources[0]: MACPort a b c " + gone},
		"twice":             {"one that is there as it was is enough", list{chain1}, list{r("Chain", "", `{"id":"c1"}`), chain1}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if err := CheckUpdate(tc.old, tc.new); err != nil {
				got = err.Error()
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestUpdatesOfObjects are changes of objects that do, and do not, keep the promises of Translations.
func TestUpdatesOfObjects(t *testing.T) {
	node := func(cidr, host string) string {
		return "apiVersion: v1\nkind: Node\nmetadata: {name: n1, annotations: {midonet.org/host-id: " + host + "}}\nspec: {podCIDR: " + cidr + "}\n"
	}
	for name, tc := range map[string]struct{ reason, old, new, want string }{
		"port added":   {"a Service may get another port", serviceWith("clusterIP: 10.96.0.10, ports: [{name: b, port: 80}]"), serviceWith("clusterIP: 10.96.0.10, ports: [{name: a, port: 81}, {name: b, port: 80}]"), ""},
		"port changed": {"the rule is another Translation, the chain stays", serviceWith("clusterIP: 10.96.0.10, ports: [{name: b, port: 80}]"), serviceWith("clusterIP: 10.96.0.11, ports: [{name: b, port: 82}]"), ""},
		"port removed": {"its chain would stay in the backend for ever", serviceWith("clusterIP: 10.96.0.10, ports: [{name: a, port: 81}, {name: b, port: 80}]"), serviceWith("clusterIP: 10.96.0.10, ports: [{name: b, port: 80}]"), "resources[0]: Chain 65259da0-093a-5523-8949-e8066d8fd817 would be deleted"},
		"network":      {"a route cannot be replaced", node("10.1.2.0/24", hostID), node("10.1.3.0/24", hostID), "resources[3]: Route 68967e50-0fe0-5ddb-ace5-a74301e91440 would change, and"},
		"host":         {"a port on another host is another", node("10.1.2.0/24", hostID), node("10.1.2.0/24", strings.Replace(hostID, "4", "5", 1)), "resources[7]: HostInterfacePort 734ad519-3e73-52b3-a8aa-aae5697ee9fd would be deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			c := converter(t, nil)
			main := func(text string) []api.Resource { return c.Convert(read(t, text)[0], nil).Translations[0].Resources }
			got := ""
			if err := CheckUpdate(main(tc.old), main(tc.new)); err != nil {
				got = err.Error()[:min(len(err.Error()), len(tc.want))]
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// FuzzCheckUpdate holds that any list may stay, and grow, and that one that lost its first must not.
func FuzzCheckUpdate(f *testing.F) {
	f.Add("Chain", "", `{"id":"c1"}`, "Port", "b1", `{"id":"p1"}`)
	f.Add("", "", "", "Vip", "x", "null")
	f.Fuzz(func(t *testing.T, kind, parent, body, otherKind, otherParent, otherBody string) {
		a, b := api.Resource{Kind: kind, Parent: parent, Body: body}, api.Resource{Kind: otherKind, Parent: otherParent, Body: otherBody}
		if err := CheckUpdate([]api.Resource{a}, []api.Resource{b, a}); err != nil {
			t.Errorf("a list must not grow: %v", err)
		}
		if err := CheckUpdate([]api.Resource{a}, nil); err == nil {
			t.Error("a list may shrink")
		}
		known, _ := TypeOf(kind)
		if err := CheckUpdate([]api.Resource{a}, []api.Resource{b}); err == nil && kind != otherKind || err == nil && parent != otherParent {
			t.Errorf("%+v may become %+v (%+v)", a, b, known)
		}
	})
}

// TestIdentity wants two resources to be one exactly when the backend knows them by the same, however
// their bodies are written.
func TestIdentity(t *testing.T) {
	const id, other = "98e99174-edfa-542e-88e6-3ca9a6215ea8", "bbb24186-d3a9-5abf-9d7b-0b67fbe4a36b"
	cases := map[string]struct {
		reason string
		a, b   api.Resource
		same   bool
	}{
		"Alone":        {"an id is all that counts", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `"}`}, api.Resource{Kind: "Chain", Parent: other, Body: `{"id":"` + id + `","name":"x"}`}, true},
		"Later":        {"fields have no order", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `"}`}, api.Resource{Kind: "Chain", Body: `{"name":"x", "id": "` + id + `"}`}, true},
		"LastOfTwo":    {"of two fields of one name the last counts", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `","id":"` + other + `"}`}, api.Resource{Kind: "Chain", Body: `{"id":"` + other + `"}`}, true},
		"Escaped":      {"whatever its letters are written as", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `","i\u0064":"` + other + `"}`}, api.Resource{Kind: "Chain", Body: `{"id":"` + other + `"}`}, true},
		"Longer":       {"an id that only begins with it is another", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `0"}`}, api.Resource{Kind: "Chain", Body: `{"id":"` + id + `"}`}, false},
		"OtherKind":    {"ids are of one kind", api.Resource{Kind: "Chain", Body: `{"id":"` + id + `"}`}, api.Resource{Kind: "Rule", Body: `{"id":"` + id + `"}`}, false},
		"InParent":     {"an entry of a table is known within it", api.Resource{Kind: "MACPort", Parent: id, Body: `{"macAddr":"m","portId":"p"}`}, api.Resource{Kind: "MACPort", Parent: other, Body: `{"macAddr":"m","portId":"p"}`}, false},
		"ParentItself": {"a link is known by its port", api.Resource{Kind: "PortLink", Parent: id, Body: `{"peerId":"a"}`}, api.Resource{Kind: "PortLink", Parent: id, Body: `{"peerId":"b"}`}, true},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if same := Identity(tc.a) == Identity(tc.b); same != tc.same {
				t.Errorf("%s: %s and %s are one: %t", tc.reason, Identity(tc.a), Identity(tc.b), same)
			}
		})
	}
}
