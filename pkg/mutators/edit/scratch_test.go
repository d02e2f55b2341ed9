package edit

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
)

// TestNothingOfACopyStays edits objects in every way, and looks in what comes out for nodes of the
// copies, whose memory the next object gets. Nor may what comes out share nodes between two objects.
func TestNothingOfACopyStays(t *testing.T) {
	edits := map[string]func(*yaml.RNode) error{
		"value":   set("y", "a"),
		"inside":  set("y", "m", "k"),
		"new":     set("y", "new"),
		"new map": func(n *yaml.RNode) error { return n.PipeE(yaml.LookupCreate(yaml.ScalarNode, "x", "y", "z")) },
		"gone":    func(n *yaml.RNode) error { return n.PipeE(yaml.Clear("m")) },
		"item": func(n *yaml.RNode) error {
			return n.PipeE(yaml.Lookup("l"), yaml.Append(yaml.NewStringRNode("new").YNode()))
		},
		"reversed": func(n *yaml.RNode) error { slices.Reverse(n.Field("l").Value.YNode().Content); return nil },
		"moved": func(n *yaml.RNode) error { // a part of the copy, to another place, twice
			m := n.Field("m").Value
			return errors.Join(n.PipeE(yaml.SetField("p", m)), n.PipeE(yaml.SetField("q", m)))
		},
		"retyped":   func(n *yaml.RNode) error { return n.PipeE(yaml.SetField("l", n.Field("m").Value)) },
		"new parts": func(n *yaml.RNode) error { return n.PipeE(yaml.SetField("new", yaml.MustParse("{of: all} # c"))) },
		"comment":   func(n *yaml.RNode) error { n.Field("a").Value.YNode().LineComment = "# new"; return nil },
		"through":   set("y", "alias", "k"),
		"emptied":   func(n *yaml.RNode) error { n.Field("m").Value.YNode().Content = nil; return nil },
		"other root": func(n *yaml.RNode) error {
			slices.Reverse(n.YNode().Content[:2])
			n.YNode().Content[0], n.YNode().Content[1] = n.YNode().Content[1], n.YNode().Content[0]
			return nil
		},
	}
	var text strings.Builder
	for i := range 4 * smallestPart {
		fmt.Fprintf(&text, "---\n# head %d\na: x%d # line\nm: &m {k: v%d}\nl: [p%d, {q: r}, [s]]\nalias: *m\n", i, i, i, i)
	}
	for name, edit := range edits {
		t.Run(name, func(t *testing.T) {
			in := &fn.Input{Items: read(t, text.String())}
			before := write(t, in.Items)
			var lock sync.Mutex
			copies := map[*yaml.Node]bool{}
			lists := map[**yaml.Node]bool{}
			out, err := Each(t.Context(), in, nil, func(n *yaml.RNode) error {
				lock.Lock()
				visit(n.YNode(), copies, lists)
				lock.Unlock()
				return edit(n)
			})
			if err != nil {
				t.Fatal(err)
			}
			nodes, seen := map[*yaml.Node]bool{}, 0
			for i, o := range out.Items {
				own := map[*yaml.Node]bool{}
				outLists := map[**yaml.Node]bool{}
				visit(o.Node(), own, outLists)
				for n := range own {
					if nodes[n] || copies[n] {
						t.Fatalf("item %d: node %q is of a copy (%t) or of another item (%t)", i, n.Value, copies[n], nodes[n])
					}
					nodes[n] = true
				}
				for l := range outLists {
					if lists[l] {
						t.Fatalf("item %d: a list is of a copy", i)
					}
				}
				seen += len(own)
			}
			if seen != len(nodes) {
				t.Errorf("%d nodes in %d places", len(nodes), seen)
			}
			if d := cmp.Diff(before, write(t, in.Items)); d != "" {
				t.Errorf("the input changed:\n%s", d)
			}
			again, err := Each(t.Context(), &fn.Input{Items: read(t, text.String())}, nil, edit)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(write(t, again.Items), write(t, out.Items)); d != "" {
				t.Errorf("a second time (-again +first):\n%s", d)
			}
		})
	}
}

// visit notes every node below n, and where its lists begin.
func visit(n *yaml.Node, nodes map[*yaml.Node]bool, lists map[**yaml.Node]bool) {
	nodes[n] = true
	if len(n.Content) > 0 {
		lists[&n.Content[0]] = true
	}
	for _, c := range n.Content {
		visit(c, nodes, lists)
	}
}

// TestStops ends the context while items are edited.
func TestStops(t *testing.T) {
	items := read(t, strings.Repeat("---\nkind: A\n", 100))
	ctx, cancel := context.WithCancel(t.Context())
	var lock sync.Mutex
	calls := 0
	out, err := Each(ctx, &fn.Input{Items: items}, nil, func(*yaml.RNode) error {
		lock.Lock()
		defer lock.Unlock()
		calls++
		cancel()
		return nil
	})
	if out != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("the end of the context is the error: %v", err)
	}
	if calls >= len(items)/2 {
		t.Errorf("%d items were edited after the end", calls)
	}
}
