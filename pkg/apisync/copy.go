package apisync

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// target is the type and name of a copy.
type target struct {
	t               Type
	namespace, name string
}

func (t target) id() krm.ID { return t.t.id(t.namespace, t.name) }

// retyped sets the type and name of a target on a node, in place.
func (t target) retyped(n *yaml.Node) *krm.Object {
	krm.SetField(n, "apiVersion", krm.StringNode(t.t.GroupVersion().String()))
	krm.SetField(n, "kind", krm.StringNode(t.t.Kind))
	meta := krm.Lookup(n, "metadata")
	if !krm.IsMap(meta) {
		meta = krm.MapNode()
		krm.SetField(n, "metadata", meta)
	}
	krm.RemoveField(meta, "name")
	krm.RemoveField(meta, "namespace")
	names := []*yaml.Node{krm.StringNode("name"), krm.StringNode(t.name)}
	if t.t.Namespaced {
		names = append(names, krm.StringNode("namespace"), krm.StringNode(t.namespace))
	}
	meta.Content = append(names, meta.Content...)
	return krm.FromNode(n)
}

// mutated is a source after the spec rules. other returns what they see as the counterpart; it is called only if there are
// rules.
func (x *index) mutated(
	ctx context.Context, m *mutation.Mutation, source *krm.Object, other func() (*krm.Object, error),
) (*yaml.Node, error) {
	if _, err := x.doc(source).text(); err != nil || m.Empty() {
		return source.Node(), err
	}
	counterpart, err := other()
	if err != nil {
		return nil, err
	}
	return x.mutate(ctx, m.Spec, source, counterpart)
}

// mutatedStatus is the status of a destination after the status rules; nil when there is none.
func (x *index) mutatedStatus(ctx context.Context, m *mutation.Mutation, destination, other *krm.Object) (*yaml.Node, error) {
	status := destination.Lookup("status")
	if _, err := x.doc(destination).text(); err != nil || m.Empty() || status == nil {
		return status, err
	}
	n, err := x.mutate(ctx, m.Status, destination, other)
	return krm.Lookup(n, "status"), err
}

// mutate runs rules on an object.
func (x *index) mutate(
	ctx context.Context, rules func(ctx context.Context, doc, other []byte) ([]byte, error), o, other *krm.Object,
) (*yaml.Node, error) {
	doc, err := x.doc(o).text()
	otherDoc, errOther := x.doc(other).text()
	if err := cmp.Or(err, errOther); err != nil {
		return nil, err
	}
	if doc, err = rules(ctx, doc, otherDoc); err != nil {
		return nil, err
	}
	return krm.NodeOf(json.RawMessage(doc))
}

// relatedPrefix is the prefix of the annotations in which a primary lists its related objects.
const relatedPrefix = "related-resources.waybill.dev/"

// Fields and names that are not copied to the other side.
var (
	ownFields      = []string{"finalizers", "ownerReferences"}
	ownAnnotations = []string{"kcp.io/cluster", "kcp.io/path", "kubectl.kubernetes.io/last-applied-configuration"}
	ownPrefixes    = []string{fn.ReservedPrefix, relatedPrefix, "syncagent.kcp.io/", "related-resources.syncagent.kcp.io/",
		"claimed.internal.apis.kcp.io/"}
)

// withoutOwnFields is a copy of an object without fields and names of its own side. The engine removes fields that servers
// write, status and names of the package.
func withoutOwnFields(n *yaml.Node) *yaml.Node {
	n = krm.SelfContained(krm.CopyNode(n))
	krm.RemoveField(n, "status")
	meta := krm.Lookup(n, "metadata")
	if !krm.IsMap(meta) {
		return n
	}
	for _, name := range ownFields {
		krm.RemoveField(meta, name)
	}
	for _, name := range []string{"labels", "annotations"} {
		removeOwnNames(meta, name)
	}
	return n
}

func removeOwnNames(meta *yaml.Node, field string) {
	m := krm.Lookup(meta, field)
	if !krm.IsMap(m) {
		return
	}
	kept := m.Content[:0:0]
	for i := 0; i+1 < len(m.Content); i += 2 {
		if !isOwnName(m.Content[i].Value) {
			kept = append(kept, m.Content[i], m.Content[i+1])
		}
	}
	if m.Content = kept; len(kept) == 0 {
		krm.RemoveField(meta, field)
	}
}

// isOwnName reports whether a label or annotation belongs to its own side.
func isOwnName(name string) bool {
	return slices.Contains(ownAnnotations, name) || slices.ContainsFunc(ownPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// document caches the JSON and plain data of an object, for rules and templates.
type document struct {
	object *krm.Object
	json   []byte
	plain  map[string]any
	err    error
}

func (x *index) doc(o *krm.Object) *document {
	d := x.docs[o]
	if d == nil {
		d = &document{object: o}
		x.docs[o] = d
	}
	return d
}

// text is the object's JSON. It refuses numbers that cannot be kept exact.
func (d *document) text() ([]byte, error) {
	if d.json == nil && d.err == nil {
		if at := krm.TooLarge(d.object.Node()); at != "" {
			d.err = fmt.Errorf("%s: a whole number is too large to be exact; write it as a string", strings.TrimPrefix(at, "."))
			return nil, d.err
		}
		d.json, d.err = krm.CanonicalJSON(d.object.WithoutOrchestration().Node())
	}
	return d.json, d.err
}

// fields are the object's fields as templates get them.
func (d *document) fields() (map[string]any, error) {
	data, err := d.text()
	if err != nil || d.plain != nil {
		return d.plain, err
	}
	v, err := text.Decode(data)
	if fields, is := v.(map[string]any); err == nil && is {
		d.plain = fields
		return fields, nil
	}
	d.err = cmp.Or(err, errors.New("it is not an object"))
	return nil, d.err
}
