package plain_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm/plain"
)

// entry is a key or a list item: where it is, and its value. The order and depth of entries tell the whole structure of a document.
type entry struct {
	Document, Line, Depth int
	Key, Value            string
}

const item, below = "- ", "below" // the key of an item, and the value of an entry that has others below it or is null

// scanned are the entries that a Scanner reads, nil if text is not plain, and text without the comments behind them.
func scanned(t testing.TB, text []byte) (entries []entry, bare []byte) {
	t.Helper()
	s, document, line, end := plain.New(text), 0, 1, 0
	for ; s.Next(); end = s.End {
		at := entry{Document: document, Line: line, Depth: s.Depth() - s.Dashes, Value: below}
		line += bytes.Count(text[s.Start:s.End], []byte("\n"))
		if s.Start != end || s.Kind != plain.Block && bytes.Count(text[s.Start:s.End], []byte("\n")) != 1 {
			t.Fatalf("line %d is from %d to %d:\n%s", line, s.Start, s.End, text)
		}
		if s.Kind == plain.Separator && len(entries) > 0 && entries[len(entries)-1].Document == document {
			document++
		}
		if s.Kind < plain.Below {
			bare = append(bare, text[s.Start:s.End]...)
			continue
		}
		bare = append(append(bare, bytes.TrimSuffix(text[s.Start:s.End-1], s.Comment)...), '\n')
		if s.Key == nil {
			at.Depth++
		}
		for range s.Dashes {
			at.Key = item
			entries = append(entries, at)
			at.Depth++
		}
		last := &at
		if at.Key = string(s.Key); s.Key == nil {
			last = &entries[len(entries)-1]
		}
		if s.Kind != plain.Below {
			last.Value = valueOf(t, s.Kind, s.Value)
		}
		if s.Key != nil {
			entries = append(entries, at)
		}
	}
	if !s.Plain() {
		return nil, nil
	}
	return entries, bare
}

// styles are those of the parser.
var styles = map[plain.Kind]yaml.Style{plain.Single: yaml.SingleQuotedStyle, plain.Double: yaml.DoubleQuotedStyle}

// valueOf is what the parser reads when a value is all there is.
func valueOf(t testing.TB, kind plain.Kind, value []byte) string {
	t.Helper()
	n, err := yaml.Parse("a: " + string(value))
	if err != nil || len(n.YNode().Content) != 2 {
		t.Fatalf("value %q: %v", value, err)
	}
	v := n.YNode().Content[1]
	switch style := v.Style; {
	case kind == plain.Empty && v.Style == yaml.FlowStyle && len(v.Content) == 0:
	case kind == plain.Block && v.Kind == yaml.ScalarNode && (style == yaml.LiteralStyle || style == yaml.FoldedStyle):
	case v.Kind != yaml.ScalarNode || style != styles[kind]:
		t.Fatalf("value %q of kind %d has style %d", value, kind, style)
	}
	return describe(v)
}

func describe(v *yaml.Node) string {
	switch {
	case v.Kind != yaml.ScalarNode && v.Style != yaml.FlowStyle, v.Kind == yaml.ScalarNode && v.Value == "" && v.Style == 0:
		return below
	case v.Kind != yaml.ScalarNode:
		return fmt.Sprintf("kind %d", v.Kind)
	}
	return fmt.Sprintf("%s %d %q", v.ShortTag(), v.Style, v.Value)
}

// parsed are the entries that the parser reads.
func parsed(t testing.TB, text []byte) (entries []entry) {
	t.Helper()
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for document := 0; ; document++ {
		var n yaml.Node
		if err := decoder.Decode(&n); errors.Is(err, io.EOF) {
			return entries
		} else if err != nil {
			t.Fatalf("is plain, and the parser says %v:\n%s", err, text)
		}
		if yaml.IsYNodeEmptyDoc(&n) {
			document--
			continue
		}
		walk(n.Content[0], 1, func(e entry) {
			e.Document = document
			entries = append(entries, e)
		})
	}
}

func walk(n *yaml.Node, depth int, visit func(entry)) {
	for i, c := range n.Content {
		switch {
		case n.Kind == yaml.SequenceNode:
			visit(entry{Line: c.Line, Depth: depth, Key: item, Value: describe(c)})
		case i%2 == 0:
			visit(entry{Line: c.Line, Depth: depth, Key: c.Value, Value: describe(n.Content[i+1])})
			continue
		}
		walk(c, depth+1, visit)
	}
}

// checkReading holds what a Scanner reads to what the parser reads, and reports whether text is plain.
func checkReading(t testing.TB, text []byte) bool {
	t.Helper()
	got, bare := scanned(t, text)
	if got == nil {
		return false
	}
	want := parsed(t, text)
	if !slices.Equal(got, want) {
		t.Fatalf("(-parsed +scanned):\n%s\nof:\n%s", cmp.Diff(want, got), text)
	}
	if len(bare) < len(text) && !slices.Equal(parsed(t, bare), want) {
		t.Fatalf("a comment is a value:\n%s", text)
	}
	return true
}

// TestScanner: whenever a text is plain, its reading is the parser's.
func TestScanner(t *testing.T) {
	texts, known := corpus(t), 0
	for _, text := range texts {
		if checkReading(t, text) {
			known++
		}
	}
	if t.Logf("%d of %d texts are plain", known, len(texts)); known < len(texts)/5 {
		t.Errorf("only %d of %d texts are plain", known, len(texts))
	}
}

// TestScannerRandom is TestScanner on mutants of short plain texts.
func TestScannerRandom(t *testing.T) {
	texts := slices.DeleteFunc(corpus(t), func(text []byte) bool { return len(text) > 1500 || !checkReading(t, text) })
	random, known := rand.New(rand.NewPCG(1, 2)), 0 // #nosec G404 -- the same in each run
	const rounds = 30_000
	for range rounds {
		if checkReading(t, mutant(random, string(texts[random.IntN(len(texts))]))) {
			known++
		}
	}
	if t.Logf("%d of %d mutants are plain", known, rounds); known < rounds/20 || known > rounds*9/10 {
		t.Errorf("%d of %d mutants are plain: this proves little", known, rounds)
	}
}

func FuzzScanner(f *testing.F) {
	for _, text := range []string{web, config, "---\n" + config + "---\n" + web} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { checkReading(t, text) })
}
