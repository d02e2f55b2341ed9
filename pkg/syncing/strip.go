package syncing

import (
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// RelatedPrefix begins the annotations by which a primary tells of its related objects.
const RelatedPrefix = "related-resources.waybill.dev/"

// Names that stay on their own side.
var (
	ownFields      = []string{"finalizers", "ownerReferences"}
	ownAnnotations = []string{"kcp.io/cluster", "kcp.io/path", "kubectl.kubernetes.io/last-applied-configuration"}
	ownPrefixes    = []string{fn.ReservedPrefix, RelatedPrefix, "syncagent.kcp.io/", "related-resources.syncagent.kcp.io/",
		"claimed.internal.apis.kcp.io/"}
)

// withoutOwnFields is a copy of an object without what belongs to the side that it is on. What servers write, status and names of
// the package the engine takes away.
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

// isOwnName reports whether a label or annotation is about its own side.
func isOwnName(name string) bool {
	return slices.Contains(ownAnnotations, name) || slices.ContainsFunc(ownPrefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}
