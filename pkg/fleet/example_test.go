package fleet_test

import (
	"fmt"

	"github.com/waybill-dev/waybill/pkg/fleet"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func rendered(text string, clusters ...string) pkgtree.Tree {
	files := map[string][]byte{}
	for _, c := range clusters {
		files["clusters/"+c+"/banner.yaml"] = []byte(
			"apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: banner\n  namespace: shop\ndata:\n  text: " + text + "\n")
	}
	tree, err := pkgtree.New(files)
	if err != nil {
		panic(err)
	}
	return tree
}

// Two rendered packages in, what clusters notice out. A Budget refuses what is too much.
func ExampleCompare() {
	before, err := fleet.Read(rendered("hello", "berlin", "lima"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	after, err := fleet.Read(rendered("good day", "berlin"), before)
	if err != nil {
		fmt.Println(err)
		return
	}
	c, err := fleet.Compare(before, after)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range c.Changes {
		fmt.Println(change.Cluster(), change.Kind(), change.ID)
	}
	fmt.Println("left:", c.Left)

	none, err := fleet.ParseBound("0")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, why := range (fleet.Budget{Deletions: none}).Refusals(c.Preview("")) {
		fmt.Println(why)
	}
	// Output:
	// berlin changed /ConfigMap/shop/banner
	// lima removed /ConfigMap/shop/banner
	// left: [lima]
	// 1 of 2 objects would be deleted, and --max-deletions is 0
}
