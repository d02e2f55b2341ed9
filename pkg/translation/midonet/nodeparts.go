package midonet

import (
	"fmt"
	"net"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// nodeParts makes the Translations of one Node.
type nodeParts struct {
	*Converter
	*list
	name   string
	bridge id
	host   id
	subnet subnet
}

func (n *nodeParts) routerPort() id { return n.bridge.sub("Router Port") }
func (n *nodeParts) nodePort() id   { return n.bridge.sub("Node Port") }

// main are the resources that exist as long as the Node.
func (n *nodeParts) main() []api.Resource {
	bridgePort, chainID := n.bridge.sub("Bridge Port"), n.bridge.sub("Node Port Chain")
	gateway := fmt.Sprintf("%s/%d", n.subnet.gateway, n.subnet.network.Bits())
	return []api.Resource{
		alone(bridge{ID: n.bridge.String(), TenantID: n.tenant, Name: n.name, InboundFilterID: n.Converter.ids.main.String()}),
		in(n.bridge, port{ID: bridgePort.String(), Type: "Bridge"}),
		// A backend without the MAC address invents one when it creates a port, and forgets it when it replaces the port.
		in(n.ids.router, port{ID: n.routerPort().String(), Type: "Router", PortSubnet: []string{gateway}, PortMAC: macOf(n.name).String()}),
		in(n.ids.router, n.podRoute()),
		in(bridgePort, portLink{PeerID: n.routerPort().String()}), // a backend that gets both ends fails
		alone(n.chain(chainID, "KUBE-NODE-"+n.name)),
		in(n.bridge, port{ID: n.nodePort().String(), Type: "Bridge", OutboundFilterID: chainID.String()}),
		in(n.host, hostInterfacePort{HostID: n.host.String(), PortID: n.nodePort().String(), InterfaceName: nodeInterface}),
		in(chainID, snat(n.bridge.sub("Node Port SNAT Rule"), n.subnet.node, n.subnet.gateway)),
	}
}

// routeTo is the route from anywhere to a network behind the Node's bridge.
func (n *nodeParts) routeTo(routeID id, network string, length int) route {
	return route{
		ID: routeID.String(), DstNetworkAddr: network, DstNetworkLength: length,
		NextHopPort: n.routerPort().String(), SrcNetworkAddr: "0.0.0.0", Type: "Normal",
	}
}

func (n *nodeParts) podRoute() route {
	return n.routeTo(n.bridge.sub("Route"), n.subnet.network.Addr().String(), n.subnet.network.Bits())
}

// routes send traffic for the Node's own addresses to the Node.
func (n *nodeParts) routes(addresses []nodeAddress) {
	for _, a := range addresses {
		key := Key{Kind: "Node-Address", Name: fmt.Sprintf("%s/%s/%s", n.name, a.kind, a.addr)}
		r := n.routeTo(n.ids.forKey(idOfNodeAddress, key.String()), a.addr.String(), addressBits)
		r.NextHopGateway = n.subnet.node.String()
		n.add(key, in(n.ids.router, r))
	}
}

// tunnelEndpoint is how other nodes reach this one, if its annotations are valid.
func (n *nodeParts) tunnelEndpoint(v nodeView) {
	at := field.NewPath("metadata", "annotations")
	zone, ok := n.ids.zone, true
	if v.zone != "" {
		zone, ok = parseID(v.zone)
	}
	if !ok {
		n.note(at.Key(api.TunnelZoneIDAnnotation), "%q is not a UUID: there is no tunnel endpoint", shown(v.zone))
		return
	}
	if v.endpoint == "" {
		return
	}
	addr, err := parseIPv4(v.endpoint)
	if err != nil {
		n.note(at.Key(api.TunnelEndpointIPAnnotation), "%q: %v; there is no tunnel endpoint", shown(v.endpoint), err)
		return
	}
	key := Key{Kind: "Node-Tunnel-Endpoint", Name: fmt.Sprintf("%s/%s/%s/%s", n.name, addr, zone, n.host)}
	n.add(key, in(zone, tunnelZoneHost{HostID: n.host.String(), IPAddress: addr.String()}))
}

// neighbour gives the bridge the port and the IP address of the Node's MAC address.
func (n *nodeParts) neighbour(mac net.HardwareAddr) {
	if mac == nil {
		return
	}
	n.add(Key{Kind: "Node-MAC", Name: fmt.Sprintf("%s/mac/%s", n.name, macText(mac))},
		in(n.bridge, macPort{MACAddr: mac.String(), PortID: n.nodePort().String()}))
	n.add(Key{Kind: "Node-ARP", Name: fmt.Sprintf("%s/ip/%s/%s", n.name, n.subnet.node, macText(mac))},
		in(n.bridge, ipv4MACPair{IP: n.subnet.node.String(), MAC: mac.String()}))
}
