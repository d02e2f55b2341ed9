package fleet

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/fleet/risk"
)

// workFile is the file of a work that carries these objects to cluster c.
func workFile(settings string, objects ...string) map[string][]byte {
	if len(objects) == 0 {
		return nil
	}
	head := workHead + "  namespace: c\n  name: w\nspec:\n  workload:\n    manifests:\n"
	return map[string][]byte{"clusters/c/w.yaml": []byte(head + indented(objects, "      ", "    - ") + settings)}
}

// anchor keeps a cluster in the fleet.
const anchor = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: anchor}\n"

func changeOf(t testing.TB, before, after []string) *waybill.FleetPreview {
	t.Helper()
	return compared(t, treeOf(t, workFile("", append(before, anchor)...)), treeOf(t, workFile("", append(after, anchor)...))).Preview("")
}

func object(apiVersion, kind, rest string) string {
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata: {name: x, namespace: n}\n%s\n", apiVersion, kind, rest)
}

func pods(containers string) string {
	return object("apps/v1", "Deployment", "spec:\n  template:\n    spec:\n      containers:\n      "+containers)
}

// unnamedPods are two pods, from these hosts, in a list in which nothing has a name.
func unnamedPods(hosts ...string) string {
	text := "spec:\n  groups:"
	for _, host := range hosts {
		text += "\n  - pod: {containers: [{name: w, image: " + host + ".example.com/x:1}]}"
	}
	return object("ray.io/v1", "RayCluster", text)
}

func cluster(apiVersion, kind, rest string) string {
	return strings.Replace(object(apiVersion, kind, rest), ", namespace: n", "", 1)
}

const (
	rbac     = "rbac.authorization.k8s.io/v1"
	admit    = "admissionregistration.k8s.io/v1"
	twoRules = "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}, {apiGroups: [''], resources: [pods], verbs: [list]}]"
	podGet   = "rules: [{apiGroups: [''], resources: [pods], verbs: [get]}]"
	podAll   = "rules: [{apiGroups: [''], resources: [pods], verbs: ['*']}]"
	podNamed = "rules: [{apiGroups: [''], resources: [pods], verbs: [get], resourceNames: [a]}]"
)

// TestRules gives every rule a change that it is about, and changes that are nearly so.
func TestRules(t *testing.T) {
	pod := func(spec string) string {
		return object("apps/v1", "Deployment", "spec: {template: {spec: {"+spec+"}}}")
	}
	image := func(name string) string { return pod("containers: [{name: a, image: " + name + "}]") }
	spec := func(kind, text string) string { return object("apps/v1", kind, "spec: {"+text+"}") }
	service := func(text string) string { return object("v1", "Service", "spec: {"+text+"}") }
	cases := map[string]struct {
		reason        string
		before, after string
		want          string
	}{
		"NamespaceGone":   {"with all that is in it", cluster("v1", "Namespace", ""), "", "namespace-deleted"},
		"NamespaceOther":  {"labels decide on policies", cluster("v1", "Namespace", ""), strings.Replace(cluster("v1", "Namespace", ""), "name: x", "name: x, labels: {a: b}", 1), "namespace-changed"},
		"NamespaceNew":    {"a new one is harmless", "", cluster("v1", "Namespace", ""), ""},
		"CRDGone":         {"with all objects", cluster("apiextensions.k8s.io/v1", "CustomResourceDefinition", ""), "", "crd-deleted"},
		"CRDOther":        {"objects may be invalid", cluster("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {a: 1}"), cluster("apiextensions.k8s.io/v1", "CustomResourceDefinition", "spec: {a: 2}"), "crd-changed"},
		"ClaimGone":       {"with its data", object("v1", "PersistentVolumeClaim", ""), "", "storage-deleted"},
		"ClaimOther":      {"mostly immutable", object("v1", "PersistentVolumeClaim", "spec: {a: 1}"), object("v1", "PersistentVolumeClaim", "spec: {a: 2}"), "storage-changed"},
		"ClassOther":      {"parameters are immutable", cluster("storage.k8s.io/v1", "StorageClass", "provisioner: a"), cluster("storage.k8s.io/v1", "StorageClass", "provisioner: b"), "storage-changed"},
		"ClassExpansion":  {"this may change", cluster("storage.k8s.io/v1", "StorageClass", "allowVolumeExpansion: false"), cluster("storage.k8s.io/v1", "StorageClass", "allowVolumeExpansion: true"), ""},
		"ClaimTemplates":  {"immutable", spec("StatefulSet", "volumeClaimTemplates: [{a: 1}]"), spec("StatefulSet", "volumeClaimTemplates: [{a: 2}]"), "storage-changed"},
		"ObjectGone":      {"anything else that goes", service("a: 1"), "", "object-deleted"},
		"Selector":        {"immutable", spec("Deployment", "selector: {a: b}"), spec("Deployment", "selector: {a: c}"), "selector-changed"},
		"ServiceSelector": {"other pods", service("selector: {a: b}"), service("selector: {a: c}"), "selector-changed"},
		"PodSelector":     {"other pods", object("networking.k8s.io/v1", "NetworkPolicy", "spec: {podSelector: {a: b}}"), object("networking.k8s.io/v1", "NetworkPolicy", "spec: {podSelector: {}}"), "selector-changed"},
		"MoreVerbs":       {"wider", object(rbac, "Role", podGet), object(rbac, "Role", podAll), "rbac-widened"},
		"NoNames":         {"a rule without names is for all names", object(rbac, "Role", podNamed), object(rbac, "Role", podGet), "rbac-widened"},
		"FewerVerbs":      {"narrower", object(rbac, "Role", podAll), object(rbac, "Role", twoRules), ""},
		"NewRole":         {"grants nothing yet", "", object(rbac, "Role", podAll), ""},
		"NewBinding":      {"grants", "", cluster(rbac, "ClusterRoleBinding", "subjects: [{kind: User, name: u}]"), "rbac-widened"},
		"MoreSubjects":    {"grants more", cluster(rbac, "ClusterRoleBinding", "subjects: []"), cluster(rbac, "ClusterRoleBinding", "subjects: [{kind: User, name: u}]"), "rbac-widened"},
		"FewerSubjects":   {"grants less", cluster(rbac, "ClusterRoleBinding", "subjects: [{kind: User, name: u}]"), cluster(rbac, "ClusterRoleBinding", "subjects: []"), ""},
		"OtherRole":       {"with any rights", cluster(rbac, "ClusterRoleBinding", "roleRef: {name: a}"), cluster(rbac, "ClusterRoleBinding", "roleRef: {name: b}"), "rbac-widened"},
		"Privileged":      {"closer to the node", pod("containers: [{name: a}]"), pod("containers: [{name: a, securityContext: {privileged: true}}]"), "privileges-widened"},
		"HostPathNew":     {"also of what is new", "", pod("volumes: [{name: v, hostPath: {path: /}}]"), "privileges-widened"},
		"LessPrivileged":  {"away from it", pod("hostNetwork: true"), pod("hostNetwork: false"), ""},
		"Webhook":         {"may refuse all", "", cluster(admit, "ValidatingWebhookConfiguration", ""), "admission-changed"},
		"Registry":        {"another host", image("a/x:1"), image("reg.example.com/a/x:1"), "image-registry"},
		"Sidecar":         {"one that is added", pods("- {name: a, image: x}"), pods("- {name: a, image: x}\n      - {name: b, image: reg.example.com/x}"), "image-registry"},
		"SidecarSame":     {"from where the others are", pods("- {name: a, image: x}"), pods("- {name: a, image: x}\n      - {name: b, image: y}"), ""},
		"Renamed":         {"one that is called otherwise", pods("- {name: a, image: x}\n      - {name: b, image: x}"), pods("- {name: a, image: x}\n      - {name: c, image: reg.example.com/x}"), "image-registry"},
		"Nameless":        {"an image beside no name", object("e.com/v1", "Prometheus", "spec: {image: a.example.com/x}"), object("e.com/v1", "Prometheus", "spec: {image: b.example.com/x}"), "image-registry"},
		"Unnamed":         {"below items without names", unnamedPods("a", "a"), unnamedPods("b", "a"), "image-registry"},
		"UnnamedLast":     {"whichever it is", unnamedPods("a", "a"), unnamedPods("a", "b"), "image-registry"},
		"UnnamedSame":     {"and what is the same is", unnamedPods("a", "b"), strings.Replace(unnamedPods("a", "b"), "x:1", "x:2", 1), ""},
		"RegistryPort":    {"a port makes a host", image("localhost:5000/x"), image("localhost:5001/x"), "image-registry"},
		"SameRegistry":    {"the default may be named", image("a/x:1"), image("docker.io/a/x:2"), ""},
		"OtherTag":        {"the same host", image("r.example/x:1"), image("r.example/x:2"), ""},
		"ToZero":          {"nothing runs", spec("Deployment", "replicas: 2"), spec("Deployment", "replicas: 0"), "scaled-to-zero"},
		"DefaultToZero":   {"one is the default", spec("Deployment", "a: 1"), spec("Deployment", "a: 1, replicas: 0"), "scaled-to-zero"},
		"FromZero":        {"something runs", spec("Deployment", "replicas: 0"), spec("Deployment", "replicas: 2"), ""},
		"Suspended":       {"nothing runs", object("batch/v1", "CronJob", "spec: {suspend: false}"), object("batch/v1", "CronJob", "spec: {suspend: true}"), "scaled-to-zero"},
		"Exposed":         {"from outside", service("type: ClusterIP"), service("type: LoadBalancer"), "exposed"},
		"ExposedIP":       {"by address", service("type: ClusterIP"), service("externalIPs: [192.0.2.1]"), "exposed"},
		"Ordinary":        {"a field that no rule is about", service("a: 1"), service("a: 2"), ""},
	}
	seen := map[string]bool{}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			var before, after []string
			if tc.before != "" {
				before = append(before, tc.before)
			}
			if tc.after != "" {
				after = append(after, tc.after)
			}
			p := changeOf(t, before, after)
			if len(p.Groups) != 1 {
				t.Fatalf("%s: %d groups", tc.reason, len(p.Groups))
			}
			if diff := cmp.Diff(tc.want, strings.Join(p.Groups[0].Risks, " ")); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
		})
		seen[tc.want] = true
	}
	for _, r := range risk.Rules {
		if r.ByObject() && !seen[r.Name] && r.Name != risk.WorkSettings {
			t.Errorf("no case is about rule %s", r.Name)
		}
	}
}

// TestWorkSettings distinguishes a changed setting of a work from one that comes with its object.
func TestWorkSettings(t *testing.T) {
	config := func(name, strategy string) string {
		return "  - resourceIdentifier: {group: '', resource: services, namespace: n, name: " + name + "}\n    updateStrategy: {type: " + strategy + "}\n"
	}
	service := object("v1", "Service", "")
	cases := map[string]struct {
		reason        string
		before, after map[string][]byte
		want          bool
	}{
		"WithObject":  {"it comes with its object", workFile("", anchor), workFile("  manifestConfigs:\n"+config("x", "CreateOnly"), anchor, service), false},
		"LaterOn":     {"the object was there before", workFile("", service), workFile("  manifestConfigs:\n"+config("x", "CreateOnly"), service), true},
		"Other":       {"another strategy", workFile("  manifestConfigs:\n"+config("x", "CreateOnly"), service), workFile("  manifestConfigs:\n"+config("x", "Update"), service), true},
		"Deletion":    {"what is left behind has rules of its own", workFile("", service), workFile("  deleteOption: {propagationPolicy: Orphan}\n", service), false},
		"Expiry":      {"the rest of the option has not", workFile("", service), workFile("  deleteOption: {propagationPolicy: Orphan, ttlSecondsAfterFinished: 5}\n", service), true},
		"Reordered":   {"configs are distinguished by their object", workFile("  manifestConfigs:\n"+config("x", "Update")+config("y", "Update"), service), workFile("  manifestConfigs:\n"+config("y", "Update")+config("x", "Update"), service), false},
		"NoSettings":  {"nothing changes", workFile("", service), workFile("", service), false},
		"Annotations": {"the work is another, not how it is handled", workFile("", service), map[string][]byte{"clusters/c/w.yaml": []byte(strings.Replace(string(workFile("", service)["clusters/c/w.yaml"]), "  name: w\n", "  name: w\n  labels:\n    a: b\n", 1))}, false},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			p := compared(t, treeOf(t, tc.before), treeOf(t, tc.after)).Preview("")
			got := slices.ContainsFunc(p.Risks, func(r waybill.PreviewRisk) bool { return r.Name == risk.WorkSettings })
			if got != tc.want {
				t.Errorf("%s: a risk: %t, want %t", tc.reason, got, tc.want)
			}
		})
	}
}
