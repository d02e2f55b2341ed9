package runner

import (
	"bytes"
	"fmt"
	"strconv"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// request is the input of a process: items, and the list of them as text.
type request struct {
	items []*krm.Object
	text  []byte
	at    []int // where in text the items begin and the last one ends; nil when that is not known
}

// answer is the output of a process.
type answer struct {
	results sdk.Results
	items   []returned
}

// returned is an item of an answer. One that came back with the same text is not parsed: its now is nil.
type returned struct {
	old  *krm.Object // the item that was sent; nil for a new one
	now  *krm.Object
	from *krm.Object // old, or the item that now is a copy of
}

// newRequest numbers the items, so that each can be identified when it comes back.
func newRequest(in *fn.Input) (*request, error) {
	items, err := in.HandOver()
	if err != nil {
		return nil, err
	}
	l := fn.List{Items: make([]*krm.Object, len(items)), Config: in.Config}
	for i, o := range items {
		id := strconv.Itoa(i)
		l.Items[i] = o.WithAnnotations(krm.IDAnnotation, id, krm.LegacyIDAnnotation, id)
	}
	text, at, err := l.WriteItems()
	return &request{items: items, text: text, at: at}, err
}

// parse parses the output of a process.
func (r *request) parse(stdout []byte) (*answer, error) {
	if a := r.parseByItem(stdout); a != nil {
		return a, nil
	}
	l, err := fn.ParseList(stdout)
	if err != nil {
		return nil, err
	}
	a := &answer{results: l.Results, items: make([]returned, len(l.Items))}
	c := returnedItems{request: r}
	for i, o := range l.Items {
		if most := krm.DefaultLimits.Bytes; len(stdout) > most && size(o.Node()) > most {
			return nil, fmt.Errorf("%s holds more than the %d bytes of a file that can be read", o.Describe(), most)
		}
		a.items[i] = c.original(o)
	}
	return a, nil
}

// size is how many bytes of text n holds.
func size(n *yaml.Node) int {
	total := len(n.Value) + len(n.HeadComment) + len(n.LineComment) + len(n.FootComment)
	for _, c := range n.Content {
		total += size(c)
	}
	return total
}

// returnedItems are the items of a request that came back so far. Another item with the same number is a
// copy that the function made: a new item.
type returnedItems struct {
	*request
	taken []bool
}

func (c *returnedItems) take(i int) *krm.Object {
	if i < 0 || i >= len(c.items) {
		return nil
	}
	if c.taken == nil {
		c.taken = make([]bool, len(c.items))
	}
	if c.taken[i] {
		return nil
	}
	c.taken[i] = true
	return c.items[i]
}

// original finds the item that the function received for o.
func (c *returnedItems) original(o *krm.Object) returned {
	id := o.Annotation(krm.IDAnnotation)
	if id == "" {
		id = o.Annotation(krm.LegacyIDAnnotation)
	}
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(c.items) {
		return returned{now: o}
	}
	return returned{c.take(i), o, c.items[i]}
}

var idField = []byte("\n      " + krm.IDAnnotation + ": '")

// sameAs is the item with exactly this text, -1 when there is none.
func (r *request) sameAs(text []byte) int {
	_, rest, _ := bytes.Cut(text, idField) // the place at which it was written; if it is not there, the texts differ
	id, _, _ := bytes.Cut(rest, []byte("'"))
	const maxDigits = 10
	if len(id) == 0 || len(id) > maxDigits {
		return -1
	}
	i, err := strconv.Atoi(string(id))
	if err != nil || i < 0 || i+1 >= len(r.at) || !bytes.Equal(text, r.text[r.at[i]:r.at[i+1]]) {
		return -1
	}
	return i
}
