package midonet

import (
	"errors"
	"fmt"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// endpointsView is what is read from Endpoints.
type endpointsView struct {
	key     Key
	subsets []subsetView
}

// maxPairs bounds the pairs of an address and a port of one object. Each is a Translation of four resources, and repeated
// text makes millions of a few lines. An API server has at most 1000 addresses in one Endpoints.
const maxPairs = 10000

// subsetView is ready addresses, each of which has all ports.
type subsetView struct {
	addresses []addressView
	ports     []portView
}

func (r *reader) endpoints(o *krm.Object, namespace string) (v endpointsView) {
	v.key = r.identity(r.metadata(o), "Endpoints", namespace)
	subsets := rootOf(o).child("subsets")
	if n := countPairs(subsets); n > maxPairs {
		r.errs = append(r.errs, field.Invalid(subsets.at, field.OmitValueType{}, fmt.Sprintf(
			"%d pairs of an address and a port, and %d are the most; split the Service, or name fewer addresses or ports", n, maxPairs)))
		return v
	}
	for _, p := range r.objects(subsets) {
		subset := subsetView{ports: r.ports(p.child("ports"))}
		for _, p := range r.objects(p.child("addresses")) {
			ip := p.child("ip")
			subset.addresses = append(subset.addresses, addressView{text: r.text(ip), at: ip.at})
		}
		v.subsets = append(v.subsets, subset)
	}
	return v
}

// countPairs counts the pairs in subsets, before any is read. A subset with only addresses or only ports counts with these.
func countPairs(subsets part) (n int) {
	for _, subset := range elements(subsets.node) {
		addresses, ports := elements(krm.Lookup(subset, "addresses")), elements(krm.Lookup(subset, "ports"))
		n += max(1, len(addresses)) * max(1, len(ports))
	}
	return n
}

// endpoints are, for each address and port, a chain that rewrites to it, and a rule in the chain of the Service's port that
// sends traffic there.
func (c *Converter) endpoints(o, service *krm.Object) Outcome {
	r := new(reader)
	v := r.endpoints(o, c.namespace)
	if len(r.errs) > 0 {
		return failed(r.errs...)
	}
	if !isCore(service, "Service", v.key.Name) || c.namespaceOf(service) != v.key.Namespace {
		out := empty("there is no Service %s", v.key)
		out.Missing = true
		return out
	}
	s := r.service(service, c.namespace)
	if len(r.errs) > 0 {
		return retry("Service %s cannot be read: %v", v.key, r.errs[0])
	}
	addr, why, fault := s.address()
	switch {
	case fault != nil:
		return retry("Service %s cannot be read: %v", v.key, fault)
	case why != "":
		return empty("Service %s: %s", v.key, why)
	}
	e := endpointParts{Converter: c, list: c.list(v.key.Namespace), service: s.key, clusterIP: addr}
	if errs := e.all(v.subsets); len(errs) > 0 {
		return failed(errs...)
	}
	return e.outcome("no subset has both a ready IPv4 address and a port")
}

// endpointParts makes the Translations of Endpoints.
type endpointParts struct {
	*Converter
	*list
	service   Key
	clusterIP netip.Addr
}

// all adds every ready address with every port of its subset, and returns their faults.
func (e *endpointParts) all(subsets []subsetView) (errs field.ErrorList) {
	for _, subset := range subsets {
		for i := range subset.ports {
			errs = append(errs, subset.ports[i].validate()...)
		}
		for _, a := range subset.addresses {
			switch addr, err := parseIPv4(a.text); {
			case err == nil:
				for i := range subset.ports {
					e.one(addr, &subset.ports[i])
				}
			case errors.Is(err, errIPv6):
				e.note(a.at, "%s is ignored: %v", shown(a.text), err)
			default:
				errs = append(errs, field.Invalid(a.at, shown(a.text), err.Error()))
			}
		}
	}
	return errs
}

// one adds an address with a port. Its key has no namespace: no two Services have the same address.
func (e *endpointParts) one(addr netip.Addr, p *portView) {
	key := Key{Kind: "Endpoints-Port", Name: fmt.Sprintf("%s/%s/%s/%s/%d/%s", e.service.Name, p.name, e.clusterIP, addr, p.number, p.protocol)}
	if e.has(key) {
		return
	}
	own := e.ids.forKey(idOfEndpoint, key.String())
	e.add(key,
		alone(e.chain(own, "KUBE-SEP-"+key.String())),
		in(e.portChain(e.service, p.name), jump(own.sub("Jump to Endpoint"), own)),
		in(own, rule{ID: own.sub("DNAT").String(), Type: "dnat", FlowAction: "accept", NATTargets: natTo(addr, p.number, p.number)}),
		in(own, snat(own.sub("SNAT"), addr, e.clusterIP)),
	)
}
