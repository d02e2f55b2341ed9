package mergetest

import (
	"strings"
	"testing"

	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// Tree returns a tree of files.
func Tree(t testing.TB, files map[string]string) pkgtree.Tree {
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

// Texts returns the files of a tree.
func Texts(tr pkgtree.Tree) map[string]string {
	out := map[string]string{}
	for p, b := range tr.All() {
		out[p] = string(b.Data())
	}
	return out
}

// PlainKptfile is the Kptfile of cases that have none.
const PlainKptfile = "apiVersion: kpt.dev/v1\nkind: Kptfile\nmetadata:\n  name: pkg\n"

// MarkedMap returns an object with its marks.
const MarkedMap = `apiVersion: v1
kind: ConfigMap
metadata: # kpt-merge: shop/c
  name: c
  namespace: shop
  annotations:
    internal.kpt.dev/upstream-identifier: '|ConfigMap|shop|c'
data:
  a: b
`

// Reporter is a test or a collector of failed properties.
type Reporter interface{ Errorf(string, ...any) }

// HasOddNames reports whether an object has a name with a blank, which is invalid and impossible in a mark.
func HasOddNames(in pkgtree.Tree) bool {
	for p, b := range in.All() {
		objects, err := krm.Read(p, b.Data(), krm.Limits{})
		for _, o := range objects {
			if err == nil && strings.ContainsFunc(o.Name()+o.Namespace(), func(r rune) bool { return r <= ' ' || r > '~' || r == '/' || r == '#' }) {
				return true
			}
		}
	}
	return false
}

// WithoutMark removes the mark from an object.
func WithoutMark(m map[string]any) {
	meta, _ := m["metadata"].(map[string]any)
	annotations, _ := meta["annotations"].(map[string]any)
	if delete(annotations, mark.IdentityAnnotation); annotations != nil && len(annotations) == 0 {
		delete(meta, "annotations")
	}
}
