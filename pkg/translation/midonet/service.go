package midonet

import (
	"cmp"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	api "github.com/waybill-dev/waybill/pkg/api/midonet"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// serviceView is what is read from a Service.
type serviceView struct {
	key       Key
	kind      string
	clusterIP string
	ports     []portView
}

func (r *reader) service(o *krm.Object, namespace string) (v serviceView) {
	v.key = r.identity(r.metadata(o), "Service", namespace)
	spec := r.object(rootOf(o).child("spec"))
	v.kind, v.clusterIP = r.text(spec.child("type")), r.text(spec.child("clusterIP"))
	v.kind = cmp.Or(v.kind, "ClusterIP")
	v.ports = r.ports(spec.child("ports"))
	return v
}

// serviceTypes are the types of Kubernetes. Another one is a fault: it does not remove an address.
var serviceTypes = []string{"ClusterIP", "ExternalName", "LoadBalancer", "NodePort"}

// address is the Service's own address; without one there is a reason or a fault.
func (v *serviceView) address() (addr netip.Addr, why string, fault *field.Error) {
	switch {
	case !slices.Contains(serviceTypes, v.kind):
		return addr, "", field.NotSupported(field.NewPath("spec", "type"), shown(v.kind), serviceTypes)
	case v.kind != "ClusterIP":
		return addr, fmt.Sprintf("spec.type is %q: only ClusterIP is converted", shown(v.kind)), nil
	case v.clusterIP == "":
		return addr, "spec.clusterIP is not set: the Service has no address", nil
	case v.clusterIP == "None":
		return addr, "spec.clusterIP is None: the Service has no address", nil
	}
	switch addr, err := parseIPv4(v.clusterIP); {
	case err == nil:
		return addr, "", nil
	case errors.Is(err, errIPv6):
		return addr, fmt.Sprintf("spec.clusterIP is %s: %v", shown(v.clusterIP), err), nil
	default:
		return addr, "", field.Invalid(field.NewPath("spec", "clusterIP"), shown(v.clusterIP), err.Error())
	}
}

// portView is a port of a Service or of Endpoints.
type portView struct {
	name     string
	protocol string
	number   int64
	at       *field.Path
}

func (r *reader) ports(p part) (out []portView) {
	for _, p := range r.objects(p) {
		v := portView{name: r.text(p.child("name")), protocol: r.text(p.child("protocol")), number: r.number(p.child("port")), at: p.at}
		v.protocol = cmp.Or(v.protocol, "TCP")
		out = append(out, v)
	}
	return out
}

// protocols are the numbers of the protocols that rules distinguish.
var protocols = map[string]int{"TCP": 6, "UDP": 17}

// validate returns the faults of a port. A slash in its name would make its key that of another port.
func (v *portView) validate() (errs field.ErrorList) {
	if v.name != "" {
		if faults := validation.IsDNS1123Label(v.name); len(faults) > 0 {
			errs = append(errs, field.Invalid(v.at.Child("name"), shown(v.name), strings.Join(faults, "; ")))
		}
	}
	if protocols[v.protocol] == 0 {
		errs = append(errs, field.NotSupported(v.at.Child("protocol"), shown(v.protocol), []string{"TCP", "UDP"}))
	}
	if v.number < 1 || v.number > 65535 {
		errs = append(errs, field.Invalid(v.at.Child("port"), v.number, "want a port from 1 to 65535"))
	}
	return errs
}

// validatePorts also checks that the ports' names differ: a chain belongs to one port.
func (v *serviceView) validatePorts() (errs field.ErrorList) {
	seen := map[string]bool{}
	for i := range v.ports {
		p := &v.ports[i]
		errs = append(errs, p.validate()...)
		if seen[p.name] {
			errs = append(errs, field.Duplicate(p.at.Child("name"), shown(p.name)))
		}
		seen[p.name] = true
	}
	return errs
}

// service is a chain for each port, and a rule that sends traffic for the port there. The chain is not in one Translation
// with the rule, which is deleted whenever the port changes: it has the rules of the endpoints.
func (c *Converter) service(o, _ *krm.Object) Outcome {
	r := new(reader)
	v := r.service(o, c.namespace)
	if len(r.errs) > 0 {
		return failed(r.errs...)
	}
	addr, why, fault := v.address()
	switch {
	case fault != nil:
		return failed(fault)
	case why != "":
		return empty("%s", why)
	}
	if errs := v.validatePorts(); len(errs) > 0 {
		return failed(errs...)
	}
	l := c.list(v.key.Namespace)
	l.add(v.key, c.portChains(&v)...)
	for i := range v.ports {
		c.portRule(l, v.key, &v.ports[i], addr)
	}
	return l.outcome("spec.ports is empty: the Service has no ports")
}

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
