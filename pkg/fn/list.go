package fn

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/kio"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// List is a ResourceList as it travels between an orchestrator and a function.
type List struct {
	APIVersion string // as read; Write takes "" for v1
	Items      []*krm.Object
	Config     *krm.Object // nil when absent, null or {}
	ConfigErr  error       // why functionConfig is no object; the list is valid all the same
	Results    sdk.Results
}

// MaxListBytes bounds a ResourceList that ReadList takes in.
const MaxListBytes = 1 << 30

// ListLimits allow far more than one file may hold, as much as memory holds: a list carries a whole package.
func ListLimits() krm.Limits {
	return krm.Limits{Bytes: MaxListBytes, Documents: 100, Depth: krm.DefaultLimits.Depth + 2, Nodes: krm.MostValues()}
}

// ErrNotResourceList is wrapped by every error of ReadList.
var ErrNotResourceList = errors.New("input is not a ResourceList")

// ReadList reads one ResourceList, v1 or the legacy v1alpha1, from r.
func ReadList(r io.Reader) (*List, error) {
	data, err := io.ReadAll(io.LimitReader(r, MaxListBytes+1))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotResourceList, err)
	}
	return ParseList(data)
}

// ParseList reads one ResourceList from data.
func ParseList(data []byte) (*List, error) {
	objs, err := krm.Read("ResourceList", data, ListLimits())
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: %w", ErrNotResourceList, err)
	case len(objs) == 0:
		return nil, fmt.Errorf("%w: it is empty", ErrNotResourceList)
	case len(objs) > 1:
		return nil, fmt.Errorf("%w: it is followed by another object in line %d", ErrNotResourceList, objs[1].Source.Line)
	}
	l, err := listOf(objs[0])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotResourceList, err)
	}
	return l, nil
}

func listOf(o *krm.Object) (*List, error) {
	if o.Kind() != kio.ResourceListKind {
		return nil, fmt.Errorf("kind is %q", o.Kind())
	}
	l := &List{APIVersion: o.APIVersion()}
	if v := l.APIVersion; v != kio.ResourceListAPIVersion && v != "config.kubernetes.io/v1alpha1" {
		return nil, fmt.Errorf("apiVersion is %q, want %q", v, kio.ResourceListAPIVersion)
	}
	items := o.Lookup("items")
	switch {
	case items == nil:
		return nil, errors.New("it has no items field")
	case items.Kind != yaml.SequenceNode && items.ShortTag() != yaml.NodeTagNull:
		return nil, fmt.Errorf("line %d: items is not a list", items.Line)
	}
	for i, n := range items.Content {
		if krm.Deref(n).Kind != yaml.MappingNode {
			return nil, fmt.Errorf("line %d: items[%d] is not an object", n.Line, i)
		}
		item := cut(n)
		if err := krm.CheckValues(item); err != nil {
			return nil, fmt.Errorf("line %d: items[%d] %w", n.Line, i, err)
		}
		l.Items = append(l.Items, item)
	}
	switch c := o.Lookup("functionConfig"); {
	case c == nil || c.ShortTag() == yaml.NodeTagNull:
	case c.Kind != yaml.MappingNode:
		l.ConfigErr = field.TypeInvalid(field.NewPath("functionConfig"), field.OmitValueType{},
			fmt.Sprintf("line %d: it is not an object", c.Line))
	case len(c.Content) > 0:
		l.Config = cut(c)
	}
	var err error
	l.Results, err = readResults(o.Lookup("results"))
	return l, err
}

// cut makes an object of a part of a list. It shares no node with other parts, even if an alias did.
func cut(n *yaml.Node) *krm.Object {
	if n.Kind == yaml.AliasNode {
		n = krm.CopyNode(n.Alias)
	}
	return krm.FromNode(krm.SelfContained(n))
}

// Write encodes l. Items keep their order and every annotation, but not a comment below their last line and a blank line:
// it belongs to their file. functionConfig and results are omitted when empty; items is always written.
func (l *List) Write() ([]byte, error) {
	data, _, err := l.WriteItems()
	return data, err
}

// WriteItems is Write that also returns the offset of each item and, as one more, the end of the last; nil when items
// cannot be separated.
func (l *List) WriteItems() (data []byte, at []int, err error) {
	rest, err := l.encode(nil)
	if err != nil || len(l.Items) == 0 {
		return rest, nil, err
	}
	const none = "items: []\n"
	i := bytes.Index(rest, []byte(none))
	data = append(data, rest[:i]...)
	data = append(data, "items:\n"...)
	data, at, ok := krm.AppendItems(data, l.Items)
	if !ok {
		for _, o := range l.Items {
			if _, err := krm.WriteRaw(o); err != nil { // the error names the fault of one object
				return nil, nil, err
			}
		}
		data, err = l.encode(l.Items)
		return data, nil, err
	}
	return append(data, rest[i+len(none):]...), at, nil
}

// encode has the library write the whole list, with items for its items.
func (l *List) encode(objects []*krm.Object) ([]byte, error) {
	items := &yaml.Node{Kind: yaml.SequenceNode}
	if len(objects) == 0 {
		items.Style = yaml.FlowStyle
	}
	for _, o := range objects {
		items.Content = append(items.Content, krm.SelfContained(o.Node()))
	}
	list := krm.MapNode(
		krm.StringNode("apiVersion"), krm.StringNode(cmp.Or(l.APIVersion, kio.ResourceListAPIVersion)),
		krm.StringNode("kind"), krm.StringNode(kio.ResourceListKind),
		krm.StringNode("items"), items)
	if l.Config != nil {
		krm.SetField(list, "functionConfig", krm.SelfContained(l.Config.Node()))
	}
	if len(l.Results) > 0 {
		n, err := krm.NodeOf(l.Results)
		if err != nil {
			return nil, err
		}
		krm.SetField(list, "results", n)
	}
	return krm.WriteRaw(krm.FromNode(list))
}
