package krm

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
	"sigs.k8s.io/kustomize/kyaml/comments"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/order"
)

// kptRenders is what a render by kpt makes of a file whose functions change nothing: it reads it, passes
// it on as a list, reads that, and gives it the comments and the order of fields that it had.
func kptRenders(text string) (string, bool) {
	reader := kio.ByteReader{Reader: strings.NewReader(text), PreserveSeqIndent: true, DisableUnwrapping: true}
	nodes, err := reader.Read()
	if err != nil {
		return "", false
	}
	var list bytes.Buffer
	pass := kio.ByteWriter{Writer: &list, WrappingKind: kio.ResourceListKind, WrappingAPIVersion: kio.ResourceListAPIVersion, KeepReaderAnnotations: true}
	if pass.Write(nodes) != nil {
		return "", false
	}
	back, err := (&kio.ByteReader{Reader: &list, PreserveSeqIndent: true}).Read()
	if err != nil || len(back) != len(nodes) {
		return "", false
	}
	for i := range nodes {
		if comments.CopyComments(nodes[i], back[i]) != nil || order.SyncOrder(nodes[i], back[i]) != nil {
			return "", false
		}
	}
	var out bytes.Buffer
	err = kio.ByteWriter{Writer: &out, Sort: true}.Write(back)
	return out.String(), err == nil
}

// checkNormalised holds that what kpt leaves as it is keeps its bytes, and reports whether it is so.
func checkNormalised(t rapid.TB, text string, objs []*Object) bool {
	if kpt, ok := kptRenders(text); !ok || kpt != text {
		return false
	}
	got, err := Write(objs)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(text, string(got)); d != "" {
		t.Fatalf("kpt leaves it as it is (-is +ours):\n%s", d)
	}
	return true
}

func TestNormalisedComments(t *testing.T) {
	normal := 0
	rapid.Check(t, func(t *rapid.T) {
		text := "apiVersion: v1\nkind: X\nmetadata:\n  name: x\n" + anyFields().Draw(t, "text")
		for range 3 {
			if text2, ok := kptRenders(text); ok {
				text = text2
			}
		}
		if objs, err := Read("f.yaml", []byte(text), Limits{}); err == nil && checkNormalised(t, text, objs) {
			normal++
		}
	})
	t.Logf("%d normal", normal)
	if normal == 0 {
		t.Error("kpt left nothing as it is: nothing was compared")
	}
}
