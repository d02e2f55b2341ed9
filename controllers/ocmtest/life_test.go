package ocmtest

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// TestLifeOfAFleet leads a package through what happens to fleets. After every step each object that a cluster got before
// and still gets has the uid that it had: no agent deleted and created it.
func TestLifeOfAFleet(t *testing.T) {
	s := newSite(t)
	l := &life{site: s, far: s.Member.hub.Join(t, "life-far"), files: map[string]string{}, uids: map[string]string{}}
	l.start()
	l.step(t, "start", nil)
	s.FinishJob(t, s.namespace, "once")
	s.BindClaim(t, s.namespace, "data")

	l.step(t, "image", func() { l.files["web.yaml"] = strings.Replace(l.files["web.yaml"], "web:1", "web:2", 1) })
	l.step(t, "label of everything", func() { l.replaceAll("tier: one", "tier: two") })
	l.step(t, "label removed", func() { l.files["banner.yaml"] = strings.Replace(l.files["banner.yaml"], "tier: two", "", 1) })
	if labels := s.get(t, "v1", "ConfigMap", "banner").GetLabels(); labels["tier"] != "" {
		t.Errorf("a label that left the object is still on the cluster: %v", labels)
	}
	l.step(t, "object added", func() { l.files["aaa.yaml"] = l.object("v1", "ConfigMap", "aaa", "data: {key: value}\n") })
	l.step(t, "object removed", func() { delete(l.files, "aaa.yaml") })
	if s.get(t, "v1", "ConfigMap", "aaa") != nil {
		t.Error("an object that left the package is still on the cluster")
	}
	l.step(t, "definition grown", func() { l.files["definition.yaml"] = l.definition(100_000) })
	l.step(t, "cluster joined", func() { l.replaceAll("site: none", "site: edge") })
	if l.far.Get(t, "apps/v1", "StatefulSet", s.namespace, "db") == nil {
		t.Fatal("the cluster that joined has no StatefulSet")
	}
	l.step(t, "cluster left", func() { l.options("whenClusterLeaves: orphan"); l.replaceAll("site: edge # far", "site: none # far") })
	l.step(t, "cluster left, finished", func() { l.options("whenClusterLeaves: orphan", "handOver: finish") })
	db := l.far.Get(t, "apps/v1", "StatefulSet", s.namespace, "db")
	if db == nil || len(Owners(db)) > 0 {
		t.Errorf("the cluster that left has lost its StatefulSet, or a work still owns it: %v", db)
	}
	l.step(t, "policy renamed", func() { l.options(); l.replaceAll("name: NS # policy", "name: NS-2 # policy") })
	l.step(t, "policy renamed, finished", func() { l.options("handOver: finish") })
	l.step(t, "packed again", func() { l.options("assignment: sequential", "maxObjects: '3'") })
	l.step(t, "packed again, finished", func() { l.options("assignment: sequential", "maxObjects: '3'", "handOver: finish") })
	if owners := Owners(s.get(t, "apps/v1", "StatefulSet", "db")); len(owners) != 1 {
		t.Errorf("want one work to own the StatefulSet in the end, got %q", owners)
	}
}

// life is a package that changes. In its files NS stands for the site's namespace and CLUSTER for its cluster.
type life struct {
	*site
	far   *Member
	pkg   Package
	files map[string]string
	uids  map[string]string // of the objects on the site's cluster
}

// step changes the package, renders it, brings it to the hub, and compares uids when the agents are done.
func (l *life) step(t *testing.T, name string, change func()) {
	t.Helper()
	if change != nil {
		change()
	}
	l.write(t)
	works := l.pkg.Render(t)
	l.Push(t, works...)
	l.Converge(t)
	uids := map[string]string{}
	for _, w := range works {
		if w.GetNamespace() != l.Name {
			continue
		}
		manifests, _, err := unstructured.NestedSlice(w.Object, "spec", "workload", "manifests")
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range manifests {
			o := &unstructured.Unstructured{Object: m.(map[string]any)}
			key := o.GetKind() + " " + o.GetNamespace() + "/" + o.GetName()
			live := l.Get(t, o.GetAPIVersion(), o.GetKind(), o.GetNamespace(), o.GetName())
			if live == nil {
				t.Fatalf("%s: %s is not on the cluster", name, key)
			}
			uids[key] = string(live.GetUID())
			if before, known := l.uids[key]; known && before != uids[key] {
				t.Errorf("%s: %s was deleted and created again", name, key)
			}
		}
	}
	l.uids = uids
}

func (l *life) write(t *testing.T) {
	files := map[string][]byte{"aaa.yaml": nil}
	fill := strings.NewReplacer("NS", l.namespace, "CLUSTER", l.Name)
	for name, text := range l.files {
		if files[name] = []byte(fill.Replace(text)); text == "" {
			files[name] = nil
		}
	}
	l.pkg.Write(t, files)
}

func (l *life) replaceAll(old, new string) {
	for name, text := range l.files {
		l.files[name] = strings.ReplaceAll(text, old, new)
	}
}

// options are those of bundle-manifestwork from now on.
func (l *life) options(lines ...string) {
	l.files["Kptfile"] = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n" +
		"  - image: ghcr.io/waybill-dev/bind-resolve\n  - image: ghcr.io/waybill-dev/bundle-manifestwork\n    configMap:\n      wdsName: git\n"
	for _, line := range lines {
		l.files["Kptfile"] += "      " + line + "\n"
	}
}

func (l *life) object(apiVersion, kind, name, rest string) string {
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  namespace: NS\n  name: %s\n  labels: {tier: one}\n%s", apiVersion, kind, name, rest)
}

// definition is a CustomResourceDefinition of about that size.
func (l *life) definition(size int) string {
	return fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: things.NS.example.com\nspec:\n  group: NS.example.com\n"+
		"  scope: Namespaced\n  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}\n  versions:\n  - name: v1\n    served: true\n    storage: true\n"+
		"    schema:\n      openAPIV3Schema:\n        type: object\n        description: %s\n        properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}\n",
		strings.Repeat("word ", size/5))
}

// start writes the package as it is in the beginning: the far cluster gets nothing yet.
func (l *life) start() {
	l.options()
	const pod = "    metadata: {labels: {app: x}}\n    spec:\n      containers: [{name: c, image: 'web:1'}]\n"
	l.files["namespace.yaml"] = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: NS\n"
	l.files["definition.yaml"] = l.definition(20_000)
	l.files["thing.yaml"] = l.object("NS.example.com/v1", "Thing", "one", "spec: {size: 1}\n")
	l.files["banner.yaml"] = l.object("v1", "ConfigMap", "banner", "data: {text: welcome}\n")
	l.files["web.yaml"] = l.object("apps/v1", "Deployment", "web", "spec:\n  selector: {matchLabels: {app: x}}\n  template:\n"+pod)
	l.files["db.yaml"] = l.object("apps/v1", "StatefulSet", "db", "spec:\n  serviceName: db\n  selector: {matchLabels: {app: x}}\n  template:\n"+pod)
	l.files["once.yaml"] = l.object("batch/v1", "Job", "once", "spec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: c, image: once}]\n")
	l.files["data.yaml"] = l.object("v1", "PersistentVolumeClaim", "data", "spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n")
	l.files["policy.yaml"] = "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata:\n  name: NS # policy\nspec:\n  clusterSelectors:\n" +
		"  - matchLabels:\n      site: edge\n  downsync:\n  - resources: [\"*\"]\n"
	l.files["clusters.yaml"] = "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n" +
		"  - name: CLUSTER\n    labels:\n      site: edge\n  - name: life-far\n    labels:\n      site: none # far\n"
}
