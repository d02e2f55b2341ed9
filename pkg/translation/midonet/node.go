package midonet

import (
	"errors"
	"net"
	"net/netip"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// nodeView is what is read from a Node.
type nodeView struct {
	key       Key
	podCIDR   string
	host      string // the annotations
	zone      string
	endpoint  string
	mac       macView
	addresses []addressView
}

// addressView is an address as it is written, where, and of which type; those of Endpoints have none.
type addressView struct {
	kind, text string
	at         *field.Path
}

// macView is the annotation with a MAC address.
type macView struct {
	given bool
	text  string
	at    *field.Path
}

func (r *reader) mac(annotations part) macView {
	p := annotations.key(api.MACAnnotation)
	return macView{given: !p.isAbsent(), text: r.text(p), at: p.at}
}

// parse parses the address; nil when there is none.
func (v macView) parse() (net.HardwareAddr, *field.Error) {
	if !v.given {
		return nil, nil
	}
	mac, err := parseMAC(v.text)
	if err != nil {
		return nil, field.Invalid(v.at, shown(v.text), err.Error())
	}
	return mac, nil
}

func (r *reader) node(o *krm.Object) (v nodeView) {
	meta := r.metadata(o)
	v.key = r.identity(meta, "Node", "")
	annotations := r.object(meta.child("annotations"))
	v.host = r.text(annotations.key(api.HostIDAnnotation))
	v.zone = r.text(annotations.key(api.TunnelZoneIDAnnotation))
	v.endpoint = r.text(annotations.key(api.TunnelEndpointIPAnnotation))
	v.mac = r.mac(annotations)
	v.podCIDR = r.text(r.object(rootOf(o).child("spec")).child("podCIDR"))
	for _, p := range r.objects(r.object(rootOf(o).child("status")).child("addresses")) {
		address := p.child("address")
		v.addresses = append(v.addresses, addressView{kind: r.text(p.child("type")), text: r.text(address), at: address.at})
	}
	return v
}

// nodeAddress is an address of a Node for traffic from outside.
type nodeAddress struct {
	kind string
	addr netip.Addr
}

// reachable returns the addresses of a Node for traffic from outside, and the faults of the others.
func (v *nodeView) reachable(l *list) (out []nodeAddress, errs field.ErrorList) {
	for _, a := range v.addresses {
		if !slices.Contains(addressTypes, a.kind) {
			continue
		}
		switch addr, err := parseIPv4(a.text); {
		case err == nil:
			out = append(out, nodeAddress{a.kind, addr})
		case errors.Is(err, errIPv6):
			l.note(a.at, "%s has no route: %v", shown(a.text), err)
		default:
			errs = append(errs, field.Invalid(a.at, shown(a.text), err.Error()))
		}
	}
	return out, errs
}

// node is a bridge for the Node's pods, linked to the router, with a port for the Node itself.
func (c *Converter) node(o, _ *krm.Object) Outcome {
	r, l := new(reader), c.list(defaultNamespace)
	v := r.node(o)
	if len(r.errs) > 0 {
		return failed(r.errs...)
	}
	pods, err := parseSubnet(v.podCIDR)
	if err != nil {
		return failed(field.Invalid(field.NewPath("spec", "podCIDR"), shown(v.podCIDR), err.Error()))
	}
	host, ok := parseID(v.host)
	if !ok {
		return empty("annotation %s is %q, not a UUID: the backend does not know the node", api.HostIDAnnotation, shown(v.host))
	}
	addresses, errs := v.reachable(l)
	mac, fault := v.mac.parse()
	if fault != nil {
		errs = append(errs, fault)
	}
	if len(errs) > 0 {
		return failed(errs...)
	}
	n := nodeParts{Converter: c, list: l, name: v.key.Name, bridge: c.ids.forKey(idOfNode, v.key.Name), host: host, subnet: pods}
	n.add(v.key, n.main()...)
	n.routes(addresses)
	n.tunnelEndpoint(v)
	n.neighbour(mac)
	return l.outcome("")
}
