package midonet

import (
	"fmt"
	"net/netip"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
)

// portName names a Service's port: the Service's key and the port's name, which may be empty.
func portName(service Key, port string) string {
	return service.String() + "/" + port
}

// portChain is the id of the chain of a Service's port.
func (c *Converter) portChain(service Key, port string) id {
	return c.ids.forKey(idOfServicePort, portName(service, port))
}

func (c *Converter) portChains(v *serviceView) (out []api.Resource) {
	for _, p := range v.ports {
		out = append(out, alone(c.chain(c.portChain(v.key, p.name), "KUBE-SVC-"+portName(v.key, p.name))))
	}
	return out
}

// portRule adds the rule that sends traffic for a Service's port into the port's chain.
func (c *Converter) portRule(l *list, service Key, p *portView, addr netip.Addr) {
	proto := protocols[p.protocol]
	key := Key{Kind: "Service-Port", Name: fmt.Sprintf("%s/%s/%d/%d", portName(service, p.name), addr, proto, p.number)}
	to := jump(c.ids.forKey(idOfServiceRule, key.String()), c.portChain(service, p.name))
	to.DLType, to.NwDstAddress, to.NwDstLength, to.NwProto = etherIPv4, addr.String(), addressBits, proto
	to.TpDst = &portRange{Start: p.number, End: p.number}
	l.add(key, in(c.ids.services, to))
}
