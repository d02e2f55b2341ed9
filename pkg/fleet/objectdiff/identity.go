package objectdiff

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// identity returns how items of the list at path are told apart: by the keys that reported fields use, if there are any.
func (u *comparison) identity(path string) func(*yaml.Node) string {
	for field := range u.reported {
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
		return func(n *yaml.Node) string { return identityBy(n, keys) }
	}
	return identity
}

// identityBy names an item by the values of keys. A port without a protocol is a TCP port.
func identityBy(n *yaml.Node, keys []string) string {
	var parts []string
	for _, key := range keys {
		v := krm.Text(krm.Deref(n), key)
		if v == "" && key == "protocol" && len(parts) > 0 { // behind a port
			v = "TCP"
		}
		if v != "" {
			parts = append(parts, key+"="+v)
		}
	}
	return strings.Join(parts, ",")
}

// byIdentity maps the items of a list by their identity; nil if two share one.
func byIdentity(identity func(*yaml.Node) string, list *yaml.Node) map[string]*yaml.Node {
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

// identityFields are the keys of lists in the Kubernetes API.
var identityFields = []string{"containerPort", "port", "protocol", "mountPath", "devicePath", "ip", "topologyKey", "uid", "type", "key"}

// identity names an item by its name or, without one, by all other keys.
func identity(n *yaml.Node) string {
	if n = krm.Deref(n); n.Kind == yaml.ScalarNode {
		return n.Value
	}
	if n.Kind != yaml.MappingNode {
		return ""
	}
	if name := krm.Text(n, "name"); name != "" {
		return "name=" + name
	}
	return identityBy(n, identityFields)
}
