package workload

import "testing"

func TestKnowsResource(t *testing.T) {
	const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gateways.example.io}
spec: {group: example.io, scope: Namespaced, names: {kind: Gateway, plural: gateways}}
`
	r := resources(t, parse(t, definition))
	cases := map[string]struct {
		reason, group, plural string
		want                  bool
	}{
		"built in":      {"the table counts", "apps", "deployments", true},
		"defined":       {"a CustomResourceDefinition counts", "example.io", "gateways", true},
		"another group": {"a plural belongs to its group", "", "deployments", false},
		"a kind":        {"a kind is no plural", "apps", "Deployment", false},
		"a guess":       {"guesses are no knowledge", "example.io", "gatewaies", false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := r.KnowsResource(tc.group, tc.plural); got != tc.want {
				t.Errorf("%s: got %t", tc.reason, got)
			}
		})
	}
}
