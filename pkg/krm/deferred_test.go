package krm

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// counted is a deferred field that counts who asks for what.
type counted struct {
	nodes, texts int
	broken       error
}

func (c *counted) Node() *yaml.Node {
	c.nodes++
	return MapNode(StringNode("list"), &yaml.Node{Kind: yaml.SequenceNode, Tag: yaml.NodeTagSeq, Content: []*yaml.Node{StringNode("a")}})
}

func (c *counted) AppendText(dst []byte) ([]byte, error) {
	c.texts++
	return append(dst, "spec:\n  list:\n  - a\n"...), c.broken
}

func deferredObject(c *counted) *Object {
	meta := MapNode(StringNode("name"), StringNode("x"))
	return WithDeferred(MapNode(StringNode("kind"), StringNode("K"), StringNode("metadata"), meta), "spec", c)
}

const (
	compactText = "kind: K\nmetadata:\n  name: x\nspec:\n  list:\n  - a\n"
	wideText    = "kind: K\nmetadata:\n  name: x\nspec:\n  list:\n    - a\n"
)

func TestDeferred(t *testing.T) {
	cases := map[string]struct {
		reason string
		do     func(o *Object) *Object
		nodes  int // how often the field was made
		want   string
	}{
		"Write":     {"writing needs no nodes", func(o *Object) *Object { return o }, 0, compactText},
		"Metadata":  {"nor does looking at metadata", func(o *Object) *Object { _, _, _ = o.ID(), o.File(), o.Labels(); return o }, 0, compactText},
		"Annotate":  {"nor a mark that is never written", func(o *Object) *Object { o.SetPath("a.yaml", 1); return o }, 0, compactText},
		"Undo":      {"nor taking it back", func(o *Object) *Object { o.SetPath("a", 1); o.RemoveAnnotations(IsOrchestration); return o }, 0, compactText},
		"Copy":      {"nor a copy", func(o *Object) *Object { return o.DeepCopy() }, 0, compactText},
		"Lookup":    {"looking at the field makes it, once", func(o *Object) *Object { o.Lookup("spec", "list"); o.Node(); return o }, 1, compactText},
		"Wide":      {"only compact text is known", func(o *Object) *Object { o.WideSequences = true; return o }, 1, wideText},
		"EditAfter": {"an edit shows once nodes are there", func(o *Object) *Object { SetField(o.Node(), "kind", StringNode("L")); return o }, 1, "kind: L" + compactText[len("kind: K"):]},
		"Before":    {"so does one from before", func(o *Object) *Object { o.SetAnnotation("a", "b"); o.Node(); return o }, 1, "kind: K\nmetadata:\n  name: x\n  annotations:\n    a: 'b'\nspec:\n  list:\n  - a\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := &counted{}
			if d := cmp.Diff(tc.want, write(t, tc.do(deferredObject(c)))); d != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, d)
			}
			if c.nodes != tc.nodes {
				t.Errorf("%s: nodes were made %d times, want %d", tc.reason, c.nodes, tc.nodes)
			}
		})
	}
}

func TestDeferredCopyOwnsItsNodes(t *testing.T) {
	shared := &counted{}
	value := shared.Node()
	o := WithDeferred(MapNode(StringNode("kind"), StringNode("K")), "spec", fixed{value})
	SetField(o.DeepCopy().Lookup("spec"), "more", StringNode("x"))
	if Lookup(value, "more") != nil {
		t.Error("an edit of a copy reached what the original shares with others")
	}
	if !Same(o, o.DeepCopy()) {
		t.Error("a copy is not the same")
	}
}

// fixed is a deferred field that cannot say its text.
type fixed struct{ value *yaml.Node }

func (f fixed) Node() *yaml.Node                    { return f.value }
func (fixed) AppendText(dst []byte) ([]byte, error) { return dst, errors.New("no text") }

func TestDeferredWithoutTextIsWrittenFromNodes(t *testing.T) {
	o := WithDeferred(MapNode(StringNode("kind"), StringNode("K")), "spec", fixed{(&counted{}).Node()})
	if d := cmp.Diff("kind: K\nspec:\n  list:\n  - a\n", write(t, o)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestDeferredIsMadeOnceForAllReaders(t *testing.T) {
	c := &counted{}
	o := deferredObject(c)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if o.Lookup("spec", "list") == nil || o.Name() != "x" {
				t.Error("a reader misses something")
			}
		})
	}
	wg.Wait()
	if c.nodes != 1 {
		t.Errorf("nodes were made %d times", c.nodes)
	}
}
