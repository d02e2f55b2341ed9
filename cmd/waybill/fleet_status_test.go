package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
	"sigs.k8s.io/yaml"

	statuscmd "github.com/waybill-dev/waybill/cmd/waybill/internal/fleet/status"
)

// shopFleet is a package that is sent to three clusters, two of which report; in reports.yaml the third
// does, too, as kubectl prints it.
const shopFleet = `
-- shop/Kptfile --
apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
-- shop/web.yaml --
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec: {replicas: 3}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: shop}
-- shop/binding.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: shop}
spec:
  workload:
    namespaceScope:
    - {group: "", version: v1, resource: configmaps, namespace: shop, name: settings, resourceVersion: ""}
    - {group: apps, version: v1, resource: deployments, namespace: shop, name: web, resourceVersion: "", statusCollectors: [by-cluster, none, sum]}
  destinations: [{clusterId: edge3}, {clusterId: edge1}, {clusterId: edge2}]
-- shop/collectors.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: by-cluster}
spec:
  select:
  - {name: cluster, def: inventory.name}
  - {name: status, def: returned.status}
  - {name: phase, def: returned.status.phase}
  limit: 20
---
apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata: {name: sum}
spec:
  combinedFields:
  - {name: n, type: COUNT}
  - {name: ready, type: SUM, subject: returned.status.readyReplicas}
  - {name: text, type: MAX, subject: "has(returned.status.readyReplicas) ? 'x' : '1'"}
  limit: 20
-- shop/reports.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge1}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 2, phase: "a\tb\u001b[31m"}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge2, labels: {transport.kubestellar.io/originWdsName: git}}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 3, phase: good}
-- reports.yaml --
apiVersion: v1
kind: List
metadata: {resourceVersion: ""}
items:
- apiVersion: control.kubestellar.io/v1alpha1
  kind: WorkStatus
  metadata: {name: web, namespace: edge3}
  spec:
    sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
  status: {readyReplicas: 3, phase: good}
-- named.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web, namespace: edge3, labels: {transport.kubestellar.io/originWdsName: wds1, transport.kubestellar.io/originOwnerReferenceBindingKey: shop}}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
status: {readyReplicas: 3, phase: good}
-- other.yaml --
apiVersion: control.kubestellar.io/v1alpha1
kind: WorkStatus
metadata: {name: web2, namespace: edge3, labels: {transport.kubestellar.io/originWdsName: wds2, transport.kubestellar.io/originOwnerReferenceBindingKey: shop}}
spec:
  sourceRef: {group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web2}
status: {readyReplicas: 3, phase: good}
-- works.yaml --
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {name: shop, namespace: edge1, generation: 5}
status:
  resourceStatus:
    manifests:
    - resourceMeta: {ordinal: 0, group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
      conditions: [{type: Applied, status: "True", reason: AppliedManifestComplete, message: Apply manifest complete, observedGeneration: 4}]
    - resourceMeta: {ordinal: 1, group: "", version: v1, resource: configmaps, kind: ConfigMap, namespace: shop, name: settings}
      conditions:
      - {type: Applied, status: "True", reason: AppliedManifestComplete, message: Apply manifest complete, observedGeneration: 5}
      - {type: Available, status: "False", reason: ResourceNotAvailable, message: Resource is not available}
---
apiVersion: work.open-cluster-management.io/v1
kind: ManifestWork
metadata: {name: shop, namespace: edge2}
status:
  resourceStatus:
    manifests:
    - resourceMeta: {ordinal: 0, group: apps, version: v1, resource: deployments, kind: Deployment, namespace: shop, name: web}
      conditions:
      - {type: Applied, status: "False", reason: AppliedManifestFailed, message: 'Failed to apply manifest: Deployment.apps "web" is invalid: spec.selector: field is immutable'}
      - {type: Available, status: "True", reason: ResourceAvailable, message: Resource is available}
-- clash.yaml --
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: "system:shop"}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: roles}
spec:
  workload:
    clusterScope:
    - {group: rbac.authorization.k8s.io, version: v1, resource: clusterroles, name: "system:shop", resourceVersion: "", statusCollectors: [sum]}
  destinations: [{clusterId: edge1}]
`

// fileOf is one file of an archive.
func fileOf(t *testing.T, archive, name string) string {
	t.Helper()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	t.Fatalf("there is no %s", name)
	return ""
}

// TestFleetStatusTable holds the table to a file.
func TestFleetStatusTable(t *testing.T) {
	piped := fileOf(t, shopFleet, "reports.yaml")
	cases := map[string]struct {
		reason string
		args   []string
		stdin  string
	}{
		"package": {"a package that holds the reports", []string{"shop"}, ""},
		"files":   {"files beside it", []string{"shop", "-f", "reports.yaml"}, ""},
		"folder":  {"a folder as a file", []string{"-f", "shop,reports.yaml"}, ""},
		"stdin":   {"what comes through a pipe", []string{"shop", "-f", "-"}, piped},
		"space":   {"a workload space without reports", []string{"shop", "--wds-name", "wds1"}, ""},
		"failed":  {"clusters that do not have what was sent, be it that they report", []string{"shop", "-f", "works.yaml"}, ""},
		"every":   {"all spaces", []string{"shop", "--wds-name", ""}, ""},
	}
	golden, err := filepath.Abs("testdata/fleet-status")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(writeArchive(t, shopFleet))
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := runCLIOn(t, tc.stdin, append([]string{"fleet", "status"}, tc.args...)...)
			if r.code != exitDone {
				t.Errorf("%s: exit code %d", tc.reason, r.code)
			}
			checkGolden(t, filepath.Join(golden, name+".txt"), r.stdout+"-- stderr --\n"+r.stderr)
		})
	}
}

// TestFleetStatusHere reads the current directory, when nothing else is named.
func TestFleetStatusHere(t *testing.T) {
	t.Chdir(filepath.Join(writeArchive(t, shopFleet), "shop"))
	if r := runCLI(t, "fleet", "status"); r.code != exitDone || !strings.Contains(r.stdout, "Deployment shop/web (shop): 2 of 3 clusters reported, not edge3\n") {
		t.Errorf("exit code %d, %q, %q", r.code, r.stdout, r.stderr)
	}
}

// TestFleetStatusData wants the same CombinedStatuses as JSON, as YAML, and of the function.
func TestFleetStatusData(t *testing.T) {
	t.Chdir(writeArchive(t, shopFleet))
	type list struct {
		APIVersion, Kind string
		Items            []map[string]any
	}
	var asJSON, asYAML list
	r := runCLI(t, "fleet", "status", "shop", "-o", "json")
	if err := json.Unmarshal([]byte(r.stdout), &asJSON); err != nil || r.code != exitDone {
		t.Fatal(err, r.code, r.stdout)
	}
	r = runCLI(t, "fleet", "status", "shop", "-o", "yaml")
	if err := yaml.Unmarshal([]byte(r.stdout), &asYAML); err != nil || r.code != exitDone {
		t.Fatal(err, r.code, r.stdout)
	}
	if diff := cmp.Diff(asJSON, asYAML); diff != "" {
		t.Errorf("(-JSON +YAML):\n%s", diff)
	}
	if asJSON.APIVersion != "v1" || asJSON.Kind != "List" || len(asJSON.Items) != 1 {
		t.Errorf("want a List of one: %v", asJSON)
	}
	if e := runCLI(t, "fn", "eval", "shop", "-i", "ghcr.io/waybill-dev/combine-status"); e.code != exitDone {
		t.Fatal(e.stderr)
	}
	text, err := os.ReadFile("shop/status/shop/shop/deployment_web.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := yaml.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	delete(file["metadata"].(map[string]any), "annotations")
	if diff := cmp.Diff(file, asJSON.Items[0]); diff != "" {
		t.Errorf("(-function +fleet status):\n%s", diff)
	}
}

// TestFleetStatusObjects wants what the table says of each object for scripts, too.
func TestFleetStatusObjects(t *testing.T) {
	t.Chdir(writeArchive(t, shopFleet))
	immutable := `Deployment.apps "web" is invalid: spec.selector: field is immutable`
	all := []string{"edge1", "edge2", "edge3"}
	want := []statuscmd.Object{
		{Kind: "ConfigMap", Namespace: "shop", Name: "settings", Binding: "shop", Clusters: all, Reported: []string{}, Silent: []string{"edge2", "edge3"},
			Problems: []statuscmd.Problem{{Cluster: "edge1", State: "Missing", Message: "Resource is not available"}}},
		{Group: "apps", Kind: "Deployment", Namespace: "shop", Name: "web", Binding: "shop", Clusters: all, Reported: []string{}, Silent: []string{"edge3"},
			Problems: []statuscmd.Problem{{Cluster: "edge1", State: "Stale", Message: "the report is about generation 4 of the work, which is at generation 5"}, {Cluster: "edge2", State: "Failed", Message: immutable}}},
	}
	for _, format := range []string{"json", "yaml"} {
		var got statuscmd.List
		r := runCLI(t, "fleet", "status", "shop", "-f", "works.yaml", "-o", format)
		if err := yaml.Unmarshal([]byte(r.stdout), &got); err != nil || r.code != exitDone {
			t.Fatal(err, r.code, r.stdout)
		}
		if diff := cmp.Diff(want, got.Objects); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
		for _, result := range got.Items[0].Results {
			if len(result.RowErrors) == 0 || result.RowErrors[0].Error != "apply failed: "+immutable {
				t.Errorf("%s: %s has %v", format, result.Name, result.RowErrors)
			}
		}
	}
}

// TestFleetStatusErrors wants the rest to be printed all the same, and what is wrong on stderr.
func TestFleetStatusErrors(t *testing.T) {
	t.Chdir(writeArchive(t, shopFleet))
	cases := map[string]struct {
		reason         string
		args           []string
		code           int
		stdout, stderr string
	}{
		"Label":     {"an object about which nothing can be written", []string{"shop", "-f", "clash.yaml"}, exitFailed, "Deployment shop/web (shop): 2 of 3", "[error] ClusterRole system:shop (clash.yaml) metadata: "},
		"Last":      {"the last line says that something is wrong", []string{"shop", "-f", "clash.yaml"}, exitFailed, "system:shop (roles): 0 of 1 cluster reported\n", "error: 1 fault; see above\n"},
		"Twice":     {"the same object in two places", []string{"shop", "-f", "reports.yaml,reports.yaml"}, exitFailed, "3 of 3", "the same object occurs twice"},
		"NoBinding": {"files that say nothing about clusters", []string{"-f", "reports.yaml"}, exitFailed, "", "error: the input holds no Binding"},
		"NoFile":    {"files that are not there", []string{"nowhere"}, exitFailed, "", "nowhere: no such file"},
		"NoYAML":    {"files that are none", []string{"-f", "-"}, exitFailed, "", "error: stdin: document 1"},
		"Output":    {"a format that is none", []string{"shop", "-o", "text"}, exitUsage, "", `error: --output "text": want table, json or yaml`},
		"Two":       {"two packages", []string{"shop", "shop"}, exitUsage, "", "accepts at most 1 arg"},
		"Space":     {"a name of a space that is none", []string{"shop", "--wds-name", "a/b"}, exitUsage, "", `error: --wds-name "a/b": `},
		"Namespace": {"a namespace of no hub", []string{"shop", "-n", "edge1"}, exitUsage, "", "error: --namespace is for a hub"},
		"NoSpace":   {"a space that no report is about, instead of clusters that seem silent", []string{"shop/web.yaml", "-f", "shop/binding.yaml,named.yaml", "--wds-name", "wds2"}, exitFailed, "", "error: no report counts: all are about workload space \"wds1\", not \"wds2\"; choose one with --wds-name\n"},
		"OnlySpace": {"the only space of reports about the Bindings", []string{"shop/web.yaml", "-f", "shop/binding.yaml,named.yaml"}, exitDone, "Deployment shop/web (shop): 1 of 3 clusters reported", ""},
		"Spaces":    {"several spaces, and no --wds-name", []string{"shop/web.yaml", "-f", "shop/binding.yaml,named.yaml,other.yaml"}, exitFailed, "", "error: there are works of the workload spaces \"wds1\", \"wds2\"; choose one with --wds-name, or all with --wds-name \"\"\n"},
		"NoHub":     {"a hub that is not there", []string{"shop", "--kubeconfig", "none"}, exitFailed, "", "error: find the cluster: "},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r := runCLIOn(t, "[", append([]string{"fleet", "status"}, tc.args...)...)
			if r.code != tc.code || !strings.Contains(r.stdout, tc.stdout) || tc.stdout == "" && r.stdout != "" || !strings.Contains(r.stderr, tc.stderr) {
				t.Errorf("%s: exit code %d, want %d; stdout %q, want %q; stderr %q, want %q", tc.reason, r.code, tc.code, r.stdout, tc.stdout, r.stderr, tc.stderr)
			}
		})
	}
}
