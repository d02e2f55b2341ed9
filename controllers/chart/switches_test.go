package chart

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/waybill-dev/waybill/controllers/clustertest"
)

const digest = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// everything has as much as can be had at once.
const everything = `notifyPorch: true
controllers:
  status: {enabled: true, args: [--status-wds=wds1]}
  push: {enabled: true, args: [--push-table=midonet, --push-url=https://example.com, --push-inventory=waybill-system]}
  map: {enabled: true, args: [--map-workers=8]}
  sync: {enabled: true, kubeconfigSecret: workspaces, args: [--sync-agent=east]}
networkPolicy: {enabled: true}
serviceMonitor: {enabled: true}
extraCA: {secret: ca}
`

// switches are values, and what an object has because of them.
var switches = map[string]struct {
	reason, release, values string
	object                  string   // kind and name
	path                    []string // of a field
	want                    string   // as JSON, or a part of it
}{
	"all":         {"all at once", "waybill", everything, "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `"--map-workers=8"`},
	"digest":      {"a digest wins", "waybill", "image: {digest: \"" + digest + "\", tag: v9, pullPolicy: Always}", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `"image":"ghcr.io/waybill-dev/waybill@` + digest + `"`},
	"image":       {"an image from elsewhere", "waybill", "image: {repository: registry.example/waybill, tag: v9}\nimagePullSecrets: [{name: login}]", "Deployment waybill-controller", []string{"spec", "template", "spec", "imagePullSecrets"}, `[{"name":"login"}]`},
	"release":     {"another release has other names", "team-a", "crds: {enabled: false}\nuserRoles: false", "ClusterRoleBinding team-a-waybill-controller", []string{"subjects"}, `[{"kind":"ServiceAccount","name":"team-a-waybill-controller","namespace":"waybill-system"}]`},
	"name":        {"a name of one's own", "x", "fullnameOverride: yard", "Deployment yard-controller", []string{"spec", "template", "spec", "serviceAccountName"}, `"yard-controller"`},
	"one":         {"one pod", "waybill", "replicas: 1\npodDisruptionBudget: {enabled: false}", "Deployment waybill-controller", []string{"spec", "replicas"}, `1`},
	"three":       {"three pods", "waybill", "replicas: 3\npodDisruptionBudget: {minAvailable: 2}", "PodDisruptionBudget waybill-controller", []string{"spec", "minAvailable"}, `2`},
	"namespaces":  {"rights in two namespaces", "waybill", "namespaces: [shop, fleet]", "Role waybill-leader", []string{"rules"}, `"resourceNames":["fleet.shop.controller.waybill.dev"]`},
	"shard":       {"a selector has a lease that can be granted", "waybill-a", "watchLabelSelector: sharding.example.com/key in (a,b)", "Role waybill-a-leader", []string{"rules"}, `"resourceNames":["waybill-a-shard.controller.waybill.dev"]`},
	"number":      {"a number of a shard has a lease, too", "waybill-a", "shard: 1/2\nshardBy: namespace", "Deployment waybill-a-controller", []string{"spec", "template", "spec", "containers"}, `"--shard=1/2","--shard-by=namespace","--leader-elect-lease=waybill-a-shard.controller.waybill.dev"`},
	"most shards": {"the last of as many as there may be", "waybill", "shard: 1000/1000", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `"--shard=1000/1000"`},
	"selector":    {"and the controller has both", "waybill-a", "watchLabelSelector: sharding.example.com/key in (a,b)", "Deployment waybill-a-controller", []string{"spec", "template", "spec", "containers"}, `"--watch-label-selector=sharding.example.com/key in (a,b)","--leader-elect-lease=waybill-a-shard.controller.waybill.dev"`},
	"lease":       {"a lease of one's own", "waybill", "lease: mine.example.com", "Role waybill-leader", []string{"rules"}, `"resourceNames":["mine.example.com"]`},
	"flags":       {"more flags and variables", "waybill", "extraArgs: [--log-level=debug]\nextraEnv: [{name: A, value: b}]", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `"--log-level=debug"],"env":[`},
	"ca":          {"more certificates", "waybill", "extraCA: {configMap: ca}", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `{"name":"SSL_CERT_DIR","value":"/etc/waybill/ca"}`},
	"ca volume":   {"are in a volume", "waybill", "extraCA: {configMap: ca}", "Deployment waybill-controller", []string{"spec", "template", "spec", "volumes"}, `{"configMap":{"name":"ca"},"name":"ca"}`},
	"proxy":       {"the API server is asked directly", "waybill", "proxy: {https: \"http://proxy.example:3128\", http: \"http://proxy.example:3128\", noProxy: git.example.com}", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `{"name":"NO_PROXY","value":"$(KUBERNETES_SERVICE_HOST),.svc,.cluster.local,git.example.com"}`},
	"account":     {"workload identity", "waybill", "serviceAccount: {annotations: {iam.example.com/role: waybill}}", "ServiceAccount waybill-controller", []string{"metadata", "annotations"}, `{"iam.example.com/role":"waybill"}`},
	"pod":         {"annotations and labels", "waybill", "podAnnotations: {a: b}\npodLabels: {team: x}", "Deployment waybill-controller", []string{"spec", "template", "metadata", "labels"}, `{"app.kubernetes.io/component":"controller","app.kubernetes.io/instance":"waybill","app.kubernetes.io/name":"waybill","team":"x"}`},
	"security":    {"more than the standard asks for", "waybill", "podSecurityContext: {runAsUser: 1000}\nsecurityContext: {privileged: false}", "Deployment waybill-controller", []string{"spec", "template", "spec", "securityContext"}, `{"runAsNonRoot":true,"runAsUser":1000,"seccompProfile":{"type":"RuntimeDefault"}}`},
	"memory":      {"more memory", "waybill", "resources: {limits: {memory: 8Gi}}\ngoMemLimit: 7GiB\ncacheSize: 4Gi", "Deployment waybill-controller", []string{"spec", "template", "spec", "containers"}, `{"name":"GOMEMLIMIT","value":"7GiB"}`},
	"nodes":       {"nodes of one's own", "waybill", "nodeSelector: {a: b}\ntolerations: [{operator: Exists}]\nspreadNodes: false\npriorityClassName: system-cluster-critical\naffinity: {podAntiAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, podAffinityTerm: {topologyKey: zone}}]}}", "Deployment waybill-controller", []string{"spec", "template", "spec", "affinity"}, `"topologyKey":"zone"`},
	"network":     {"nothing but what is needed", "waybill", "networkPolicy: {enabled: true, metricsFrom: [{podSelector: {}}]}", "NetworkPolicy waybill-controller", []string{"spec", "ingress"}, `[{"from":[{"podSelector":{}}],"ports":[{"port":"metrics","protocol":"TCP"}]}]`},
	"egress":      {"rules of one's own", "waybill", "networkPolicy: {enabled: true, egress: [{to: [{ipBlock: {cidr: 10.0.0.0/8}}]}]}", "NetworkPolicy waybill-controller", []string{"spec", "egress"}, `[{"to":[{"ipBlock":{"cidr":"10.0.0.0/8"}}]}]`},
	"monitor":     {"Prometheus reads the metrics", "waybill", "serviceMonitor: {enabled: true, interval: 30s, labels: {release: prometheus}}", "ServiceMonitor waybill-controller", []string{"spec", "endpoints"}, `"interval":"30s"`},
	"delete crds": {"definitions that go with the release", "waybill", "crds: {keep: false}", "CustomResourceDefinition changebudgets.waybill.dev", []string{"metadata", "name"}, `"changebudgets.waybill.dev"`},
	"status":      {"one controller more", "waybill", "controllers: {status: {enabled: true}}", "Namespace kubestellar-report", []string{"metadata", "annotations"}, `{"helm.sh/resource-policy":"keep"}`},
	"notify":      {"Porch is told, in one namespace", "waybill", "notifyPorch: true\nnamespaces: [fleet]", "RoleBinding waybill-notify-porch", []string{"metadata", "namespace"}, `"fleet"`},
}

// TestSwitches renders each switch: the API server accepts all objects, and admits the pod in a namespace with the restricted
// standard.
func TestSwitches(t *testing.T) {
	c := clustertest.Shared(t)
	kubectl := func(t *testing.T, input string, args ...string) {
		t.Helper()
		if out, err := c.Kubectl(t, c.Admin(), input, args...); err != nil {
			t.Fatal(err, out)
		}
	}
	kubectl(t, "", "apply", "-k", "../manifests")
	kubectl(t, text(t, "testdata/servicemonitor-crd.yaml"), "apply", "-f", "-")
	kubectl(t, "", "wait", "--for=condition=Established", "--timeout=60s", "crd/servicemonitors.monitoring.coreos.com")
	for _, name := range []string{"fleet", "shop", "waybill-sync", "kubestellar-report"} {
		kubectl(t, "", "create", "namespace", name)
	}
	for name, tc := range switches {
		t.Run(name, func(t *testing.T) {
			stream := rendered(t, tc.release, tc.values)
			kubectl(t, stream, "apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-")
			all := objects(t, stream)
			for _, u := range all {
				if u.GetKind() == "Deployment" {
					kubectl(t, pod(t, u), "create", "--dry-run=server", "-f", "-")
				}
			}
			if got := field(t, all, tc.object, tc.path); !strings.Contains(got, tc.want) {
				t.Errorf("%s: want %s of %s to have %s, got %s", tc.reason, strings.Join(tc.path, "."), tc.object, tc.want, got)
			}
		})
	}
}

// field is a field of an object as JSON.
func field(t *testing.T, all map[string]*unstructured.Unstructured, object string, path []string) string {
	t.Helper()
	for _, u := range all {
		if u.GetKind()+" "+u.GetName() == object {
			value, _, err := unstructured.NestedFieldNoCopy(u.Object, path...)
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			return string(data)
		}
	}
	t.Fatalf("there is no %s", object)
	return ""
}

// pod is one of a Deployment, with the ServiceAccount that is there.
func pod(t *testing.T, deployment *unstructured.Unstructured) string {
	t.Helper()
	template, _, err := unstructured.NestedMap(deployment.Object, "spec", "template")
	if err != nil {
		t.Fatal(err)
	}
	p := unstructured.Unstructured{Object: template}
	p.SetAPIVersion("v1")
	p.SetKind("Pod")
	p.SetName("admitted")
	p.SetNamespace(system)
	if err := unstructured.SetNestedField(p.Object, "waybill-controller", "spec", "serviceAccountName"); err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(p.Object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestReleasesAreApart wants two releases of one namespace to share no object and no pod.
func TestReleasesAreApart(t *testing.T) {
	one := objects(t, rendered(t, "waybill", ""))
	two := objects(t, rendered(t, "waybill-a", "crds: {enabled: false}\nwatchLabelSelector: a=b"))
	for id := range two {
		if one[id] != nil {
			t.Errorf("both have %s", id)
		}
	}
	a, b := field(t, one, "Deployment waybill-controller", []string{"spec", "selector"}), field(t, two, "Deployment waybill-a-controller", []string{"spec", "selector"})
	if a == b {
		t.Errorf("both select the same pods: %s", a)
	}
	if diff := cmp.Diff([]string(nil), named(two, "CustomResourceDefinition")); diff != "" {
		t.Errorf("one release has the definitions (-want +got):\n%s", diff)
	}
}
