package previous

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const scannedHead = "apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: edge\n  name: all-git-0\n  annotations:\n    waybill.dev/generated-by: bundle-manifestwork\n"

// openRole is an object to which fields may be added, those of its metadata first.
const openRole = "spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: Role\n      metadata:\n        name: a\n"

// scanSeeds are specs of works, and whether they can be scanned.
var scanSeeds = map[string]bool{
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        namespace: shop\n        name: a\n      data:\n        text: |\n          - kind: no\n\n          metadata:\n":                                                                                                              true,
	"spec:\n  workload:\n    manifests:\n    - kind: Role\n      metadata:\n        labels:\n          name: other\n        name: \"7\"\n      apiVersion: rbac.authorization.k8s.io/v1\n      rules: []\n    - apiVersion: v1\n      kind: Namespace\n      metadata:\n        name: b\n  manifestConfigs:\n  - resourceIdentifier: {}\n": true,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata: {name: a}\n":                                                                                                                                                                                                                         false,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: null\n":                                                                                                                                                                                                               false,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: &a a\n":                                                                                                                                                                                                               false,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      # a comment\n      metadata:\n        name: a\n":                                                                                                                                                                                               false,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n    - kind: Secret\n      metadata:\n        name: a\n":                                                                                                                                                                                              false,
	"spec:\n  workload:\n    manifests:\n      - apiVersion: v1\n        kind: ConfigMap\n        metadata:\n          name: a\n":                                                                                                                                                                                                          false,
	"spec:\n  workload:\n    manifests: []\n":                                                              false,
	openRole + "  # a comment\n    - apiVersion: v1\n      kind: Role\n      metadata:\n        name: b\n": false,
	openRole + "   \n    - apiVersion: v1\n      kind: Role\n      metadata:\n        name: b\n":           false,
	openRole + "  executor: {}\n": false,
	"spec:\n  workload:\n    manifests:\n            - apiVersion: v1\n              kind: Role\n":                                      false,
	openRole + "      rules:\n      - apiGroups:\n        - \"\"\n        kind: no\n      - verbs: [get]\n      subjects: []\n":         true,
	openRole + "        finalizers:\n        - a/b\n        ownerReferences:\n        - name: no\n          kind: no\n      data: {}\n": true,
	openRole + "      rules: x\n      - a\n":                false,
	openRole + "        finalizers: x\n        - name: b\n": false,
	openRole + "      - a\n":                                false,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: a\n        name: b\n":                              true,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: a\n      data: {k: \"x\n        name: b\"}\n":      true,
	"spec:\n  workload:\n    manifests:\n    - apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        annotations: {k: \"x\n          y\"}\n        name: a\n": true,
}

func TestScanManifests(t *testing.T) {
	for spec, want := range scanSeeds {
		if _, ok := scanIDs([]byte(spec)); ok != want {
			t.Errorf("scanned: %v, want %v:\n%s", ok, want, spec)
		}
	}
}

// scanIDs are the identities of the manifests of a spec, read by a reader that has seen nothing.
func scanIDs(spec []byte) ([]krm.ID, bool) {
	text, ok := manifestsIn(spec)
	if !ok {
		return nil, false
	}
	ids, _, ok := (&sample{}).scan(text, nil, nil)
	return ids, ok
}

// FuzzScan compares a scan with the parser: what both can read is the same.
func FuzzScan(f *testing.F) {
	for spec := range scanSeeds {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		objs, err := krm.ReadLazy("work.yaml", []byte(scannedHead+spec), krm.Limits{}, "spec", fn.GeneratedBy)
		if err != nil || len(objs) != 1 {
			return
		}
		text, unread := objs[0].LazyText()
		scanned, ok := scanIDs(text)
		if !unread || !ok {
			return
		}
		var parsed []krm.ID
		for _, m := range manifest.InWork(objs[0]) {
			parsed = append(parsed, krm.FromNode(m).ID())
		}
		if objs[0].Fault() != nil {
			return
		}
		if d := cmp.Diff(parsed, scanned); d != "" {
			t.Errorf("(-parsed +scanned):\n%s", d)
		}
	})
}
