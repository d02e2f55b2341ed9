package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const kptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: %s
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve
  - image: ghcr.io/waybill-dev/bundle-manifestwork
    configMap:
      customTransforms: apply
`

// policyText selects clusters by one label, which has one of some values, and objects by the label set.
const policyText = `apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata:
  name: %s
spec:
  clusterSelectors:
  - matchExpressions:
    - key: %s
      operator: In
      values: [%s]
  downsync:
  - objectSelectors:
    - matchLabels:
        set: %[1]s
`

// reportClause asks a question about one object to the clusters that have it.
const reportClause = `  - objectNames: [%s]
    statusCollectors: [states]
`

const collectorText = `apiVersion: control.kubestellar.io/v1alpha1
kind: StatusCollector
metadata:
  name: states
spec:
  groupBy:
  - name: state
    def: "!has(returned.status.readyReplicas) ? 'silent' : returned.status.readyReplicas < obj.spec.replicas ? 'not ready' : 'ready'"
  combinedFields:
  - name: clusters
    type: COUNT
  limit: 10
`

// policies are the files of all policies.
func (m *model) policies() map[string]string {
	return map[string]string{
		"policies/base.yaml":   fmt.Sprintf(policyText, "base", "site", "edge") + fmt.Sprintf(reportClause, watched),
		"policies/canary.yaml": fmt.Sprintf(policyText, "canary", "tier", "test"),
		"policies/extras.yaml": fmt.Sprintf(policyText, "extras", "region", strings.Join(m.extras, ", ")),
	}
}

// transform is the file that says which fields clusters do not receive.
func (m *model) transform() string {
	text := "apiVersion: control.kubestellar.io/v1alpha1\nkind: CustomTransform\nmetadata:\n  name: scrub\nspec:\n" +
		"  apiGroup: apps\n  resource: deployments\n  remove:\n"
	for _, field := range m.removed {
		text += "  - $.spec." + field + "\n"
	}
	return text
}

const deploymentText = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: %[1]s
  namespace: shop
  labels:
    set: %[2]s
%[3]sspec:
  replicas: 0
  revisionHistoryLimit: 0
  minReadySeconds: 0
  progressDeadlineSeconds: 0
  selector:
    matchLabels:
      app: %[1]s
  template:
    metadata:
      labels:
        app: %[1]s
    spec:
      containers:
      - name: web
        image: ""
        env:
        - name: PLACE
          value: ""
        ports:
        - containerPort: 8080
`

const configMapText = `apiVersion: v1
kind: ConfigMap
metadata:
  name: %s
  namespace: shop
  labels:
    set: %s
%sdata:
  value: ""
`

const expandAnnotation = "control.kubestellar.io/expand-templates"

// text is the file of an object, as its author writes it.
func (o object) text() string {
	annotations := ""
	if strings.Contains(o.fields["value"], "{{") {
		annotations = "  annotations:\n    " + expandAnnotation + ": \"true\"\n"
	}
	form := map[string]string{"Deployment": deploymentText, "ConfigMap": configMapText}[o.kind]
	text := fmt.Sprintf(form, o.name, o.fields["set"], annotations)
	for field, value := range o.fields {
		if field != "set" {
			text = setField(text, field, value)
		}
	}
	return text
}

// setField replaces the value of a field in the text of an object, and leaves the rest, comments included, as it is.
func setField(text, field, value string) string {
	if field == "value" {
		value = `"` + value + `"`
	}
	line := regexp.MustCompile(`(?m)^( +` + regexp.QuoteMeta(field) + `: )[^#\n]*`)
	return line.ReplaceAllString(text, "${1}"+value)
}

// inventory are the files about clusters: the list, and their properties in a file for each region.
func inventory(name, annotations string, clusters []cluster) string {
	var out strings.Builder
	fmt.Fprintf(&out, "apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: %s\n%sspec:\n  clusters:\n", name, annotations)
	for _, c := range clusters {
		fmt.Fprintf(&out, "  - name: %s\n    labels:\n      region: %s\n      site: edge\n      tier: %s\n", c.name, c.region, c.tier)
	}
	return out.String()
}

func properties(clusters []cluster) string {
	var text strings.Builder
	for _, c := range clusters {
		fmt.Fprintf(&text, "---\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: %s\n  namespace: customization-properties\n"+localConfig+
			"data:\n  mirror: %s\n", c.name, c.mirror)
	}
	return strings.TrimPrefix(text.String(), "---\n")
}

const localConfig = "  annotations:\n    config.kubernetes.io/local-config: \"true\"\n"

// in are the clusters of a region.
func (m *model) in(region string) []cluster {
	return slices.DeleteFunc(slices.Clone(m.clusters), func(c cluster) bool { return c.region != region })
}

// writeFiles writes files below a folder; an empty text deletes the file.
func writeFiles(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if text == "" {
			if err := os.Remove(file); err != nil {
				return err
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o750); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// fleetFiles are what the fleet adds to the package that it got.
func (m *model) fleetFiles() map[string]string {
	files := map[string]string{"inventory/clusters.yaml": inventory("clusters", localConfig, m.clusters)}
	for _, region := range m.regions {
		files["inventory/properties-"+region+".yaml"] = properties(m.in(region))
	}
	return files
}
