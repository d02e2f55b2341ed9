package fleet

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// identity is what items of a list at a path are called: as the fields have it that are told of them, if any are.
func (u *unsaid) identity(path string) func(*yaml.Node) string {
	for field := range u.said {
		rest, in := strings.CutPrefix(field, path+"[")
		item, _, ends := strings.Cut(rest, "]")
		if !in || !ends || !strings.Contains(item, "=") || strings.HasPrefix(item, "name=") {
			continue
		}
		var keys []string
		for part := range strings.SplitSeq(item, ",") {
			key, _, _ := strings.Cut(part, "=")
			keys = append(keys, key)
		}
		return func(n *yaml.Node) string { return named(n, keys) }
	}
	return identity
}

// named is what an item has under keys; a port without a protocol is one of TCP.
func named(n *yaml.Node, keys []string) string {
	var parts []string
	for _, key := range keys {
		v := word(krm.Deref(n), key)
		if v == "" && key == "protocol" && len(parts) > 0 { // behind a port
			v = "TCP"
		}
		if v != "" {
			parts = append(parts, key+"="+v)
		}
	}
	return strings.Join(parts, ",")
}

// by are the items of a list by what they are called; nil if that does not tell them apart.
func by(identity func(*yaml.Node) string, list *yaml.Node) map[string]*yaml.Node {
	out := make(map[string]*yaml.Node, len(list.Content))
	for _, n := range list.Content {
		name := identity(n)
		if name == "" || out[name] != nil {
			return nil
		}
		out[name] = n
	}
	return out
}

// identities are the fields that lists of Kubernetes tell their items apart by.
var identities = []string{"containerPort", "port", "protocol", "mountPath", "devicePath", "ip", "topologyKey", "uid", "type", "key"}

// identity is what an item is called: by its name or, without one, by all other fields that may tell it apart.
func identity(n *yaml.Node) string {
	if n = krm.Deref(n); n.Kind == yaml.ScalarNode {
		return n.Value
	}
	if n.Kind != yaml.MappingNode {
		return ""
	}
	if name := word(n, "name"); name != "" {
		return "name=" + name
	}
	return named(n, identities)
}
