package midonet

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const (
	hostID  = "44fb4381-c99d-4389-86c3-fdca765bcbde"
	aNode   = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1, annotations: {midonet.org/host-id: " + hostID + "}}\nspec: {podCIDR: 10.1.2.0/24}\n"
	badNode = "---\napiVersion: v1\nkind: Node\nmetadata: {name: n1, annotations: {midonet.org/host-id: host-1}}\nspec: {podCIDR: 10.1.2.0/24}\n"
)

func nodeWith(annotations, rest string) string {
	return "apiVersion: v1\nkind: Node\nmetadata: {name: n1, annotations: {" + annotations + "}}\n" + rest
}

func podWith(annotations, rest string) string {
	return "apiVersion: v1\nkind: Pod\nmetadata: {name: p1, annotations: {" + annotations + "}}\n" + rest
}

func serviceWith(spec string) string {
	return "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {" + spec + "}\n"
}

func endpointsWith(subset string) string {
	return "apiVersion: v1\nkind: Endpoints\nmetadata: {name: web}\nsubsets: [{" + subset + "}]\n"
}

// TestVerdicts holds the first object of every case to what is to become of it.
func TestVerdicts(t *testing.T) {
	const (
		host    = "midonet.org/host-id: " + hostID
		cidr    = "spec: {podCIDR: 10.1.2.0/24}\n"
		running = "spec: {nodeName: n1}\n"
		address = "addresses: [{ip: 10.1.2.7}]"
		ports   = "ports: [{port: 8080}]"
	)
	aService := "---\n" + serviceWith("clusterIP: 10.96.0.10, ports: [{port: 80}]")
	for name, tc := range map[string]struct{ reason, in, want string }{
		"node/no podCIDR":        {"nothing can be made, and nothing removed, without it", nodeWith(host, ""), `failed` + "\n" + `spec.podCIDR: Invalid value: "": want an IPv4 network such as 10.1.2.0/24`},
		"node/bad podCIDR":       {"an error and no exit", nodeWith(host, "spec: {podCIDR: 10.1.2.0}"), `failed` + "\n" + `spec.podCIDR: Invalid value: "10.1.2.0": want an IPv4 network such as 10.1.2.0/24`},
		"node/podCIDR first":     {"even if the host is not known", nodeWith("", "spec: {podCIDR: 10.1.2.0/33}"), `failed` + "\n" + `spec.podCIDR: Invalid value: "10.1.2.0/33": want an IPv4 network such as 10.1.2.0/24`},
		"node/IPv6":              {"is not supported", nodeWith(host, "spec: {podCIDR: '2001:db8::/64'}"), `failed` + "\n" + `spec.podCIDR: Invalid value: "2001:db8::/64": IPv6 is not supported: want an IPv4 network such as 10.1.2.0/24`},
		"node/last network":      {"after the last address there is none", nodeWith(host, "spec: {podCIDR: 255.255.255.254/31}"), `failed` + "\n" + `spec.podCIDR: Invalid value: "255.255.255.254/31": no two addresses follow this one: want a network such as 10.1.2.0/24`},
		"node/very last":         {"nor after that", nodeWith(host, "spec: {podCIDR: 255.255.255.255/32}"), `failed` + "\n" + `spec.podCIDR: Invalid value: "255.255.255.255/32": no two addresses follow this one: want a network such as 10.1.2.0/24`},
		"node/no host":           {"the backend does not know the node (yet, or any more)", nodeWith("", cidr), `empty: annotation midonet.org/host-id is "", not a UUID: the backend does not know the node`},
		"node/bad host":          {"what is no id is none", nodeWith("midonet.org/host-id: host-1", cidr+"status: {addresses: [{type: InternalIP, address: x}]}"), `empty: annotation midonet.org/host-id is "host-1", not a UUID: the backend does not know the node`},
		"node/address":           {"an error and no exit; other types are not looked at", nodeWith(host, cidr+"status: {addresses: [{type: Hostname, address: x}, {type: ExternalIP, address: 10.0.0.256}]}"), `failed` + "\n" + `status.addresses[1].address: Invalid value: "10.0.0.256": want an IPv4 address such as 10.96.0.10`},
		"node/mac":               {"an error for the whole node", nodeWith(host+", midonet.org/mac-address: 'ac:ca'", cidr+"status: {addresses: [{type: InternalIP}]}"), `failed` + "\n" + `status.addresses[0].address: Invalid value: "": want an IPv4 address such as 10.96.0.10` + "\n" + `metadata.annotations[midonet.org/mac-address]: Invalid value: "ac:ca": want six octets such as ac:ca:ba:01:02:03`},
		"node/empty mac":         {"present and malformed", nodeWith(host+", midonet.org/mac-address: ''", cidr), `failed` + "\n" + `metadata.annotations[midonet.org/mac-address]: Invalid value: "": want six octets such as ac:ca:ba:01:02:03`},
		"node/long mac":          {"eight octets are another kind of address", nodeWith(host+", midonet.org/mac-address: '02:00:5e:10:00:00:00:01'", cidr), `failed` + "\n" + `metadata.annotations[midonet.org/mac-address]: Invalid value: "02:00:5e:10:00:00:00:01": want six octets such as ac:ca:ba:01:02:03`},
		"node/bad zone":          {"a zone that is none costs the tunnel endpoint and nothing else", nodeWith(host+", midonet.org/tunnel-zone-id: z, midonet.org/tunnel-endpoint-ip: 192.0.2.1", cidr), `made` + "\n" + `metadata.annotations[midonet.org/tunnel-zone-id]: "z" is not a UUID: there is no tunnel endpoint`},
		"node/bad endpoint":      {"so does an address that is none", nodeWith(host+", midonet.org/tunnel-endpoint-ip: 192.0.2", cidr), `made` + "\n" + `metadata.annotations[midonet.org/tunnel-endpoint-ip]: "192.0.2": want an IPv4 address such as 10.96.0.10; there is no tunnel endpoint`},
		"node/endpoint zone":     {"an address with an interface is no address of others", nodeWith(host+", midonet.org/tunnel-endpoint-ip: 'fe80::1%eth0'", cidr), `made` + "\n" + `metadata.annotations[midonet.org/tunnel-endpoint-ip]: "fe80::1%eth0": want an IPv4 address such as 10.96.0.10; there is no tunnel endpoint`},
		"node/name":              {"a slash would make it something else's", strings.Replace(aNode, "name: n1", "name: n1/mac", 1), `failed` + "\n" + `metadata.name: Invalid value: "n1/mac": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		"node/wrong types":       {"all of them, each at its path, whether it matters or not", "apiVersion: v1\nkind: Node\nmetadata: {name: 1, annotations: [a]}\nspec: x\nstatus: {addresses: [7, {type: {}, address: 1.5}]}", "failed\nmetadata.name: Invalid value: want text\nmetadata.annotations: Invalid value: want a map of fields\nspec: Invalid value: want a map of fields\nstatus.addresses[0]: Invalid value: want a map of fields\nstatus.addresses[1].type: Invalid value: want text\nstatus.addresses[1].address: Invalid value: want text"},
		"node/no metadata":       {"an object without a name is none", "apiVersion: v1\nkind: Node\nmetadata: 5", "failed\nmetadata: Invalid value: want a map of fields\nmetadata.name: Required value: name the object"},
		"pod/unscheduled":        {"there is no bridge for it", podWith("", "spec: {hostNetwork: true}\n") + aNode, `empty: spec.nodeName is not set: the Pod is on no node`},
		"pod/host network":       {"it needs no port; null is absent", podWith("", "spec: {nodeName: n1, hostNetwork: true}\nstatus: null\n") + aNode, `empty: spec.hostNetwork is set: the Pod shares its node's network`},
		"pod/succeeded":          {"it is over", podWith("", running+"status: {phase: Succeeded}\n") + aNode, `empty: status.phase is Succeeded: the Pod has ended`},
		"pod/failed":             {"so is this", podWith("", running+"status: {phase: Failed}\n"), `empty: status.phase is Failed: the Pod has ended`},
		"pod/no node":            {"it may come", podWith("", running), `retry: Node "n1" is not known`},
		"pod/other node":         {"another Node is none", podWith("", "spec: {nodeName: n2}\n") + aNode, `retry: Node "n2" is not known`},
		"pod/host unknown":       {"other than for the Node itself, the Pod's resources stay", podWith("", running) + badNode, `retry: annotation midonet.org/host-id of Node "n1" is "host-1", not a UUID: the backend does not know the node`},
		"pod/broken node":        {"faults of the Node are reported at the Node", podWith("", running) + strings.Replace(aNode, "spec:", "status: 5\nspec:", 1), `retry: Node "n1" cannot be read: status: Invalid value: want a map of fields`},
		"pod/node without CIDR":  {"is the Node's trouble alone", podWith("", running) + strings.Replace(aNode, "10.1.2.0/24", "none", 1), `made`},
		"pod/mac":                {"it has no owner", podWith("midonet.org/mac-address: x", running) + aNode, `failed` + "\n" + `metadata.annotations[midonet.org/mac-address]: Invalid value: "x": want six octets such as ac:ca:ba:01:02:03`},
		"pod/bad IP":             {"an address that is none is no neighbour", podWith("midonet.org/mac-address: '0a:58:0a:01:02:07'", running+"status: {podIP: '2001:db8::1'}\n") + aNode, `made` + "\n" + `status.podIP: "2001:db8::1": IPv6 is not supported; the bridge does not get its MAC address`},
		"pod/wrong types":        {"all of them", podWith("midonet.org/mac-address: 5", "spec: {nodeName: true, hostNetwork: 'yes'}\nstatus: {podIP: []}\n"), "failed\nmetadata.annotations[midonet.org/mac-address]: Invalid value: want text\nspec.nodeName: Invalid value: want text\nspec.hostNetwork: Invalid value: want true or false\nstatus.podIP: Invalid value: want text"},
		"service/node port":      {"has a cluster IP and is not converted all the same", serviceWith("type: NodePort, clusterIP: 10.96.0.10, ports: [{port: 80, protocol: SCTP}]"), `empty: spec.type is "NodePort": only ClusterIP is converted`},
		"service/external name":  {"has no address", serviceWith("type: ExternalName"), `empty: spec.type is "ExternalName": only ClusterIP is converted`},
		"service/unknown type":   {"a slip takes nothing away", serviceWith("type: clusterIP, clusterIP: 10.96.0.10, ports: [{port: 80}]"), `failed` + "\n" + `spec.type: Unsupported value: "clusterIP": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"`},
		"service/no address":     {"an API server has not given it one", serviceWith("ports: [{port: 80}]"), `empty: spec.clusterIP is not set: the Service has no address`},
		"service/headless":       {"None is no address", serviceWith("clusterIP: None, ports: [{port: 80}]"), `empty: spec.clusterIP is None: the Service has no address`},
		"service/IPv6":           {"is not supported; what was made of another address goes", serviceWith("clusterIP: 'fd00::10', ports: [{port: 80}]"), `empty: spec.clusterIP is fd00::10: IPv6 is not supported`},
		"service/bad address":    {"an error and no rule that matches nothing", serviceWith("clusterIP: 10.96.0, ports: [{port: 80}]"), `failed` + "\n" + `spec.clusterIP: Invalid value: "10.96.0": want an IPv4 address such as 10.96.0.10`},
		"service/no ports":       {"an empty list is never stored", serviceWith("clusterIP: 10.96.0.10"), `empty: spec.ports is empty: the Service has no ports`},
		"service/ports":          {"every fault of every port", serviceWith("clusterIP: 10.96.0.10, ports: [{name: a, port: 0, protocol: SCTP}, {name: a, port: 65536}, {name: b/c, port: 1, protocol: tcp}]"), "failed\n" + `spec.ports[0].protocol: Unsupported value: "SCTP": supported values: "TCP", "UDP"` + "\n" + `spec.ports[0].port: Invalid value: 0: want a port from 1 to 65535` + "\n" + `spec.ports[1].port: Invalid value: 65536: want a port from 1 to 65535` + "\n" + `spec.ports[1].name: Duplicate value: "a"` + "\n" + `spec.ports[2].name: Invalid value: "b/c": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')` + "\n" + `spec.ports[2].protocol: Unsupported value: "tcp": supported values: "TCP", "UDP"`},
		"service/huge port":      {"a number that no machine word holds", serviceWith("clusterIP: 10.96.0.10, ports: [{port: 18446744073709551617}, {port: 4294967376}, {port: 80.0}, {port: '80'}]"), "failed\nspec.ports[0].port: Invalid value: want a whole number\nspec.ports[2].port: Invalid value: want a whole number\nspec.ports[3].port: Invalid value: want a whole number"},
		"service/wrong types":    {"also where another rule would not look", serviceWith("type: 5, clusterIP: [], ports: {port: 80}"), "failed\nspec.type: Invalid value: want text\nspec.clusterIP: Invalid value: want text\nspec.ports: Invalid value: want a list"},
		"service/other letters":  {"fields are spelled one way", serviceWith("ClusterIP: 10.96.0.10, ports: [{Port: 80}]"), `empty: spec.clusterIP is not set: the Service has no address`},
		"endpoints/no service":   {"there is nothing to be endpoints of", endpointsWith(address + ", " + ports), `empty: there is no Service default/web`},
		"endpoints/headless":     {"nothing leads to them", endpointsWith(address+", "+ports) + "---\n" + serviceWith("clusterIP: None"), `empty: Service default/web: spec.clusterIP is None: the Service has no address`},
		"endpoints/type":         {"as the Service itself", endpointsWith(address+", "+ports) + "---\n" + serviceWith("type: LoadBalancer, clusterIP: 10.96.0.10"), `empty: Service default/web: spec.type is "LoadBalancer": only ClusterIP is converted`},
		"endpoints/bad service":  {"what stands stays until the Service is mended", endpointsWith(address+", "+ports) + "---\n" + serviceWith("clusterIP: x"), `retry: Service default/web cannot be read: spec.clusterIP: Invalid value: "x": want an IPv4 address such as 10.96.0.10`},
		"endpoints/odd service":  {"so here", endpointsWith(address+", "+ports) + "---\n" + serviceWith("clusterIP: 5"), `retry: Service default/web cannot be read: spec.clusterIP: Invalid value: want text`},
		"endpoints/none ready":   {"addresses that are not ready are none", endpointsWith("notReadyAddresses: [{ip: 10.1.2.7}], "+ports) + aService, `empty: no subset has both a ready IPv4 address and a port`},
		"endpoints/no subsets":   {"scaled to none", "apiVersion: v1\nkind: Endpoints\nmetadata: {name: web}\n" + aService, `empty: no subset has both a ready IPv4 address and a port`},
		"endpoints/IPv6 alone":   {"what is left is nothing", endpointsWith("addresses: [{ip: 'fd00::7'}], "+ports) + aService, `empty: no subset has both a ready IPv4 address and a port`},
		"endpoints/other ports":  {"only names link ports, and the Service need not have them", endpointsWith(address+", ports: [{name: other, port: 1}]") + aService, `made`},
		"endpoints/faults":       {"every fault, and no exit", endpointsWith("addresses: [{ip: x}, {}], ports: [{port: 8080, protocol: SCTP}]") + aService, "failed\n" + `subsets[0].ports[0].protocol: Unsupported value: "SCTP": supported values: "TCP", "UDP"` + "\n" + `subsets[0].addresses[0].ip: Invalid value: "x": want an IPv4 address such as 10.96.0.10` + "\n" + `subsets[0].addresses[1].ip: Invalid value: "": want an IPv4 address such as 10.96.0.10`},
		"endpoints/wrong types":  {"nulls are no addresses", endpointsWith("addresses: [null, 5], ports: [{port: x}]") + aService, "failed\nsubsets[0].ports[0].port: Invalid value: want a whole number\nsubsets[0].addresses[0]: Invalid value: want a map of fields\nsubsets[0].addresses[1]: Invalid value: want a map of fields"},
		"endpoints/namespace":    {"a Service of that name elsewhere is another", strings.Replace(endpointsWith(address+", "+ports), "name: web", "name: web, namespace: shop", 1) + aService, `empty: there is no Service shop/web`},
		"endpoints/bad place":    {"a namespace is a part of ids", strings.Replace(endpointsWith(ports), "name: web", "name: web, namespace: a/b", 1), `failed` + "\n" + `metadata.namespace: Invalid value: "a/b": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`},
		"long value in messages": {"a message is one line that can be read", serviceWith("clusterIP: '" + strings.Repeat("é", 5000) + "'"), "failed\n" + `spec.clusterIP: Invalid value: "` + strings.Repeat("é", 40) + `…": want an IPv4 address such as 10.96.0.10`},
	} {
		t.Run(name, func(t *testing.T) {
			c, objects := converter(t, nil), read(t, tc.in)
			if diff := cmp.Diff(tc.want, summary(checkLaws(t, c, objects[0], objects))); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
	}
}

// TestReferredIsTheOneThatIsNamed holds that another object than the one that is asked for counts as none.
func TestReferredIsTheOneThatIsNamed(t *testing.T) {
	c := converter(t, nil)
	node, service := read(t, aNode)[0], read(t, serviceWith("clusterIP: 10.96.0.10"))[0]
	pod, endpoints := read(t, podWith("", "spec: {nodeName: n1}\n"))[0], read(t, endpointsWith("addresses: [{ip: 10.1.2.7}], ports: [{port: 1}]"))[0]
	for name, tc := range map[string]struct {
		reason string
		got    Outcome
		want   Verdict
	}{
		"node":          {"this is it", c.Convert(pod, node), Made},
		"service":       {"this, too", c.Convert(endpoints, service), Made},
		"pod as node":   {"a Pod is no Node", c.Convert(pod, pod), Retry},
		"no service":    {"Endpoints are no Service", c.Convert(endpoints, endpoints), Empty},
		"unasked":       {"a Service asks for nothing", c.Convert(read(t, serviceWith("clusterIP: 10.96.0.10, ports: [{port: 1}]"))[0], node), Made},
		"other group's": {"nor is a Node of another group", c.Convert(pod, read(t, strings.Replace(aNode, "v1", "example.org/v1", 1))[0]), Retry},
	} {
		if tc.got.Verdict != tc.want {
			t.Errorf("%s: %s: got %s, want %s", name, tc.reason, tc.got.Verdict, tc.want)
		}
	}
}

// TestMisspelt looks for the field that is meant for one without which nothing is made.
func TestMisspelt(t *testing.T) {
	for name, tc := range map[string]struct{ reason, in, want string }{
		"address":         {"in other letters", serviceWith("clusterIp: 10.96.0.10, ports: [{port: 80}]"), "spec.clusterIp"},
		"ports":           {"a letter less", serviceWith("clusterIP: 10.96.0.10, port: [{port: 80}]"), "spec.port"},
		"spec":            {"on the way, too", "apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspce: {clusterIP: 10.96.0.10}\n", "spce"},
		"node of a pod":   {"likewise", podWith("", "spec: {nodename: n1, hostname: a}\n"), "spec.nodename"},
		"host":            {"an annotation is named as one", nodeWith("midonet.org/hostid: "+hostID, ""), "metadata.annotations[midonet.org/hostid]"},
		"addresses":       {"in elements of lists", endpointsWith("adresses: [{ip: 10.1.2.7}], ports: [{port: 80}]"), "subsets[0].adresses"},
		"null":            {"is as good as absent", serviceWith("clusterIP: null, cluster-ip: a, clusterIPP: a"), "spec.clusterIPP"},
		"there":           {"what is there is not misspelt", serviceWith("clusterIP: None, clusterIp: a, ports: [], port: 1"), ""},
		"other fields":    {"what Kubernetes knows is no slip", serviceWith("type: ExternalName, clusterIPs: [], externalName: a"), ""},
		"nothing like it": {"another reason", podWith("", "spec: {containers: []}\n"), ""},
		"no such kind":    {"is not looked at", "apiVersion: v1\nkind: ConfigMap\nspce: {}\n", ""},
		"wrong types":     {"are reported elsewhere", "apiVersion: v1\nkind: Endpoints\nsubsets: {addresses: 5}\n", ""},
	} {
		got := ""
		if fault := Misspelt(read(t, tc.in)[0]); fault != nil {
			got = fault.Field
		}
		if got != tc.want {
			t.Errorf("%s: %s: got %q, want %q", name, tc.reason, got, tc.want)
		}
	}
}
