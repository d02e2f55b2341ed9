package midonet

import (
	"bytes"
	"encoding/json"
	"net/netip"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// body is the body of a resource: fields in the order in which they are written, those without a value left out unless the
// backend requires a null.
type body interface{ kind() string }

type tunnelZone struct {
	ID   string `json:"id,omitempty"`
	Name string `json:"name,omitempty"`
	Type string `json:"type,omitempty"`
}

type tunnelZoneHost struct {
	HostID    string `json:"hostId,omitempty"`
	IPAddress string `json:"ipAddress,omitempty"`
}

type router device

type bridge device

type device struct {
	ID               string `json:"id,omitempty"`
	TenantID         string `json:"tenantId,omitempty"`
	Name             string `json:"name,omitempty"`
	InboundFilterID  string `json:"inboundFilterId,omitempty"`
	OutboundFilterID string `json:"outboundFilterId,omitempty"`
}

type port struct {
	ID               string   `json:"id,omitempty"`
	Type             string   `json:"type"`
	PortSubnet       []string `json:"portSubnet,omitempty"`
	PortMAC          string   `json:"portMac,omitempty"`
	InboundFilterID  string   `json:"inboundFilterId,omitempty"`
	OutboundFilterID string   `json:"outboundFilterId,omitempty"`
}

type portLink struct {
	PortID *string `json:"portId"`
	PeerID string  `json:"peerId"`
}

type route struct {
	ID               string `json:"id,omitempty"`
	DstNetworkAddr   string `json:"dstNetworkAddr"`
	DstNetworkLength int    `json:"dstNetworkLength"`
	NextHopGateway   string `json:"nextHopGateway,omitempty"`
	NextHopPort      string `json:"nextHopPort"`
	SrcNetworkAddr   string `json:"srcNetworkAddr"`
	SrcNetworkLength int    `json:"srcNetworkLength"`
	Type             string `json:"type"`
}

type chain struct {
	ID       string `json:"id,omitempty"`
	TenantID string `json:"tenantId,omitempty"`
	Name     string `json:"name,omitempty"`
}

type rule struct {
	ID           string      `json:"id,omitempty"`
	Type         string      `json:"type"`
	DLType       int         `json:"dlType,omitempty"`
	NwDstAddress string      `json:"nwDstAddress,omitempty"`
	NwDstLength  int         `json:"nwDstLength,omitempty"`
	NwProto      int         `json:"nwProto,omitempty"`
	NwSrcAddress string      `json:"nwSrcAddress,omitempty"`
	NwSrcLength  int         `json:"nwSrcLength,omitempty"`
	TpDst        *portRange  `json:"tpDst,omitempty"`
	TpSrc        *portRange  `json:"tpSrc,omitempty"`
	JumpChainID  string      `json:"jumpChainId,omitempty"`
	FlowAction   string      `json:"flowAction,omitempty"`
	NATTargets   []natTarget `json:"natTargets,omitempty"`
}

type portRange struct {
	Start int64 `json:"start,omitempty"`
	End   int64 `json:"end,omitempty"`
}

type natTarget struct {
	AddressFrom string `json:"addressFrom,omitempty"`
	AddressTo   string `json:"addressTo,omitempty"`
	PortFrom    int64  `json:"portFrom,omitempty"`
	PortTo      int64  `json:"portTo,omitempty"`
}

type hostInterfacePort struct {
	HostID        string `json:"hostId,omitempty"`
	PortID        string `json:"portId,omitempty"`
	InterfaceName string `json:"interfaceName"`
}

type macPort struct {
	MACAddr string `json:"macAddr,omitempty"`
	PortID  string `json:"portId,omitempty"`
}

type ipv4MACPair struct {
	IP  string `json:"ip"`
	MAC string `json:"mac"`
}

func (tunnelZone) kind() string        { return "TunnelZone" }
func (tunnelZoneHost) kind() string    { return "TunnelZoneHost" }
func (router) kind() string            { return "Router" }
func (bridge) kind() string            { return "Bridge" }
func (port) kind() string              { return "Port" }
func (portLink) kind() string          { return "PortLink" }
func (route) kind() string             { return "Route" }
func (chain) kind() string             { return "Chain" }
func (rule) kind() string              { return "Rule" }
func (hostInterfacePort) kind() string { return "HostInterfacePort" }
func (macPort) kind() string           { return "MACPort" }
func (ipv4MACPair) kind() string       { return "IPv4MACPair" }

// alone is a resource without a parent.
func alone(b body) api.Resource { return api.Resource{Kind: b.kind(), Body: text(b)} }

// in is a resource with a parent.
func in(parent id, b body) api.Resource {
	return api.Resource{Kind: b.kind(), Parent: parent.String(), Body: text(b)}
}

func text(b body) string {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(b); err != nil {
		panic(err) // the types above have only text and numbers
	}
	return string(bytes.TrimSuffix(buf.Bytes(), []byte("\n")))
}

// natTo is the target of a rule that rewrites to an address and a range of ports.
func natTo(addr netip.Addr, from, to int64) []natTarget {
	return []natTarget{{AddressFrom: addr.String(), AddressTo: addr.String(), PortFrom: from, PortTo: to}}
}

// snat is a rule that rewrites the source address, and continues.
func snat(ruleID id, source, to netip.Addr) rule {
	const firstPort, lastPort = 30000, 60000
	return rule{
		ID: ruleID.String(), Type: "snat", DLType: etherIPv4, NwSrcAddress: source.String(), NwSrcLength: addressBits,
		FlowAction: "continue", NATTargets: natTo(to, firstPort, lastPort),
	}
}

// jump is a rule that sends all traffic into a chain.
func jump(ruleID, to id) rule {
	return rule{ID: ruleID.String(), Type: "jump", JumpChainID: to.String()}
}
