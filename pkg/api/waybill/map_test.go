package waybill_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// mapKinds have each field there is.
var mapKinds = map[string]struct {
	into any
	text string
}{
	"MapController": {new(waybill.MapController), `
apiVersion: waybill.dev/v1alpha1
kind: MapController
metadata: {name: copies}
spec:
  parentResource: {apiVersion: example.org/v1, resource: policies, kind: Policy, labelSelector: {matchLabels: {a: b}}, ignoreStatusChanges: true}
  inputResources: [{apiVersion: v1, resource: services, kind: Service, labelSelector: {matchLabels: {a: b}}}]
  outputResources: [{apiVersion: v1, resource: configmaps, kind: ConfigMap, updateStrategy: {method: Recreate}}]
  resyncPeriodSeconds: 60
  view: Complete
  allowEmpty: true
  maxDeletions: 10%
  adopt: Preserve
  statusMode: InPlace
  hooks:
    map:
      version: v2
      webhook:
        url: https://a
        service: {name: a, namespace: b, port: 8080, protocol: https}
        path: /map
        timeout: 5s
        etag: {enabled: true, cacheTimeoutSeconds: 60, cacheCleanupSeconds: 10}
        responseUnMarshallMode: strict
        caBundle: {inline: x, secretRef: {name: a, namespace: b, key: c}, configMapRef: {name: a, namespace: b, key: c}}
        clientTLS: {secretRef: {name: a, namespace: b}, certKey: c, privateKeyKey: d}
        authorization: {type: Bearer, secretRef: {name: a, namespace: b, key: c}}
        basicAuth: {secretRef: {name: a, namespace: b}, usernameKey: c, passwordKey: d}
    tombstone: {function: {name: a, exec: b, image: c}}
    finalize: {cel: {expression: "[]"}}
    customize: {cel: {expression: "[]"}}
  endpointConfigs:
  - host: a.example:8443
    caBundle: {inline: x}
    clientTLS: {secretRef: {name: a, namespace: b}}
    authorization: {secretRef: {name: a, namespace: b, key: c}}
    basicAuth: {secretRef: {name: a, namespace: b}}
status:
  conditions: [{type: Ready, status: "True", reason: Valid, message: m, lastTransitionTime: "2026-01-01T00:00:00Z"}]
  observedGeneration: 2
`},
	"MapRequest": {new(waybill.MapRequest), `
apiVersion: waybill.dev/v1alpha1
kind: MapRequest
metadata: {name: a}
controller: {kind: MapController}
parent: {kind: Policy, n: 9007199254740993}
mapKey: m1-0
tombstone: true
finalizing: true
reason: InputMissing
related: {Secret.v1: {a: {kind: Secret}}}
`},
	"RelatedResources": {new(waybill.RelatedResources), `
apiVersion: waybill.dev/v1alpha1
kind: RelatedResources
metadata: {name: a}
relatedResources: [{apiVersion: v1, resource: secrets, kind: Secret, labelSelector: {matchLabels: {a: b}}, namespace: n, namespaceSelector: {matchLabels: {a: b}}, names: [x]}]
`},
	"HookRecording": {new(waybill.HookRecording), `
apiVersion: waybill.dev/v1alpha1
kind: HookRecording
metadata: {name: a}
spec: {responses: {abc: {outputs: [{n: 9007199254740993}]}}}
`},
}

func TestMapKindsKeepEveryField(t *testing.T) {
	for name, tc := range mapKinds {
		o := object(t, tc.text)
		if err := o.Decode(tc.into); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, err := krm.CanonicalJSON(o.Node())
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []any{tc.into, tc.into.(runtime.Object).DeepCopyObject()} {
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			again, err := krm.CanonicalJSON(object(t, string(data)).Node())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), string(again)); diff != "" {
				t.Errorf("%s: a field is lost (-want +got):\n%s", name, diff)
			}
		}
	}
}

func TestMapKindsAreRegistered(t *testing.T) {
	scheme := runtime.NewScheme()
	if err := waybill.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	for name, tc := range mapKinds {
		got, err := scheme.New(waybill.GroupVersion.WithKind(name))
		if err != nil || reflect.TypeOf(got) != reflect.TypeOf(tc.into) {
			t.Errorf("%s is a %T, %v", name, got, err)
		}
	}
}
