package html

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/fleet/index"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// site is one cluster of a realistic fleet: what its templates ask for.
type site struct {
	number             int
	name, region, tier string
	address, id        string // in no pattern
}

func siteOf(n int) site {
	mixed := uint32(n+1) * 2654435761 // #nosec G115 -- small; scattered so that neighbours have nothing in common
	return site{
		number: n, name: fmt.Sprintf("%s-%04d", []string{"zurich", "lyon", "austin", "osaka"}[n%4], n), region: []string{"eu", "eu", "us", "jp"}[n%4],
		tier: []string{"prod", "prod", "prod", "staging", "lab"}[n/4%5], address: fmt.Sprintf("10.%d.%d.%d", mixed>>24, mixed>>16&255, mixed>>8&255),
		id: fmt.Sprintf("%x", sha256.Sum256([]byte{byte(n), byte(n >> 8)}))[:16],
	}
}

// release is one side of a realistic change: a version of the packages, and whether only three clusters have it.
type release struct {
	version string // 1.4.0 or 1.5.0
	quiet   bool
}

// realistic is a fleet whose clusters receive 40 objects by four policies, of which fourteen differ by cluster; upgraded on all
// clusters, or quietly on three. The comparison and the index are real ones.
func realistic(t testing.TB, clusters int, quiet bool) *index.Index {
	t.Helper()
	before, after := realisticTree(t, clusters, release{version: "1.4.0"}), realisticTree(t, clusters, release{"1.5.0", quiet})
	was, err := fleet.Read(before, nil)
	if err != nil {
		t.Fatal(err)
	}
	is, err := fleet.Read(after, was)
	if err != nil {
		t.Fatal(err)
	}
	c, err := fleet.Compare(was, is)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Preview("")
	p.Before.Name, p.After.Name = "main", "upgrade"
	a, err := index.Of(after, is, p)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func realisticTree(t testing.TB, clusters int, r release) pkgtree.Tree {
	t.Helper()
	files := map[string][]byte{}
	var inventory strings.Builder
	for n := range clusters {
		s := siteOf(n)
		fmt.Fprintf(&inventory, "---\napiVersion: cluster.open-cluster-management.io/v1\nkind: ManagedCluster\nmetadata:\n  name: %s\n"+
			"  labels:\n    region: %s\n    tier: %s\n    site: s%02d\n", s.name, s.region, s.tier, n%40)
		own := r
		if r.quiet && n >= 3 {
			own.version = "1.4.0"
		}
		for policy, objects := range ownObjects(s, own) {
			files[fmt.Sprintf("clusters/%s/%s/manifestwork-0.yaml", s.name, policy)] = []byte(workOf(s, policy, objects))
		}
	}
	files["inventory.yaml"] = []byte(inventory.String())
	tree, err := pkgtree.New(files)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func workOf(s site, policy string, objects []string) string {
	text := fmt.Sprintf("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\nmetadata:\n  namespace: %s\n  name: %s-git-0\n"+
		"  labels:\n    transport.kubestellar.io/originOwnerReferenceBindingKey: %s\nspec:\n  workload:\n    manifests:\n", s.name, policy, policy)
	for _, o := range objects {
		text += "    - " + strings.ReplaceAll(strings.TrimSuffix(o, "\n"), "\n", "\n      ") + "\n"
	}
	return text
}

// object is an object with a body that begins below its metadata.
func objectText(api, kind, namespace, name, body string) string {
	if namespace != "" {
		namespace = "\n  namespace: " + namespace
	}
	return fmt.Sprintf("apiVersion: %s\nkind: %s\nmetadata:%s\n  name: %s\n%s", api, kind, namespace, name, body)
}

func workload(kind, namespace, name, image, more string) string {
	return objectText("apps/v1", kind, namespace, name, fmt.Sprintf(`spec:
  replicas: 2
  selector:
    matchLabels:
      app: %[1]s
  template:
    metadata:
      labels:
        app: %[1]s
    spec:
      serviceAccountName: %[1]s
      containers:
      - name: %[1]s
        image: %[2]s
        ports:
        - containerPort: 8080
          name: http
        resources:
          requests:
            cpu: 100m
            memory: 128Mi
        readinessProbe:
          httpGet:
            path: /ready
            port: http
%[3]s`, name, image, more))
}

func service(namespace, name string) string {
	return objectText("v1", "Service", namespace, name, "spec:\n  selector:\n    app: "+name+"\n  ports:\n  - name: http\n    port: 80\n    targetPort: http\n")
}

func ownObjects(s site, r release) map[string][]string {
	upgraded := r.version != "1.4.0"
	image := func(name string) string {
		return fmt.Sprintf("mirror.%s.example.com:5000/%s:%s", s.name, name, r.version)
	}
	account := func(ns, name string) string { return objectText("v1", "ServiceAccount", ns, name, "") }
	replicas := map[string]string{"prod": "6", "staging": "2", "lab": "1"}[s.tier]
	scheme, extra, dropped := "http", "", ""
	if upgraded {
		scheme, extra, dropped = "https", "  failover.url: https://"+s.address+"/failover\n", "x"
	}
	var targets, args, peers strings.Builder
	for i := range 1 + s.number%4 {
		fmt.Fprintf(&targets, "          - %s://node-%d.%s.example.com:9100\n", scheme, i, s.name)
		fmt.Fprintf(&peers, "        - name: PEER_%d\n          value: %s://peer-%d.%s.example.com\n", i, scheme, i, s.name)
		fmt.Fprintf(&args, "        - --peer=%s://peer-%d.%s.example.com\n", scheme, i, s.name)
	}
	base := []string{
		objectText("v1", "Namespace", "", "shop", ""), objectText("v1", "Namespace", "", "monitoring", ""), objectText("v1", "Namespace", "", "ingress", ""),
		account("shop", "web"), account("shop", "cart"), account("shop", "stock"),
		objectText("rbac.authorization.k8s.io/v1", "Role", "shop", "reader", "rules:\n- apiGroups: [\"\"]\n  resources: [configmaps]\n  verbs: [get, list, watch]\n"),
		objectText("rbac.authorization.k8s.io/v1", "RoleBinding", "shop", "reader", "roleRef:\n  apiGroup: rbac.authorization.k8s.io\n  kind: Role\n  name: reader\nsubjects:\n- kind: ServiceAccount\n  name: web\n  namespace: shop\n"),
		objectText("networking.k8s.io/v1", "NetworkPolicy", "shop", "deny", "spec:\n  podSelector: {}\n  policyTypes: [Ingress]\n"),
		objectText("v1", "ResourceQuota", "shop", "quota", "spec:\n  hard:\n    pods: \""+replicas+"0\"\n"),
		objectText("v1", "LimitRange", "shop", "limits", "spec:\n  limits:\n  - type: Container\n    default:\n      memory: 256Mi\n"),
		objectText("v1", "ConfigMap", "shop", "cluster-info", fmt.Sprintf("data:\n  cluster: %s\n  region: %s\n  tier: %s\n  gateway: %s\n  id: %s\n", s.name, s.region, s.tier, s.address, s.id)),
	}
	monitoring := []string{
		workload("DaemonSet", "monitoring", "node-exporter", image("node-exporter"), ""),
		workload("Deployment", "monitoring", "prometheus", image("prometheus"), "        args:\n        - --external-label=cluster="+s.name+"\n"+args.String()),
		objectText("v1", "ConfigMap", "monitoring", "prometheus", "data:\n  prometheus.yml: |\n    scrape_configs:\n      - job_name: nodes\n        static_configs:\n        - targets:\n"+targets.String()),
		service("monitoring", "prometheus"), service("monitoring", "node-exporter"), account("monitoring", "prometheus"), account("monitoring", "node-exporter"),
		objectText("rbac.authorization.k8s.io/v1", "ClusterRole", "", "prometheus", "rules:\n- apiGroups: [\"\"]\n  resources: [nodes, pods]\n  verbs: [get, list, watch]\n"),
	}
	if upgraded {
		monitoring = append(monitoring, objectText("policy/v1", "PodDisruptionBudget", "monitoring", "prometheus", "spec:\n  minAvailable: 1\n"))
	} else {
		monitoring = append(monitoring, objectText("v1", "ConfigMap", "monitoring", "legacy-rules", "data:\n  rules.yml: |\n    groups: []\n"))
	}
	ingress := []string{
		workload("Deployment", "ingress", "gateway", image("gateway"), "        env:\n"+peers.String()), service("ingress", "gateway"), service("ingress", "admin"), account("ingress", "gateway"),
		objectText("networking.k8s.io/v1", "IngressClass", "", "edge", "spec:\n  controller: example.com/gateway\n"),
		objectText("v1", "ConfigMap", "ingress", "gateway", fmt.Sprintf("data:\n  bind: %s\n  upstream: %s://up.%s.example.com\n%s", s.address, scheme, s.name, extra)),
		objectText("autoscaling/v2", "HorizontalPodAutoscaler", "ingress", "gateway", "spec:\n  maxReplicas: "+replicas+"\n  scaleTargetRef:\n    apiVersion: apps/v1\n    kind: Deployment\n    name: gateway\n"),
		objectText("v1", "Secret", "ingress", "tls", "type: Opaque\nstringData:\n  key: "+s.address+dropped+"\n"),
	}
	shop := []string{
		objectText("networking.k8s.io/v1", "Ingress", "shop", "shop", fmt.Sprintf("spec:\n  rules:\n  - host: shop.%s.example.com\n    http:\n      paths:\n      - path: /\n        pathType: Prefix\n        backend:\n          service:\n            name: web\n            port:\n              name: http\n", s.name)),
		objectText("v1", "ConfigMap", "shop", "settings", fmt.Sprintf("data:\n  feature.checkout: \"true\"\n  cluster: %s\n  api.url: %s://api.%s.example.com/v1\n%s", s.name, scheme, s.name, extra)),
		objectText("v1", "PersistentVolumeClaim", "shop", "stock", "spec:\n  accessModes: [ReadWriteOnce]\n  resources:\n    requests:\n      storage: 20Gi\n"),
	}
	for _, name := range []string{"web", "cart", "stock"} {
		text := workload("Deployment", "shop", name, image("shop/"+name), "")
		if name == "web" {
			text = strings.Replace(text, "replicas: 2", "replicas: "+replicas, 1)
		}
		if s.tier == "prod" {
			text = strings.Replace(text, "      containers:\n", "      topologySpreadConstraints:\n      - maxSkew: 1\n        topologyKey: zone\n        whenUnsatisfiable: DoNotSchedule\n      containers:\n", 1)
		}
		if upgraded && name == "cart" && s.number%10 == 0 {
			text = strings.Replace(text, "replicas: 2", "replicas: 0", 1)
		}
		if upgraded {
			text = strings.Replace(text, "128Mi", "192Mi", 1)
		}
		shop = append(shop, text, service("shop", name))
	}
	shop = append(shop, objectText("batch/v1", "CronJob", "shop", "report", fmt.Sprintf("spec:\n  schedule: %d 3 * * *\n  jobTemplate:\n    spec:\n      template:\n        spec:\n          restartPolicy: Never\n          containers:\n          - name: report\n            image: %s\n", s.number%60, image("shop/report"))),
		objectText("policy/v1", "PodDisruptionBudget", "shop", "web", "spec:\n  minAvailable: 1\n"))
	return map[string][]string{"base": base, "monitoring": monitoring, "ingress": ingress, "shop": shop}
}
