package replacements

import (
	"errors"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// TestWrittenNodes copies 20,000 empty lists, 60 KB of text, to 25 places: what counts is the memory that they take.
func TestWrittenNodes(t *testing.T) {
	c := config(t, 1, 1, "kind: Deployment", "spec.a")
	r := c.Lookup("replacements").Content[0]
	krm.RemoveField(r, "sourceValue")
	source, err := krm.Read("a.yaml", []byte("kind: A\nmetadata: {name: a}\nlist: ["+strings.Repeat("[],", 20_000)+"]\n---\nsource: {kind: A, fieldPath: list}\n"), krm.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	krm.SetField(r, "source", source[1].Lookup("source"))
	for n, want := range map[int]bool{15: true, 25: false} {
		out := Function.Apply(t.Context(), &fn.Input{Items: append(objects(t, n), source[0]), Config: c})
		if out.Failed() == want || out.Failed() && !strings.Contains(fn.FormatResult(out.Results[0]), errWritten.Error()) {
			t.Errorf("%d places: %v", n, out.Results)
		}
	}
	if least := int(unsafe.Sizeof(yaml.Node{}) + unsafe.Sizeof(&yaml.Node{})); nodeSize < least {
		t.Errorf("a node takes %d bytes, and %d are counted", least, nodeSize)
	}
}

// TestPartsOfLongTexts takes and replaces parts of a text of millions of them, in no more memory than the text takes.
func TestPartsOfLongTexts(t *testing.T) {
	const length = 4 << 20
	text, part := krm.StringNode(strings.Repeat(",", length)), krm.StringNode("x")
	for name, c := range map[string]struct {
		most int
		do   func() error
	}{
		"part":  {1 << 10, func() error { _, err := FieldOptions{Delimiter: ",", Index: length / 2}.part(text); return err }},
		"join":  {length + 1<<17, func() error { _, err := FieldOptions{Delimiter: ",", Index: 5}.join(text, part, 1); return err }},
		"first": {2*length + 1<<17, func() error { _, err := FieldOptions{Delimiter: ",", Index: -1}.join(text, part, 2); return err }},
		"last": {2*length + 1<<17, func() error {
			_, err := FieldOptions{Delimiter: ",", Index: 2 * length}.join(text, part, 2)
			return err
		}},
		"too much": {1 << 10, func() error {
			if _, err := (FieldOptions{Delimiter: ",", Index: 5}).join(text, text, length-1); !errors.Is(err, errWritten) {
				t.Errorf("too much: %v", err)
			}
			return nil
		}},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := c.do()
		runtime.ReadMemStats(&after)
		if took := int(after.TotalAlloc - before.TotalAlloc); err != nil || took > c.most {
			t.Errorf("%s: took %d bytes, want at most %d: %v", name, took, c.most, err)
		}
	}
}
