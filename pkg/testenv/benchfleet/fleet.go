package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The package of the fleet, without its clusters and Deployments.
const (
	fleetKptfile = `apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/bind-resolve
  - image: ghcr.io/waybill-dev/custom-transform
  - image: ghcr.io/waybill-dev/bundle-manifestwork
`
	fleetPolicies = `apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata:
  name: shop
spec:
  clusterSelectors:
  - matchLabels:
      site: edge
  downsync:
  - apiGroup: apps
    resources:
    - deployments
---
apiVersion: control.kubestellar.io/v1alpha1
kind: CustomTransform
metadata:
  name: scrub
spec:
  apiGroup: apps
  resource: deployments
  remove:
  - $.spec.revisionHistoryLimit
`
	fleetDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web-%[1]d
  namespace: shop
%[2]sspec:
  replicas: 3
  revisionHistoryLimit: 5
  selector:
    matchLabels:
      app: web-%[1]d
  template:
    metadata:
      labels:
        app: web-%[1]d
    spec:
      containers:
      - name: web
        image: registry.example.com/web:%[3]s
        env:
        - name: CLUSTER
          value: %[4]s
        ports:
        - containerPort: 8080
`
	fleetTemplated = "  annotations:\n    control.kubestellar.io/expand-templates: \"true\"\n"
)

// deployment is the text of one of the fleet's Deployments. A tenth of them are templates.
func (b *bench) deployment(i int, tag string) string {
	if i < b.objects/10 {
		return fmt.Sprintf(fleetDeployment, i, fleetTemplated, tag, `"{{.clusterName}}"`)
	}
	return fmt.Sprintf(fleetDeployment, i, "", tag, "edge")
}

// writeClusters writes an inventory of so many clusters.
func (b *bench) writeClusters(clusters int) error {
	var text strings.Builder
	text.WriteString("apiVersion: fn.waybill.dev/v1alpha1\nkind: Inventory\nmetadata:\n  name: fleet\nspec:\n  clusters:\n")
	for i := range clusters {
		fmt.Fprintf(&text, "  - name: edge-%d\n    labels:\n      region: r%d\n      site: edge\n", i, i%7)
	}
	return b.write("clusters.yaml", text.String())
}

// writeFleet writes the package.
func (b *bench) writeFleet() error {
	err := errors.Join(b.write("Kptfile", fleetKptfile), b.write("policies.yaml", fleetPolicies), b.writeClusters(b.clusters))
	for i := range b.objects {
		err = errors.Join(err, b.writeDeployment(i, "1.0"))
	}
	return err
}

func (b *bench) writeDeployment(i int, tag string) error {
	return b.write(fmt.Sprintf("app/web-%d.yaml", i), b.deployment(i, tag))
}

func (b *bench) write(name, text string) error {
	file := b.path(b.fleet, filepath.FromSlash(name))
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte(text), 0o600))
}
