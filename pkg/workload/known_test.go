package workload

import "testing"

func TestKnowsResource(t *testing.T) {
	r := resources(t, parse(t, gatewayDefinition))
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

const gatewayDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gateways.example.io}
spec: {group: example.io, scope: Namespaced, names: {kind: Gateway, plural: gateways}}
`

func TestCouldMean(t *testing.T) {
	r := resources(t, parse(t, gatewayDefinition))
	cases := map[string]struct {
		reason, plural, group, kind string
		anyGroup, want              bool
	}{
		"Guess":          {"the guess is meant", "widgets", "x.io", "Widget", true, true},
		"Nobodys":        {"a word that is no plural known may be that of any kind", "wodgets", "x.io", "Widget", true, true},
		"NobodysInGroup": {"the same where the group is named", "wodgets", "x.io", "Widget", false, true},
		"Anothers":       {"who writes deployments means Deployments", "deployments", "x.io", "Widget", true, false},
		"AnothersHere":   {"unless no kind of the group that is named has that plural", "deployments", "x.io", "Widget", false, true},
		"Taken":          {"a plural of the group is that of its kind", "gateways", "example.io", "Widget", false, false},
		"SameKind":       {"a kind of the same name in another group suggests the plural", "gateways", "x.io", "Gateway", true, true},
		"OtherKind":      {"to other kinds it does not", "gateways", "x.io", "Widget", true, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if got := r.CouldMean(tc.plural, tc.group, tc.kind, tc.anyGroup); got != tc.want {
				t.Errorf("%s: got %t", tc.reason, got)
			}
		})
	}
}
