package mapcontroller_test

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/mapcontroller"
	"github.com/waybill-dev/waybill/pkg/workload"
)

// TestConnectionSettings has settings that only a live controller uses: without a network they are validated all the same.
func TestConnectionSettings(t *testing.T) {
	const token = "authorization: {secretRef: {name: a, namespace: b, key: c}}"
	for name, tc := range map[string]struct{ reason, version, resource, webhook, spec, want string }{
		"fine":         {"Secrets need not be there", "waybill.dev/v1alpha1", "kind: Policy", token, "endpointConfigs: [{host: a, " + token + "}]", ""},
		"proposed":     {"the proposal's machinery had them", "metacontroller.k8s.io/v1alpha1", "resource: policies", token, "endpointConfigs: [{host: a, " + token + "}]", ""},
		"no host":      {"an entry is for a host", "waybill.dev/v1alpha1", "kind: Policy", token, "endpointConfigs: [{host: 'https://a'}]", "spec.endpointConfigs[0].host: Invalid value: want a host, with a port if that is not the usual one"},
		"no namespace": {"a MapController has none", "waybill.dev/v1alpha1", "kind: Policy", "basicAuth: {secretRef: {name: a, namespace: ''}}", "", "spec.hooks.map.webhook.basicAuth.secretRef.namespace: Required value: a MapController has no namespace of its own"},
		"slip":         {"a request without credentials is no answer to a slip", "waybill.dev/v1alpha1", "kind: Policy", "clientTls: {}", "", "spec.hooks.map.webhook.clientTls: Forbidden: unknown field"},
	} {
		t.Run(name, func(t *testing.T) {
			items := read(t, `{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, metadata: {name: policies.example.org},
				spec: {group: example.org, scope: Namespaced, names: {kind: Policy, plural: policies}, versions: [{name: v1}]}}`)
			types, errs := workload.TypesOf(items)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			config := read(t, `{apiVersion: `+tc.version+`, kind: MapController, metadata: {name: c}, spec: {
				parentResource: {apiVersion: example.org/v1, `+tc.resource+`}, inputResources: [{apiVersion: v1, resource: services}],
				outputResources: [{apiVersion: v1, resource: configmaps}], hooks: {map: {webhook: {url: "http://a", `+tc.webhook+`}}}, `+tc.spec+`}}`)
			_, err := mapcontroller.New(config[0], types, mapcontroller.Offline{})
			if (err == nil) != (tc.want == "") || err != nil && !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%s: want %q, got %v", tc.reason, tc.want, err)
			}
		})
	}
}
