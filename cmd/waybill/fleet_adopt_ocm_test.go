package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/yaml"

	"github.com/waybill-dev/waybill/controllers/ocmtest"
)

// adoptedPackage is exported from KubeStellar. NS is its namespace and policy, SPACE the option wdsName.
const adoptedPackage = `
-- Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: adopted
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve
  - image: ghcr.io/waybill-dev/bundle-manifestwork
    configMap:
      wdsName: SPACE
-- policy.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: NS}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync:
  - {resources: [namespaces], objectNames: [NS]}
  - {resources: ["*"], namespaces: [NS]}
-- clusters.yaml --
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: shared, labels: {site: edge}}
`

// adoptedObjects are what KubeStellar sends, in the order of a Binding.
const adoptedObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: NS}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: NS}
data: {text: welcome}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: data, namespace: NS}
spec:
  accessModes: [ReadWriteOnce]
  resources: {requests: {storage: 1Gi}}
---
apiVersion: v1
kind: Secret
metadata: {name: password, namespace: NS}
stringData: {password: hunter2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: NS}
spec:
  selector: {matchLabels: {app: x}}
  template:
    metadata: {labels: {app: x}}
    spec: {containers: [{name: c, image: "web:1"}]}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: NS}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: c, image: "db:1"}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: once, namespace: NS}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: c, image: "once:1"}]
`

// TestAdopt takes a hub over that KubeStellar has fed. No cluster deletes an object and creates it again.
func TestAdopt(t *testing.T) {
	const uid = "%08d-5cf5-44d6-9d8e-0d4c0bbb0000"
	cases := map[string]struct {
		reason, space string
		name          string // of a work, of its number
		objects       int    // in one work
		want          string // kept and handed over
	}{
		"adopt-uids":    {"works of one object each, as the chart installs KubeStellar", "wds1", uid + "-wds1-7e1ffa02-a1c3-4b77-b3e3-31b1ab9a4c0d", 1, "0 7"},
		"adopt-shards":  {"works of several objects keep their names", "wds1", "NS-wds1-%d", 3, "7 0"},
		"adopt-renamed": {"another wdsName gives the works other names", "git", "NS-wds1-%d", 4, "0 7"},
	}
	hub, member := ocmtest.SharedHub(t), ocmtest.SharedMember(t)
	config := hub.Kubeconfig(t, hub.Admin())
	for ns, tc := range cases {
		t.Run(ns, func(t *testing.T) {
			a := &adoption{hub: hub, member: member, ns: ns}
			works := a.kubeStellar(t, tc.name, tc.objects)
			t.Chdir(writeArchive(t, strings.NewReplacer("NS", ns, "SPACE", tc.space).Replace(adoptedPackage)))
			writeFile(t, "objects.yaml", strings.ReplaceAll(adoptedObjects, "NS", ns), 0o644)
			before := a.uids(t)

			r := runCLI(t, "fleet", "adopt", "--kubeconfig", config, "--write")
			want := fmt.Sprintf("shared %s %d 7 %s 0", ns, len(works), tc.want)
			if got := collapseSpaces(r.stdout); r.code != exitDone || !strings.HasSuffix(got, want) {
				t.Fatalf("%s: want %q, got %d %q %q", tc.reason, want, r.code, r.stdout, r.stderr)
			}
			agent := hub.GitOps()
			deliver := func(step string) {
				t.Helper()
				agent.Push(t, ocmtest.Works(t, "clusters")...)
				agent.Converge(t)
				if diff := cmp.Diff(before, a.uids(t)); diff != "" {
					t.Errorf("%s: objects were deleted and created again (-before +after):\n%s", step, diff)
				}
			}
			deliver("take-over")
			writeFile(t, "Kptfile", strings.Replace(readText(t, "Kptfile"), "      wdsName: ", "      handOver: finish\n      wdsName: ", 1), 0o644)
			writeFile(t, "objects.yaml", strings.Replace(readText(t, "objects.yaml"), "web:1", "web:2", 1), 0o644)
			mustRun(t, "fn", "render")
			deliver("finish")
			a.checkOwners(t, works, tc.want == "7 0")
			if image := fmt.Sprint(member.Get(t, "apps/v1", "Deployment", ns, "web").Object["spec"]); !strings.Contains(image, "web:2") {
				t.Errorf("a later change does not arrive: %s", image)
			}
			if r := runCLI(t, "fleet", "adopt", "--kubeconfig", config, "--exit-code"); r.code != exitDone || !strings.Contains(r.stderr, "Nothing to take over") {
				t.Errorf("a second time: %d %q %q", r.code, r.stdout, r.stderr)
			}
		})
	}
}

// adoption is a hub with works of one policy, and the cluster that applies them.
type adoption struct {
	hub    *ocmtest.Hub
	member *ocmtest.Member
	ns     string
}

// objects are those that KubeStellar sends.
func (a *adoption) objects(t *testing.T) (out []map[string]any) {
	t.Helper()
	for text := range strings.SplitSeq(strings.ReplaceAll(adoptedObjects, "NS", a.ns), "\n---\n") {
		var o map[string]any
		if err := yaml.Unmarshal([]byte(text), &o); err != nil {
			t.Fatal(err)
		}
		out = append(out, o)
	}
	return out
}

// kubeStellar creates works as KubeStellar's transport controller does, and waits until the cluster has applied them.
func (a *adoption) kubeStellar(t *testing.T, name string, size int) (works []*unstructured.Unstructured) {
	t.Helper()
	for part := range slices.Chunk(a.objects(t), size) {
		spec := map[string]any{"workload": map[string]any{"manifests": part}}
		if slices.ContainsFunc(part, func(o map[string]any) bool { return o["kind"] == "ConfigMap" }) { // this one is createOnly
			spec["manifestConfigs"] = []any{map[string]any{"updateStrategy": map[string]any{"type": "CreateOnly"},
				"resourceIdentifier": map[string]any{"group": "", "resource": "configmaps", "namespace": a.ns, "name": "settings"}}}
		}
		data, err := json.Marshal(map[string]any{"apiVersion": "work.open-cluster-management.io/v1", "kind": "ManifestWork", "spec": spec,
			"metadata": map[string]any{"namespace": a.member.Name, "name": strings.ReplaceAll(fmt.Sprintf(name, len(works)), "NS", a.ns),
				"annotations": map[string]any{"transport.kubestellar.io/originOwnerReferenceBindingGeneration": "4"},
				"labels": map[string]any{"transport.kubestellar.io/originOwnerReferenceBindingKey": a.ns,
					"transport.kubestellar.io/originWdsName": "wds1"}}})
		w := &unstructured.Unstructured{}
		if err := errors.Join(err, w.UnmarshalJSON(data)); err != nil {
			t.Fatal(err)
		}
		if err := a.hub.Client.Create(t.Context(), w, client.FieldOwner("transport-controller")); err != nil {
			t.Fatal(err)
		}
		works = append(works, w)
	}
	for began := time.Now(); len(a.uids(t)) < 7; time.Sleep(20 * time.Millisecond) {
		if time.Since(began) > time.Minute {
			t.Fatalf("the cluster has only %v", slices.Sorted(maps.Keys(a.uids(t))))
		}
	}
	a.member.FinishJob(t, a.ns, "once")
	a.member.BindClaim(t, a.ns, "data")
	return works
}

// uids are those of the objects on the cluster.
func (a *adoption) uids(t *testing.T) map[string]string {
	t.Helper()
	uids := map[string]string{}
	for _, o := range a.objects(t) {
		u := unstructured.Unstructured{Object: o}
		if live := a.member.Get(t, u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName()); live != nil {
			uids[u.GetKind()] = string(live.GetUID())
		}
	}
	return uids
}

// checkOwners wants one work to own each object, none those that hold data and stay without a work, and the earlier works to be gone unless they are kept.
func (a *adoption) checkOwners(t *testing.T, works []*unstructured.Unstructured, kept bool) {
	t.Helper()
	for _, o := range a.objects(t) {
		u := unstructured.Unstructured{Object: o}
		live := a.member.Get(t, u.GetAPIVersion(), u.GetKind(), u.GetNamespace(), u.GetName())
		owners := ocmtest.Owners(live)
		if u.GetKind() == "Namespace" || u.GetKind() == "PersistentVolumeClaim" {
			if len(owners) > 0 {
				t.Errorf("%s stays by default, and is owned by %q", u.GetKind(), owners)
			}
			continue
		}
		if len(owners) != 1 || kept != slices.ContainsFunc(works, func(w *unstructured.Unstructured) bool { return w.GetName() == owners[0] }) {
			t.Errorf("%s is owned by %q", u.GetKind(), owners)
		}
	}
	for _, w := range works {
		err := a.hub.Client.Get(t.Context(), client.ObjectKeyFromObject(w), w.DeepCopy())
		if kept != (err == nil) || client.IgnoreNotFound(err) != nil {
			t.Errorf("work %s: want it to be there: %v, got %v", w.GetName(), kept, err)
		}
	}
}
