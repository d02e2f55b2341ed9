package midonet

import (
	"fmt"
	"net"

	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// podView is what is read from a Pod.
type podView struct {
	key         Key
	node        string
	hostNetwork bool
	phase       string
	ip          string
	mac         macView
}

func (r *reader) pod(o *krm.Object, namespace string) (v podView) {
	meta := r.metadata(o)
	v.key = r.identity(meta, "Pod", namespace)
	v.mac = r.mac(r.object(meta.child("annotations")))
	spec, status := r.object(rootOf(o).child("spec")), r.object(rootOf(o).child("status"))
	v.node, v.hostNetwork = r.text(spec.child("nodeName")), r.flag(spec.child("hostNetwork"))
	v.phase, v.ip = r.text(status.child("phase")), r.text(status.child("podIP"))
	return v
}

// unconnected is why a Pod has no port of its own; "" when it has one.
func (v *podView) unconnected() string {
	switch {
	case v.node == "":
		return "spec.nodeName is not set: the Pod is on no node"
	case v.hostNetwork:
		return "spec.hostNetwork is set: the Pod shares its node's network"
	case v.phase == "Succeeded" || v.phase == "Failed":
		return "status.phase is " + v.phase + ": the Pod has ended"
	}
	return ""
}

// pod is a port on the bridge of the Pod's Node.
func (c *Converter) pod(o, node *krm.Object) Outcome {
	r := new(reader)
	v := r.pod(o, c.namespace)
	if len(r.errs) > 0 {
		return failed(r.errs...)
	}
	if why := v.unconnected(); why != "" {
		return empty("%s", why)
	}
	if !isCore(node, "Node", v.node) {
		return retry("Node %q is not known", shown(v.node))
	}
	n := r.node(node)
	if len(r.errs) > 0 {
		return retry("Node %q cannot be read: %v", shown(v.node), r.errs[0])
	}
	host, ok := parseID(n.host)
	if !ok {
		return retry("annotation %s of Node %q is %q, not a UUID: the backend does not know the node", api.HostIDAnnotation,
			v.node, shown(n.host))
	}
	mac, fault := v.mac.parse()
	if fault != nil {
		return failed(fault)
	}
	l := c.list(v.key.Namespace)
	c.podPort(l, &v, host, mac)
	return l.outcome("")
}

func (c *Converter) podPort(l *list, v *podView, host id, mac net.HardwareAddr) {
	bridgeID, portID := c.ids.forKey(idOfNode, v.node), c.ids.forKey(idOfPod, v.key.String())
	l.add(v.key,
		in(bridgeID, port{ID: portID.String(), Type: "Bridge"}),
		in(host, hostInterfacePort{HostID: host.String(), PortID: portID.String(), InterfaceName: podInterface(v.key.String())}),
	)
	if mac == nil {
		return
	}
	l.add(Key{Kind: "Pod-MAC", Name: fmt.Sprintf("%s/mac/%s", v.key.Name, macText(mac))},
		in(bridgeID, macPort{MACAddr: mac.String(), PortID: portID.String()}))
	if v.ip == "" {
		return
	}
	addr, err := parseIPv4(v.ip)
	if err != nil {
		l.note(field.NewPath("status", "podIP"), "%q: %v; the bridge does not get its MAC address", shown(v.ip), err)
		return
	}
	l.add(Key{Kind: "Pod-ARP", Name: fmt.Sprintf("%s/ip/%s/%s", v.key.Name, addr, macText(mac))},
		in(bridgeID, ipv4MACPair{IP: addr.String(), MAC: mac.String()}))
}
