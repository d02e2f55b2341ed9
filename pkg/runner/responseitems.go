package runner

import (
	"bytes"
	"regexp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/parallel"
)

// A function that prints YAML as Waybill does returns most items exactly as it received them.
// To parse them again would be most of the cost of the exchange. So a response in that form is
// split into items, where it is certain that a parser would do the same, and only changed items are parsed.

// listHead is the beginning of a list that can be split.
var listHead = regexp.MustCompile(`^apiVersion: config\.kubernetes\.io/v1(alpha1)?\nkind: ResourceList\nitems:\n`)

// maxBytes is the size of the largest list that is split. Its items cannot exceed the bounds on a
// whole list.
var maxBytes = krm.DefaultLimits.Bytes

// parseByItem reads a response item by item; nil when it has another form or
// is not valid, which the parser reports.
func (r *request) parseByItem(stdout []byte) *answer {
	head := listHead.Find(stdout)
	if head == nil || r.at == nil || len(stdout) > maxBytes {
		return nil
	}
	spans, rest := r.cut(stdout[len(head):])
	if len(spans) == 0 || len(rest) > 0 && (rest[0] < 'a' || rest[0] > 'z') {
		return nil
	}
	frame := append(bytes.TrimSuffix(bytes.Clone(head), []byte("\n")), " []\n"...)
	l, err := fn.ParseList(append(frame, rest...)) // the list without its items
	if err != nil {
		return nil
	}
	parseChanged(spans)
	items := r.matchItems(spans)
	if items == nil {
		return nil
	}
	return &answer{results: l.Results, items: items}
}

// matchItems finds the item that each span was; nil when a span has no meaning without its neighbours.
func (r *request) matchItems(spans []span) []returned {
	items := make([]returned, len(spans))
	c := returnedItems{request: r}
	for i, s := range spans {
		if s.same >= 0 {
			if items[i].old = c.take(s.same); items[i].old != nil {
				continue
			}
			s.now = parseItem(s.text) // a copy
		}
		if s.now == nil || !s.ends || i > 0 && !spans[i-1].ends {
			return nil
		}
		items[i] = c.original(s.now)
	}
	return items
}

// span is the text of one item.
type span struct {
	text []byte
	ends bool // the text that follows cannot change its meaning
	same int  // the item with exactly this text; -1 for none
	now  *krm.Object
}

// cut splits a list at its dashes, and returns the text behind the list.
func (r *request) cut(text []byte) (spans []span, rest []byte) {
	spans = make([]span, 0, len(r.items))
	for bytes.HasPrefix(text, []byte("- ")) {
		n, ends := itemLength(text)
		spans = append(spans, span{text: text[:n], ends: ends, same: r.sameAs(text[:n])})
		text = text[n:]
	}
	return spans, text
}

// parseChanged parses the changed items on all processors, since this takes most of the time.
func parseChanged(spans []span) {
	parallel.For(len(spans), func(i int) {
		if s := &spans[i]; s.same < 0 {
			s.now = parseItem(s.text)
		}
	})
}

// itemLength is the length of the first item in text: up to the next line that is not
// indented. clean is false if its last line may be a comment, which may belong to the next item.
func itemLength(text []byte) (n int, clean bool) {
	for n < len(text) && (n == 0 || text[n] == ' ' || text[n] == '\n') {
		line := text[n:]
		if i := bytes.IndexByte(line, '\n'); i >= 0 {
			line = line[:i+1]
		}
		n += len(line)
		if line = bytes.TrimSpace(line); len(line) > 0 {
			clean = line[0] != '#'
		}
	}
	return n, clean
}

// otherLineBreaks are line breaks of YAML that itemLength does not know, and the byte order mark.
var otherLineBreaks = [][]byte{[]byte("\r"), []byte("\u0085"), []byte("\u2028"), []byte("\u2029"), []byte("\ufeff")}

// parseItem parses one item alone; nil when that is not possible. A list of such items cannot exceed the limits of a
// whole list, see maxBytes, since aliases are not accepted. An item that
// holds too many values is refused with the whole list.
func parseItem(text []byte) *krm.Object {
	for _, odd := range otherLineBreaks {
		if bytes.Contains(text, odd) {
			return nil
		}
	}
	objs, err := krm.Read("item", append([]byte("kind: ResourceList\nitems:\n"), text...),
		krm.Limits{Bytes: 2 * maxBytes, Nodes: krm.DefaultLimits.Nodes, Depth: krm.DefaultLimits.Depth + 2, Aliased: 1})
	if err != nil || len(objs) != 1 {
		return nil
	}
	items := objs[0].Lookup("items")
	if items == nil || len(objs[0].Node().Content) != 4 || len(items.Content) != 1 || !krm.IsMap(items.Content[0]) {
		return nil
	}
	return krm.FromNode(items.Content[0])
}
