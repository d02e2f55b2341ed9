package ocmtest

import (
	"fmt"
	"strings"
	"testing"
)

// Fleet is the package of a small fleet as its author writes it: objects of the kinds that are hard to keep on clusters, a policy, two
// clusters and a pipeline that writes works. The policy selects only the near cluster, until Replace("site: none", "site: edge").
type Fleet struct {
	Namespace string            // of the objects, which NS in a text stands for
	Texts     map[string]string // of the files, by name
	names     *strings.Replacer
}

// NewFleet is the fleet as it begins, on clusters of these names.
func NewFleet(namespace, near, far string) *Fleet {
	f := &Fleet{Namespace: namespace, Texts: map[string]string{}, names: strings.NewReplacer("NS", namespace, "NEAR", near, "FAR", far)}
	f.Options()
	const pod = "    metadata: {labels: {app: x}}\n    spec:\n      containers: [{name: c, image: 'web:1'}]\n"
	f.Texts["namespace.yaml"] = "apiVersion: v1\nkind: Namespace\nmetadata:\n  name: NS\n"
	f.GrowDefinition(20_000)
	f.Add("thing.yaml", "NS.example.com/v1", "Thing", "one", "spec: {size: 1}\n")
	f.Add("banner.yaml", "v1", "ConfigMap", "banner", "data: {text: welcome}\n")
	f.Add("web.yaml", "apps/v1", "Deployment", "web", "spec:\n  selector: {matchLabels: {app: x}}\n  template:\n"+pod)
	f.Add("db.yaml", "apps/v1", "StatefulSet", "db", "spec:\n  serviceName: db\n  selector: {matchLabels: {app: x}}\n  template:\n"+pod)
	f.Add("once.yaml", "batch/v1", "Job", "once",
		"spec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers: [{name: c, image: once}]\n")
	f.Add("data.yaml", "v1", "PersistentVolumeClaim", "data",
		"spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n")
	f.Texts["policy.yaml"] = "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata:\n  name: NS # policy\nspec:\n" +
		"  clusterSelectors:\n  - matchLabels:\n      site: edge\n  downsync:\n  - resources: [\"*\"]\n"
	f.Texts["clusters.yaml"] = "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n" +
		"  - name: NEAR\n    labels:\n      site: edge\n  - name: FAR\n    labels:\n      site: none # far\n"
	return f
}

// Add adds a file with an object that has one label; rest follows its metadata.
func (f *Fleet) Add(file, apiVersion, kind, name, rest string) {
	f.Texts[file] = fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:\n  namespace: NS\n  name: %s\n  labels: {tier: one}\n%s",
		apiVersion, kind, name, rest)
}

// GrowDefinition makes the CustomResourceDefinition about that large.
func (f *Fleet) GrowDefinition(size int) {
	f.Texts["definition.yaml"] = fmt.Sprintf("apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n"+
		"  name: things.NS.example.com\nspec:\n  group: NS.example.com\n"+
		"  scope: Namespaced\n  names: {plural: things, singular: thing, kind: Thing, listKind: ThingList}\n"+
		"  versions:\n  - name: v1\n    served: true\n    storage: true\n"+
		"    schema:\n      openAPIV3Schema:\n        type: object\n        description: %s\n"+
		"        properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}\n", strings.Repeat("word ", size/5))
}

// Options are those of bundle-manifestwork from now on.
func (f *Fleet) Options(lines ...string) {
	f.Texts["Kptfile"] = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipeline:\n  mutators:\n" +
		"  - image: ghcr.io/waybill-dev/bind-resolve\n  - image: ghcr.io/waybill-dev/bundle-manifestwork\n    configMap:\n      wdsName: git\n"
	for _, line := range lines {
		f.Texts["Kptfile"] += "      " + line + "\n"
	}
}

// Replace replaces a text in all files; it must be in one.
func (f *Fleet) Replace(t testing.TB, old, new string) {
	t.Helper()
	found := false
	for name, text := range f.Texts {
		found = found || strings.Contains(text, old)
		f.Texts[name] = strings.ReplaceAll(text, old, new)
	}
	if !found {
		t.Fatalf("no file has %q", old)
	}
}

// Files are the files, with the names of namespace and clusters filled in.
func (f *Fleet) Files() map[string]string {
	files := map[string]string{}
	for name, text := range f.Texts {
		files[name] = f.names.Replace(text)
	}
	return files
}

// Write writes the files to a package; an empty one is deleted.
func (f *Fleet) Write(t testing.TB, p *Package) {
	t.Helper()
	files := map[string][]byte{}
	for name, text := range f.Files() {
		if files[name] = []byte(text); text == "" {
			files[name] = nil
		}
	}
	p.Write(t, files)
}
