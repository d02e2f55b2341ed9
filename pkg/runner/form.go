package runner

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/comments"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// form gives items that came back changed the comments and the order of fields that they had, as kpt
// does between calls: to the byte what kyaml's CopyComments and SyncOrder make of the same pair,
// without their copies, and without asking the schema about every field. One serves for a whole
// answer: it remembers what schemas say.
type form struct {
	lists mergeKeys
}

// Reasons to leave a pair to others.
var (
	// errIntricate: a comment holds a schema, or a list is matched by keys that its items do not
	// all have. kyaml knows what becomes of those.
	errIntricate = errors.New("intricate")
	// errShape: a field has another shape now. kyaml refuses it; ours has a field that just has no
	// form to keep.
	errShape = errors.New("another shape")
)

// keep makes o, which came back, an edited copy of old.
func (f *form) keep(old, o *krm.Object) {
	from, to := old.Node(), o.Node()
	err := f.copyComments(from, to)
	if errors.Is(err, errIntricate) {
		err = comments.CopyComments(yaml.NewRNode(from), yaml.NewRNode(to))
	}
	if err != nil {
		fn.KeepForm(from, to)
	} else {
		syncOrder(from, to)
		raiseHeadComments(to)
	}
	o.ContinueFrom(old)
	o.SettleComments() // what had its comment in one place may be written in another way now
}

func isNull(n *yaml.Node) bool { return n.Tag == yaml.NodeTagNull }

// fields finds the fields of a map. It is quick where they are asked for in the order they stand in.
type fields struct {
	m    *yaml.Node
	next int
	at   map[string]int // of a large map
}

const largeMap = 64

func newFields(m *yaml.Node) fields {
	f := fields{m: m}
	if len(m.Content) > 2*largeMap {
		f.at = make(map[string]int, len(m.Content)/2)
		for i := 0; i+1 < len(m.Content); i += 2 {
			f.at[m.Content[i].Value] = i
		}
	}
	return f
}

// find is the place of a key in the Content of the map, -1 when absent.
func (f *fields) find(key string) int {
	content := f.m.Content
	if f.next+1 < len(content) && content[f.next].Value == key {
		f.next += 2
		return f.next - 2
	}
	if f.at != nil {
		if i, ok := f.at[key]; ok {
			return i
		}
		return -1
	}
	for i := 0; i+1 < len(content); i += 2 {
		if content[i].Value == key {
			f.next = i + 2
			return i
		}
	}
	return -1
}

// fieldOf is the value of a field of n; nil when n is no map or has it not.
func fieldOf(n *yaml.Node, key string) *yaml.Node {
	if !krm.IsMap(n) {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}
