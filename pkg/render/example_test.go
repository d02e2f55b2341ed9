package render_test

import (
	"context"
	"fmt"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
	"github.com/waybill-dev/waybill/pkg/render"
	"github.com/waybill-dev/waybill/pkg/runner/choose"
)

// A package goes in as files and comes out as files; nothing is read from or written to a disk.
func ExampleRender() {
	tree, err := pkgtree.New(map[string][]byte{
		"Kptfile": []byte(`apiVersion: kpt.dev/v1
kind: Kptfile
metadata:
  name: shop
pipeline:
  mutators:
  - image: ghcr.io/waybill-dev/set-namespace
    configMap:
      namespace: shop
`),
		"app.yaml":  []byte("apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner # seen by all\n"),
		"README.md": []byte("# The shop\n"),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	linked, err := choose.Options{}.Factory()
	if err != nil {
		fmt.Println(err)
		return
	}
	result, err := render.Render(context.Background(), tree, render.Options{Functions: linked})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("changed:", result.Tree.Diff(tree))
	for _, step := range result.Steps {
		fmt.Println("ran:", step.Title(), step.Runner)
	}
	text, _ := result.Tree.Get("app.yaml")
	fmt.Print(string(text))
	// Output:
	// changed: [app.yaml]
	// ran: ghcr.io/waybill-dev/set-namespace in-process
	// apiVersion: v1
	// kind: ConfigMap
	// metadata:
	//   name: banner # seen by all
	//   namespace: shop
}
