package kptfile_test

import (
	"fmt"

	v1 "github.com/kptdev/kpt/api/kptfile/v1"

	"github.com/waybill-dev/waybill/pkg/kptfile"
)

// SaveFunction changes the entry with the same image and keeps the text around it.
func ExampleFile_SaveFunction() {
	f, err := kptfile.Parse("Kptfile", []byte(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  # first of all
  - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
    configMap:
      namespace: shop
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	updated := f.SaveFunction(kptfile.Mutators, v1.Function{
		Image:     "ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1",
		ConfigMap: map[string]string{"namespace": "store"},
	})
	text, err := f.Bytes()
	fmt.Println(updated, err)
	fmt.Print(string(text))
	// Output:
	// true <nil>
	// apiVersion: kpt.dev/v1
	// kind: Kptfile
	// metadata:
	//   name: shop
	// pipeline:
	//   mutators:
	//   # first of all
	//   - image: ghcr.io/kptdev/krm-functions-catalog/set-namespace:v0.4.1
	//     configMap:
	//       namespace: store
}

// Parse is strict: a field that kpt ignores silently is an error.
func ExampleParse() {
	_, err := kptfile.Parse("Kptfile", []byte("apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: shop\npipline: {}\n"))
	fmt.Println(err)
	// Output:
	// Kptfile: unknown field pipline (line 5)
}
