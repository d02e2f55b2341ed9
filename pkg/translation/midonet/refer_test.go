package midonet

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

func TestReferences(t *testing.T) {
	const a, b, c = "98e99174-edfa-542e-88e6-3ca9a6215ea8", "bbb24186-d3a9-5abf-9d7b-0b67fbe4a36b", "8ba7d5a7-f323-53d4-8522-ddb2c7158ef0"
	type answer struct {
		Own, Tenant string
		Mentions    []string
	}
	cases := map[string]struct {
		reason string
		r      api.Resource
		want   answer
	}{
		"Rule":      {"it is in a chain and leads to one", api.Resource{Kind: "Rule", Parent: c, Body: `{"id":"` + b + `","type":"jump","jumpChainId":"` + a + `"}`}, answer{b, "", []string{c, b, a}}},
		"Tenant":    {"a chain is a tenant's", api.Resource{Kind: "Chain", Body: `{"id":"` + a + `","tenantId":"lab-a","name":"n"}`}, answer{a, "lab-a", []string{a}}},
		"Upper":     {"an id is the same in other letters", api.Resource{Kind: "Chain", Parent: "BBB24186-D3A9-5ABF-9D7B-0B67FBE4A36B", Body: `{"name":"n","id":"98E99174-EDFA-542E-88E6-3CA9A6215EA8"}`}, answer{a, "", []string{b, a}}},
		"Nameless":  {"no resource refers to a link", api.Resource{Kind: "PortLink", Parent: a, Body: `{"portId":null,"peerId":"` + b + `"}`}, answer{"", "", []string{a, b}}},
		"Host":      {"a port of a host is known by a port's id, which is not its own", api.Resource{Kind: "HostInterfacePort", Parent: a, Body: `{"hostId":"` + a + `","portId":"` + b + `"}`}, answer{"", "", []string{a, a, b}}},
		"Unknown":   {"most types have an id", api.Resource{Kind: "Vip", Body: `{"id":"v1"}`}, answer{"v1", "", nil}},
		"In a name": {"what looks like an id may be one", api.Resource{Kind: "Chain", Body: `{"id":"` + a + `","name":"x-` + b + `-y"}`}, answer{a, "", []string{a, b}}},
		"Adjoining": {"hyphens before an id do not hide it", api.Resource{Kind: "Chain", Parent: "--a-" + a, Body: `{}`}, answer{"", "", []string{a}}},
		"Short":     {"a part of an id is none", api.Resource{Kind: "Chain", Parent: a[:35], Body: `{"id":1}`}, answer{"", "", nil}},
		"No JSON":   {"a body may be anything", api.Resource{Kind: "Chain", Body: "-"}, answer{}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, answer{OwnID(tc.r), TenantOf(tc.r), Mentions(tc.r)}); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestEverythingMadeIsFound wants of all that is made that others name it by the id it has, and that what names a
// parent or another resource is found to.
func TestEverythingMadeIsFound(t *testing.T) {
	c := converter(t, nil)
	own, objects := map[string]bool{}, read(t, cluster(3))
	all := c.Global()
	for _, o := range objects {
		all = append(all, convert(c, o, objects).Translations...)
	}
	for _, tr := range all {
		for _, r := range tr.Resources {
			own[OwnID(r)] = true
		}
	}
	mentioned := map[string]bool{}
	for _, tr := range all {
		for _, r := range tr.Resources {
			if !IsRecreated(r) {
				t.Errorf("%s is the same in another version", Describe(r))
			}
			for _, id := range Mentions(r) {
				mentioned[id] = true
			}
		}
	}
	if diff := cmp.Diff(own, mentioned); diff != "" || own[""] {
		t.Errorf("here everything has an id, and names nothing else (-own +mentioned):\n%s", diff)
	}
}
