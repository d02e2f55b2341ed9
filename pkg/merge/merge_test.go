package merge

import (
	"testing"

	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

func tree(t testing.TB, files map[string]string) pkgtree.Tree {
	t.Helper()
	data := map[string][]byte{}
	for p, text := range files {
		data[p] = []byte(text)
	}
	out, err := pkgtree.New(data)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func text(tr pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tr.All() {
		out[p] = string(b.Data())
	}
	return out
}
