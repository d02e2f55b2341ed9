package backendtest

import (
	"fmt"
	"slices"
	"strings"
)

type resource struct {
	kind, parent, id string
	body             map[string]any
	created          int
}

// kindSpec describes one kind of resource.
type kindSpec struct {
	kind, collection, item, media string
	parents                       []string
	id                            func(parent string, body map[string]any) string
	put, get                      bool
	names                         map[string]string // fields, and the kind of what they name
	taken                         int               // status of a second one
}

// Hosts is the beginning of the ids of hosts, which exist from the start.
const Hosts = "host-"

func field(name string) func(string, map[string]any) string {
	return func(_ string, body map[string]any) string { return fmt.Sprint(body[name]) }
}

func dashed(mac any) string { return strings.ReplaceAll(fmt.Sprint(mac), ":", "-") }

var filters = map[string]string{"inboundFilterId": "Chain", "outboundFilterId": "Chain"}

var kinds = []kindSpec{
	{kind: "TunnelZone", collection: "/tunnel_zones", item: "/tunnel_zones/{id}", media: "TunnelZone-v1", id: field("id"),
		put: true, get: true, taken: 409},
	{kind: "TunnelZoneHost", collection: "/tunnel_zones/{parent}/hosts", item: "/tunnel_zones/{parent}/hosts/{id}", media: "TunnelZoneHost-v1",
		parents: []string{"TunnelZone"}, id: field("hostId"), get: true, taken: 409},
	{kind: "Router", collection: "/routers", item: "/routers/{id}", media: "Router-v3", id: field("id"), put: true, get: true,
		names: filters, taken: 409},
	{kind: "Bridge", collection: "/bridges", item: "/bridges/{id}", media: "Bridge-v4", id: field("id"), put: true, get: true,
		names: filters, taken: 409},
	{kind: "Port", collection: "/bridges/{parent}/ports", item: "/ports/{id}", media: "Port-v3", parents: []string{"Bridge"}, id: field("id"),
		put: true, get: true, names: filters, taken: 409},
	{kind: "Port", collection: "/routers/{parent}/ports", item: "", media: "Port-v3", parents: []string{"Router"}, id: field("id"),
		names: filters, taken: 409},
	{kind: "PortLink", collection: "/ports/{parent}/link", item: "/ports/{parent}/link", media: "PortLink-v1", parents: []string{"Port"},
		id: func(parent string, _ map[string]any) string { return parent }, names: map[string]string{"peerId": "Port"}, taken: 409},
	{kind: "Route", collection: "/routers/{parent}/routes", item: "/routes/{id}", media: "Route-v1", parents: []string{"Router"},
		id: field("id"), get: true, names: map[string]string{"nextHopPort": "Port"}, taken: 409},
	{kind: "Chain", collection: "/chains", item: "/chains/{id}", media: "Chain-v1", id: field("id"), get: true, taken: 409},
	{kind: "Rule", collection: "/chains/{parent}/rules", item: "/rules/{id}", media: "Rule-v2", parents: []string{"Chain"}, id: field("id"),
		get: true, names: map[string]string{"jumpChainId": "Chain"}, taken: 409},
	{kind: "HostInterfacePort", collection: "/hosts/{parent}/ports", item: "/hosts/{parent}/ports/{id}", media: "HostInterfacePort-v1",
		parents: []string{Hosts}, id: field("portId"), get: true, names: map[string]string{"portId": "Port"}, taken: 409},
	{kind: "MACPort", collection: "/bridges/{parent}/mac_table", item: "/bridges/{parent}/mac_table/{id}", media: "MACPort-v2",
		parents: []string{"Bridge"}, id: func(_ string, b map[string]any) string { return dashed(b["macAddr"]) + "_" + fmt.Sprint(b["portId"]) },
		get: true, names: map[string]string{"portId": "Port"}, taken: 500},
	{kind: "IPv4MACPair", collection: "/bridges/{parent}/arp_table", item: "/bridges/{parent}/arp_table/{id}", media: "IP4Mac-v1",
		parents: []string{"Bridge"}, id: func(_ string, b map[string]any) string { return fmt.Sprint(b["ip"]) + "_" + dashed(b["mac"]) },
		get: true, taken: 500},
}

// scoped are the kinds whose resources are identified within their parent.
var scoped = []string{"TunnelZoneHost", "PortLink", "HostInterfacePort", "MACPort", "IPv4MACPair"}

func nameOf(kind, parent, id string) string {
	if slices.Contains(scoped, kind) {
		return kind + "/" + parent + "/" + id
	}
	return kind + "/" + id
}
