package merge_test

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/merge"
	"github.com/waybill-dev/waybill/pkg/merge/diff"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func deployment(image, replicas string) pkgtree.Tree {
	tree, err := pkgtree.New(map[string][]byte{"app.yaml": []byte(`apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: ` + replicas + `
  template:
    spec:
      containers:
      - name: web
        image: ` + image + "\n")})
	if err != nil {
		panic(err)
	}
	return tree
}

// Upstream changed the image and the replicas, and we changed the replicas, too. The result has the new image; the replicas are a
// conflict, and Options.Prefer says whose value the result has.
func ExamplePackages() {
	base, theirs, ours := deployment("web:1", "1"), deployment("web:2", "3"), deployment("web:1", "5")
	result, err := merge.Packages(base, theirs, ours, merge.Options{Prefer: merge.Local})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range result.Conflicts {
		fmt.Println("conflict:", c)
	}
	changes, err := diff.Changes(ours, result.Tree)
	for _, c := range changes {
		fmt.Println("changed:", c)
	}
	fmt.Println(err)
	// Output:
	// conflict: app.yaml Deployment web spec.replicas: base 1, upstream 3, local 5 → local's
	// changed: app.yaml Deployment web spec.template.spec.containers[name=web].image: web:1 → web:2
	// <nil>
}
