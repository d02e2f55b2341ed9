package binding_test

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/binding"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

const shop = `apiVersion: v1
kind: ConfigMap
metadata: {name: banner, namespace: shop}
---
apiVersion: control.kubestellar.io/v1alpha1
kind: BindingPolicy
metadata: {name: edge}
spec:
  clusterSelectors: [{matchLabels: {site: edge}}]
  downsync: [{resources: [configmaps], namespaces: [shop]}]
---
apiVersion: fn.waybill.dev/v1alpha1
kind: Inventory
metadata: {name: fleet}
spec:
  clusters:
  - {name: berlin, labels: {site: edge}}
  - {name: hub}
`

// Run adds a Binding for every policy: which objects go to which clusters.
func ExampleRun() {
	items, err := krm.Read("shop.yaml", []byte(shop), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	out, err := binding.Run(context.Background(), &fn.Input{Items: items})
	if err != nil {
		fmt.Println(err)
		return
	}
	edge := out.Items[len(out.Items)-1]
	destinations, err := krm.CanonicalJSON(edge.Lookup("spec", "destinations"))
	fmt.Println(edge.File(), string(destinations), err)
	// Output:
	// bindings/edge.yaml [{"clusterId":"berlin"}] <nil>
}

// An Explainer says why a policy selects a cluster or an object, or does not.
func ExampleExplainer_Evaluate() {
	items, err := krm.Read("shop.yaml", []byte(shop), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, err := binding.NewExplainer(&fn.Input{Items: items})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, v := range x.Evaluate(map[string]string{"site": "core"}, items[0]) {
		fmt.Println(v.Policy.Name(), "selects the cluster:", v.SelectsCluster(), "the object:", v.SelectsObject())
	}
	// Output:
	// edge selects the cluster: false the object: true
}
