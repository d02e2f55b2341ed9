package ocmcheck

import (
	"strings"
	"testing"
)

// TestLiterals looks at configs about one object whose name is a pattern to agents.
func TestLiterals(t *testing.T) {
	const head = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata: {namespace: edge1, name: w}\nspec:\n  workload:\n    manifests:\n" +
		"    - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: 'app*'}}\n    - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: app-two}}\n" +
		"    - {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRoleBinding, metadata: {name: app-two}}\n  manifestConfigs:\n"
	config := func(namespace, name, strategy string) string {
		return "  - resourceIdentifier: {group: rbac.authorization.k8s.io, resource: clusterroles, namespace: '" + namespace + "', name: '" + name + "'}\n    updateStrategy: {type: " + strategy + "}\n"
	}
	const fault = `is about "app*", and agents take it for "app-two" as well, which is to have `
	cases := map[string]struct{ reason, configs, want string }{
		"Default":  {"what no other config is about is updated", config("", "app*", "CreateOnly"), fault + "Update"},
		"General":  {"or has the strategy of all", config("", "app*", "CreateOnly") + config("*", "*", "ServerSideApply"), fault + "ServerSideApply"},
		"Own":      {"or one of its own", config("", "app*", "Update") + config("", "app-two", "CreateOnly"), fault + "CreateOnly"},
		"Before":   {"before it, too: some agents prefer another order", config("", "app-two", "CreateOnly") + config("", "app*", "Update"), fault + "CreateOnly"},
		"Same":     {"the same is no fault", config("", "app*", "CreateOnly") + config("", "app-two", "CreateOnly"), ""},
		"Patterns": {"nor is a config that is about all", config("*", "*", "CreateOnly"), ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(Violations(parse(t, head+tc.configs), DefaultManifestLimit), "; ")
			if (tc.want == "") != !strings.Contains(got, "is about") || !strings.Contains(got, tc.want) {
				t.Errorf("%s: %q, want %q", tc.reason, got, tc.want)
			}
		})
	}
}
