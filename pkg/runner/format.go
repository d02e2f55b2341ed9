package runner

import (
	"errors"

	"sigs.k8s.io/kustomize/kyaml/comments"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// formatter restores the comments and the order of fields of items that a function changed, as kpt
// does between calls. The result is exactly that of kyaml's CopyComments and SyncOrder (but see withoutMoved),
// without their copies and without a schema lookup for every field. One formatter serves for a whole
// response, and caches schemas.
type formatter struct {
	lists mergeKeys
}

// Reasons to handle a pair of objects in another way.
var (
	// errNeedsKyaml: a comment holds a schema, or a list is matched by keys that its items do not
	// all have. kyaml handles the pair.
	errNeedsKyaml = errors.New("needs kyaml")
	// errShape: a field has another kind of value now. kyaml refuses the pair; fn.KeepForm handles the
	// other fields.
	errShape = errors.New("another kind of value")
)

// restoreFormat makes o, which a function returned, an edited copy of old.
func (f *formatter) restoreFormat(old, o *krm.Object) {
	from, to := old.Node(), o.Node()
	err := f.copyComments(from, to)
	if errors.Is(err, errNeedsKyaml) {
		err = comments.CopyComments(yaml.NewRNode(from), yaml.NewRNode(to))
	}
	if err != nil {
		fn.KeepForm(from, to)
	} else {
		syncOrder(from, to)
		raiseHeadComments(to)
	}
	o.ContinueFrom(old)
	o.StabiliseComments() // the place of a comment may have changed
}

func isNull(n *yaml.Node) bool { return n.Tag == yaml.NodeTagNull }

// fields finds the fields of a map. It is fast when they are asked for in their order.
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

// find is the index of a key in the Content of the map, -1 when it is absent.
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

// fieldOf is the value of a field of n; nil when n is no map or does not have the field.
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
