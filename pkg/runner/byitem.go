package runner

import (
	"bytes"
	"regexp"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/parallel"
)

// Most items come back as they were sent, to the byte, from a function that prints the way we do.
// To parse them again would be most of the cost of a hand-over, so an answer of that usual form is
// cut into items where that is certain to be what a parser would do, and only the others are parsed.

// usualHead is how a list begins that can be cut.
var usualHead = regexp.MustCompile(`^apiVersion: config\.kubernetes\.io/v1(alpha1)?\nkind: ResourceList\nitems:\n`)

// mostBytes is more than any list that can be cut; it keeps the bounds that hold for a whole list out
// of reach of its items.
var mostBytes = krm.DefaultLimits.Bytes

// parseByItem reads an answer of the usual form item by item; nil when it is of another form, or
// wrong in any way, which is for the parser to say.
func (r *request) parseByItem(stdout []byte) *answer {
	head := usualHead.Find(stdout)
	if head == nil || r.at == nil || len(stdout) > mostBytes {
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
	items := r.claim(spans)
	if items == nil {
		return nil
	}
	return &answer{results: l.Results, items: items}
}

// claim says which item each span was; nil when one means nothing without those beside it.
func (r *request) claim(spans []span) []returned {
	items := make([]returned, len(spans))
	c := claims{request: r}
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
		items[i] = returned{c.original(s.now), s.now}
	}
	return items
}

// span is the text of one item.
type span struct {
	text []byte
	ends bool // what follows cannot change what it means
	same int  // the item that this is to the byte; -1 for none
	now  *krm.Object
}

// cut cuts a list at its dashes, and gives what follows the list.
func (r *request) cut(text []byte) (spans []span, rest []byte) {
	spans = make([]span, 0, len(r.items))
	for bytes.HasPrefix(text, []byte("- ")) {
		n, ends := itemLength(text)
		spans = append(spans, span{text: text[:n], ends: ends, same: r.sameAs(text[:n])})
		text = text[n:]
	}
	return spans, text
}

// parseChanged parses the items that are not the same, on all processors: the program has ended, and
// nothing else takes as long.
func parseChanged(spans []span) {
	parallel.For(len(spans), func(i int) {
		if s := &spans[i]; s.same < 0 {
			s.now = parseItem(s.text)
		}
	})
}

// itemLength is how far the item reaches that text begins with: to the next line that is not
// indented. It does not end cleanly if its last line may be a comment, for that might belong to what
// follows.
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

// oddBreaks are line ends to a parser which itemLength does not see, and the mark of byte order.
var oddBreaks = [][]byte{[]byte("\r"), []byte("\u0085"), []byte("\u2028"), []byte("\u2029"), []byte("\ufeff")}

// parseItem parses one item alone, nil when it cannot stand alone. What a whole list may have more of
// than one file, a list of such items cannot come near: see mostBytes, and no alias is taken. An item that
// holds too many values is refused with the whole list.
func parseItem(text []byte) *krm.Object {
	for _, odd := range oddBreaks {
		if bytes.Contains(text, odd) {
			return nil
		}
	}
	objs, err := krm.Read("item", append([]byte("kind: ResourceList\nitems:\n"), text...),
		krm.Limits{Bytes: 2 * mostBytes, Nodes: krm.DefaultLimits.Nodes, Depth: krm.DefaultLimits.Depth + 2, Aliased: 1})
	if err != nil || len(objs) != 1 {
		return nil
	}
	items := objs[0].Lookup("items")
	if items == nil || len(objs[0].Node().Content) != 4 || len(items.Content) != 1 || !krm.IsMap(items.Content[0]) {
		return nil
	}
	return krm.FromNode(items.Content[0])
}
