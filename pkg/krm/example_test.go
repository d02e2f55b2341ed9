package krm_test

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// An edit of one field leaves comments, order and style of all others as they are.
func ExampleRead() {
	objects, err := krm.Read("app.yaml", []byte(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: web # the shop's front
  namespace: shop
spec:
  replicas: 2 # enough at night
  paused: false
`), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	web := objects[0].DeepCopy()
	web.Lookup("spec", "replicas").Value = "5"
	text, err := krm.Write([]*krm.Object{web})
	fmt.Println(web.ID(), err)
	fmt.Print(string(text))
	// Output:
	// apps/Deployment/shop/web <nil>
	// apiVersion: apps/v1
	// kind: Deployment
	// metadata:
	//   name: web # the shop's front
	//   namespace: shop
	// spec:
	//   replicas: 5 # enough at night
	//   paused: false
}

// DecodeNode reads strictly: every fault is reported, each at its path.
func ExampleDecodeNode() {
	objects, err := krm.Read("fn.yaml", []byte("spec: {max: many, mxa: 3}\n"), krm.Limits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	var options struct {
		Spec struct {
			Max int `json:"max"`
		} `json:"spec"`
	}
	fmt.Println(krm.DecodeNode(objects[0].Node(), nil, &options))
	// Output:
	// [spec.max: Invalid value: want a whole number, got text, spec.mxa: Forbidden: unknown field]
}
