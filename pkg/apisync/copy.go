package apisync

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// target is the type and name of a copy.
type target struct {
	t               Type
	namespace, name string
}

// retyped sets the type and name of a target on a node, in place.
func (t target) retyped(n *yaml.Node) *krm.Object {
	krm.SetField(n, "apiVersion", krm.StringNode(t.t.GroupVersion().String()))
	krm.SetField(n, "kind", krm.StringNode(t.t.Kind))
	meta := krm.Lookup(n, "metadata")
	if meta == nil || meta.Kind != yaml.MappingNode {
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
	text, err := x.doc(source).text() // which refuses numbers that cannot be kept exact
	if err != nil || m.Empty() {
		return source.Node(), err
	}
	counterpart, err := other()
	if err != nil {
		return nil, err
	}
	otherText, err := x.doc(counterpart).text()
	if err != nil {
		return nil, err
	}
	if text, err = m.Spec(ctx, text, otherText); err != nil {
		return nil, err
	}
	return krm.NodeOf(json.RawMessage(text))
}

// mutatedStatus is the status of a destination after the status rules; nil when there is none.
func (x *index) mutatedStatus(ctx context.Context, m *mutation.Mutation, destination, other *krm.Object) (*yaml.Node, error) {
	text, err := x.doc(destination).text()
	if status := destination.Lookup("status"); err != nil || m.Empty() || status == nil { // no status, nothing to copy
		return status, err
	}
	otherText, err := x.doc(other).text()
	if err != nil {
		return nil, err
	}
	if text, err = m.Status(ctx, text, otherText); err != nil {
		return nil, err
	}
	n, err := krm.NodeOf(json.RawMessage(text))
	if err != nil {
		return nil, err
	}
	return krm.Lookup(n, "status"), nil
}

// RelatedPrefix is the prefix of the annotations in which a primary lists its related objects.
const RelatedPrefix = "related-resources.waybill.dev/"

// Fields and names that are not copied to the other side.
var (
	ownFields      = []string{"finalizers", "ownerReferences"}
	ownAnnotations = []string{"kcp.io/cluster", "kcp.io/path", "kubectl.kubernetes.io/last-applied-configuration"}
	ownPrefixes    = []string{fn.ReservedPrefix, RelatedPrefix, "syncagent.kcp.io/", "related-resources.syncagent.kcp.io/",
		"claimed.internal.apis.kcp.io/"}
)

// withoutOwnFields is a copy of an object without fields and names of its own side. The engine removes fields that servers
// write, status and names of the package.
func withoutOwnFields(n *yaml.Node) *yaml.Node {
	n = krm.SelfContained(krm.CopyNode(n))
	krm.RemoveField(n, "status")
	meta := krm.Lookup(n, "metadata")
	if meta == nil || meta.Kind != yaml.MappingNode {
		return n
	}
	for _, name := range ownFields {
		krm.RemoveField(meta, name)
	}
	for _, name := range []string{"labels", "annotations"} {
		stripNames(meta, name)
	}
	return n
}

func stripNames(meta *yaml.Node, field string) {
	m := krm.Lookup(meta, field)
	if m == nil || m.Kind != yaml.MappingNode {
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
