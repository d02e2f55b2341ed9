package ocmtest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// departing are the objects of TestDeletion by name: what they are, and on which clusters of which option they stay.
var departing = map[string]struct{ apiVersion, kind, namespace, stays string }{
	"NS-own":                {"v1", "Namespace", "", "default"},
	"things.NS.example.com": {"apiextensions.k8s.io/v1", "CustomResourceDefinition", "", "default"},
	"NS-disk":               {"v1", "PersistentVolume", "", "default"},
	"data":                  {"v1", "PersistentVolumeClaim", "NS", "default"},
	"seed":                  {"v1", "PersistentVolumeClaim", "NS", "default"}, // create-only
	"scratch":               {"v1", "PersistentVolumeClaim", "NS", "never"},   // annotated
	"kept":                  {"v1", "ConfigMap", "NS", "always"},              // annotated
	"cfg":                   {"v1", "ConfigMap", "NS", "orphan"}, "db": {"apps/v1", "StatefulSet", "NS", "orphan"},
	"once": {"v1", "ConfigMap", "NS", "orphan"}, "mine": {"v1", "ConfigMap", "NS", "orphan"}, // create-only; mine was there before
}

// TestDeletion removes objects from a cluster in each way, under each propagation policy, and says what stays.
func TestDeletion(t *testing.T) {
	events := map[string]func(*departure){
		"cluster leaves": func(d *departure) { d.Replace(t, "site: edge # here", "site: none # here") },
		"policy goes":    func(d *departure) { d.Texts["policy.yaml"] = "" },
		"unselected":     func(d *departure) { d.Replace(t, "ship: 'yes'", "ship: 'no'") },
	}
	stay := map[string][]string{"default": {"always", "default"}, "orphan": {"always", "default", "orphan"}, "delete": {"always"}}
	for _, way := range []struct {
		name, want string
		begin      func(*departure) // before the objects come to the cluster
		later      func(*departure) // while they are there
	}{
		{"no option", "default", nil, nil},
		{"option Orphan", "orphan", func(d *departure) { d.Options("propagationPolicy: Orphan") }, nil},
		{"option Foreground", "delete", func(d *departure) { d.Options("propagationPolicy: Foreground") }, nil},
		{"policy says Orphan", "orphan", func(d *departure) { d.annotatePolicy("Orphan") }, nil},
		{"policy says Foreground", "delete", func(d *departure) { d.annotatePolicy("Foreground") }, nil},
		{"Orphan from now on", "orphan", nil, func(d *departure) { d.annotatePolicy("Orphan") }},
		{"the way back", "delete", func(d *departure) { d.annotatePolicy("Orphan") }, func(d *departure) { d.annotatePolicy("Foreground") }},
		{"option Orphan, by Update", "orphan", func(d *departure) { d.Options("propagationPolicy: Orphan", "updateStrategy: Update") }, nil},
		{"no option, one object each", "default", func(d *departure) { d.Options("maxObjects: '1'") }, nil},
	} {
		for event, happens := range events {
			t.Run(way.name+", "+event, func(t *testing.T) {
				d := newDeparture(t)
				if way.begin != nil {
					way.begin(d)
				}
				d.render(t)
				before := d.uids(t)
				if way.later != nil {
					way.later(d)
					d.render(t)
				}
				happens(d)
				d.check(t, stay[way.want], before)
			})
		}
	}
	for event, happens := range events {
		t.Run("works of an earlier release, "+event, func(t *testing.T) {
			d := newDeparture(t)
			d.earlier = true
			d.render(t)
			before := d.uids(t)
			d.earlier = false
			happens(d)
			d.check(t, []string{"always", "default"}, before)
			d.Options("handOver: finish")
			d.check(t, []string{"always", "default"}, before)
			if owners := Owners(d.get(t, "v1", "PersistentVolumeClaim", "data")); len(owners) > 0 {
				t.Errorf("works still own the claim: %q", owners)
			}
		})
	}
}

// TestReturn lets a cluster leave and come back: what stayed is the same object.
func TestReturn(t *testing.T) {
	d := newDeparture(t)
	d.render(t)
	before := d.uids(t)
	d.Replace(t, "site: edge # here", "site: none # here")
	d.check(t, []string{"always", "default"}, before)
	d.Replace(t, "site: none # here", "site: edge # here")
	d.render(t)
	after := d.uids(t)
	for name, o := range departing {
		if same := before[name] == after[name]; same != (o.stays == "default" || o.stays == "always") || after[name] == "" {
			t.Errorf("%s: the same as before: %t", name, same)
		}
	}
}

// departure is a package for the site's cluster and another one, whose objects leave the cluster.
type departure struct {
	*site
	*Fleet
	pkg     Package
	earlier bool // works say nothing about deletion
}

func newDeparture(t *testing.T) *departure {
	s := newSite(t)
	d := &departure{site: s, Fleet: NewFleet(s.namespace, s.Name, "elsewhere")}
	_, definition, _ := strings.Cut(d.Texts["definition.yaml"], "\nspec:")
	maps.DeleteFunc(d.Texts, func(name, _ string) bool { return name != "Kptfile" })
	const label, made = ", labels: {ship: 'yes'}", ", labels: {ship: 'yes', once: 'yes'}"
	for name, o := range departing {
		labels, spec, annotations := label, "", ""
		if name == "seed" || name == "once" || name == "mine" {
			labels = made
		}
		switch o.stays {
		case "always":
			annotations = ", annotations: {waybill.dev/propagation-policy: Orphan}"
		case "never":
			annotations = ", annotations: {waybill.dev/propagation-policy: Foreground}"
		}
		namespace := ""
		if o.namespace != "" {
			namespace = ", namespace: NS"
		}
		switch o.kind {
		case "PersistentVolume":
			spec = "spec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], hostPath: {path: /x}}\n"
		case "PersistentVolumeClaim":
			spec = "spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}\n"
		case "ConfigMap":
			spec = "data: {key: value}\n"
		case "StatefulSet":
			spec = "spec:\n  serviceName: db\n  selector: {matchLabels: {app: x}}\n  template:\n    metadata: {labels: {app: x}}\n    spec:\n      containers: [{name: c, image: i}]\n"
		case "CustomResourceDefinition":
			spec = "spec:" + definition
		}
		d.Texts[name+".yaml"] = fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: %s%s%s%s}\n%s", o.apiVersion, o.kind, name, namespace, labels, annotations, spec)
	}
	policy := func(name, site, downsync string) string {
		return "apiVersion: control.kubestellar.io/v1alpha1\nkind: BindingPolicy\nmetadata:\n  name: " + name + "\n  annotations: {waybill.dev/allow-empty-selection: 'true'} # policy\nspec:\n  clusterSelectors:\n  - matchLabels: {" + site + "}\n  downsync:\n" + downsync
	}
	d.Texts["anchor.yaml"] = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: anchor, namespace: NS, labels: {ship: anchor}}\n"
	d.Texts["policy.yaml"] = policy("NS", "site: edge", "  - objectSelectors: [{matchLabels: {ship: \"yes\"}}]\n  - objectSelectors: [{matchLabels: {ship: \"yes\", once: \"yes\"}}]\n    createOnly: true\n  - objectSelectors: [{matchLabels: {ship: anchor}}]\n")
	d.Texts["other.yaml"] = strings.Replace(policy("NS-other", "any: cluster", "  - objectSelectors: [{matchLabels: {ship: anchor}}]\n"), " # policy", "", 1)
	d.Texts["clusters.yaml"] = "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata: {name: fleet}\nspec:\n  clusters:\n" +
		"  - name: NEAR\n    labels:\n      any: cluster\n      site: edge # here\n  - {name: FAR, labels: {site: edge, any: cluster}}\n"
	mine := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: d.site.namespace, Name: "mine"}}
	if err := d.Client.Create(t.Context(), mine); err != nil {
		t.Fatal(err)
	}
	return d
}

// annotatePolicy gives the policy of the objects the annotation.
func (d *departure) annotatePolicy(policy string) {
	head, rest, _ := strings.Cut(d.Texts["policy.yaml"], "  annotations: ")
	_, rest, _ = strings.Cut(rest, "\n")
	d.Texts["policy.yaml"] = head + "  annotations: {waybill.dev/allow-empty-selection: 'true', waybill.dev/propagation-policy: " + policy + "} # policy\n" + rest
}

// render renders the package, brings the works of the site's cluster to the hub, and waits for the agent.
func (d *departure) render(t *testing.T) {
	t.Helper()
	d.push(t)
	d.Converge(t)
}

func (d *departure) push(t *testing.T) {
	t.Helper()
	d.Write(t, &d.pkg)
	all := d.pkg.Render(t)
	if d.earlier {
		files := map[string][]byte{}
		for path, blob := range d.pkg.tree.Sub("clusters").All() {
			head, _, _ := strings.Cut(string(blob.Data()), "\n  deleteOption:") // the last field
			files["clusters/"+path] = []byte(strings.TrimSuffix(head, "\n") + "\n")
		}
		d.pkg.Write(t, files)
		all = works(t, d.pkg.tree.Sub("clusters"))
	}
	ours := slices.DeleteFunc(all, func(w *unstructured.Unstructured) bool { return w.GetNamespace() != d.Name })
	d.Push(t, ours...)
}

// uids are those of the objects that are there and not about to go, by name.
func (d *departure) uids(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name, o := range departing {
		fill := strings.NewReplacer("NS", d.namespace).Replace
		live := d.Get(t, o.apiVersion, o.kind, fill(o.namespace), fill(name))
		switch {
		case live == nil:
		case live.GetDeletionTimestamp() != nil:
			d.FinishDeletion(t, live)
		default:
			out[name] = string(live.GetUID())
		}
	}
	return out
}

// check renders the package and waits until works are gone. Objects of these kinds are still there, and no others.
func (d *departure) check(t *testing.T, stay []string, before map[string]string) {
	t.Helper()
	d.push(t)
	want, got := maps.Clone(before), map[string]string{}
	maps.DeleteFunc(want, func(name, _ string) bool { return !slices.Contains(stay, departing[name].stays) })
	for began := time.Now(); time.Since(began) < stepTimeout; time.Sleep(50 * time.Millisecond) {
		got = d.uids(t) // and the deletions that have begun go on
		if failures, waiting := d.GitOps.read(t); len(failures)+len(waiting) == 0 && len(got) <= len(want) {
			break
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("what is on the cluster (-want +got):\n%s", diff)
	}
}
