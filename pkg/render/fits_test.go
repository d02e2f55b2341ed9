package render

import (
	"context"
	"fmt"
	"testing"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// TestWritesWhatIsRead checks that no render writes a file that the next render refuses.
func TestWritesWhatIsRead(t *testing.T) {
	const wanderer = "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: wanderer\ndata:\n  text: x\n"
	for function, tc := range map[string]struct{ reason, want string }{
		"nest": {"a function nests an object deeper than any reader takes", `write a.yaml: ConfigMap wanderer: below "data.in.in.in.in.in": nested deeper than 200 levels; it could be written, but not read again`},
		"fill": {"a function makes a file longer than any reader takes", "write a.yaml: would be 200073 bytes, but files of more than 100000 bytes are not read; ConfigMap wanderer is the largest of the objects in it"},
	} {
		tree := treeOf(t, map[string]string{
			"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\npipeline:\n  mutators:\n  - image: " + function + "\n",
			"a.yaml":  wanderer,
		})
		res, err := Render(context.Background(), tree, Options{Functions: testFactory{}, Limits: krm.Limits{Bytes: 100_000}})
		if err == nil || err.Error() != tc.want || res.Tree.Len() > 0 {
			t.Errorf("%s: %d files, %v; want %s", tc.reason, res.Tree.Len(), err, tc.want)
		}
	}
}

// TestAliasesOfManyFiles checks that the text that aliases stand for is bounded over all files of a package.
func TestAliasesOfManyFiles(t *testing.T) {
	files := map[string]string{"Kptfile": "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: p\n"}
	for i := range 90 {
		files[fmt.Sprintf("a%02d.yaml", i)] = fmt.Sprintf("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a%d}\na: &a [1,1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\n", i)
	}
	const want = "a00.yaml: aliases in all files of the package together stand for 4556880 bytes, more than the 4379736 allowed; replace aliases by the text that they stand for, in this file first"
	if _, err := Render(context.Background(), treeOf(t, files), Options{Functions: testFactory{}}); err == nil || err.Error() != want {
		t.Errorf("small files add up: %v, want %s", err, want)
	}
}

func treeOf(t *testing.T, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for name, text := range files {
		data[name] = []byte(text)
	}
	tree, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}
