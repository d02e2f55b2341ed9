package midonet

import "testing"

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
		"wrong types":     {"are told of elsewhere", "apiVersion: v1\nkind: Endpoints\nsubsets: {addresses: 5}\n", ""},
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
