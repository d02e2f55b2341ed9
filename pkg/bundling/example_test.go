package bundling_test

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/bundling"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// Run puts what a Binding names into one ManifestWork or more for every cluster, with templates filled in from the
// labels of that cluster.
func ExampleRun() {
	items, err := krm.Read("shop.yaml", []byte(`apiVersion: v1
kind: ConfigMap
metadata:
  name: banner
  namespace: shop
  annotations: {control.kubestellar.io/expand-templates: "true"}
data: {text: "Welcome to {{.region}}"}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: Binding
metadata: {name: edge}
spec:
  workload:
    namespaceScope:
    - {group: "", version: v1, resource: configmaps, namespace: shop, name: banner}
  destinations: [{clusterId: berlin}, {clusterId: lima}]
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: berlin, labels: {region: eu}}
  - {name: lima, labels: {region: sa}}
`), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := bundling.Run(context.Background(), &fn.Input{Items: items})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range out.Results {
		fmt.Println(fn.FormatResult(r))
	}
	for _, o := range out.Items[len(items):] {
		for _, manifest := range o.Lookup("spec", "workload", "manifests").Content {
			fmt.Println(o.Namespace(), o.Name(), krm.FromNode(manifest).String("data", "text"))
		}
	}
	// Output:
	// berlin edge-git-0 Welcome to eu
	// lima edge-git-0 Welcome to sa
}
