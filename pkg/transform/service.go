package transform

import (
	"slices"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

const (
	preserveAnnotation = "control.kubestellar.io/preserve"
	preserveNodePort   = "nodeport" // the only value with an effect
	headless           = "None"
)

func isService(o *krm.Object) bool { return o.APIVersion() == "v1" && o.Kind() == "Service" }

// preservesNodePorts reports whether cleaning keeps the node ports of the Service o.
func preservesNodePorts(o *krm.Object) bool {
	return o.Annotation(preserveAnnotation) == preserveNodePort
}

// cleanService removes what a cluster chose for a Service: address families, addresses, node
// ports. A headless Service stays headless.
func (e *editor) cleanService(opts Options) {
	e.removeChildren(inSpec, "ipFamilies", "externalTrafficPolicy", "internalTrafficPolicy",
		"ipFamilyPolicy", "sessionAffinity")
	if ip := e.o.Lookup("spec", "clusterIP"); isText(ip) && ip.Value != headless {
		e.remove("spec", "clusterIP")
	}
	e.cleanClusterIPs()
	if !preservesNodePorts(e.o) {
		e.cleanNodePorts(opts)
	}
}

func isHeadless(n *yaml.Node) bool { return isText(n) && n.Value == headless }

// cleanClusterIPs keeps the elements "None", and removes the list if there are none.
func (e *editor) cleanClusterIPs() {
	ips := e.o.Lookup("spec", "clusterIPs")
	if ips == nil || ips.Kind != yaml.SequenceNode {
		return
	}
	drop := func(n *yaml.Node) bool { return !isHeadless(krm.Deref(n)) }
	switch {
	case !slices.ContainsFunc(ips.Content, func(n *yaml.Node) bool { return !drop(n) }):
		e.remove("spec", "clusterIPs")
	case slices.ContainsFunc(ips.Content, drop):
		e.begin()
		ips = e.o.Lookup("spec", "clusterIPs")
		ips.Content = slices.DeleteFunc(ips.Content, drop)
	}
}

// cleanNodePorts removes the node port of every port; with NullNodePorts it makes it null, also if there was
// none.
func (e *editor) cleanNodePorts(opts Options) {
	ports := e.o.Lookup("spec", "ports")
	if ports == nil || ports.Kind != yaml.SequenceNode {
		return
	}
	for i := range ports.Content {
		port := krm.Deref(ports.Content[i])
		old := krm.Lookup(port, "nodePort")
		if port.Kind != yaml.MappingNode || old == nil && !opts.NullNodePorts {
			continue
		}
		e.begin()
		port = e.o.Lookup("spec", "ports").Content[i] // no alias any more
		if opts.NullNodePorts {
			setNull(port, "nodePort")
		} else {
			krm.RemoveField(port, "nodePort")
		}
	}
}

// setNull makes key of m an explicit null and keeps a comment of the old value.
func setNull(m *yaml.Node, key string) {
	null := &yaml.Node{Kind: yaml.ScalarNode, Tag: yaml.NodeTagNull, Value: "null"}
	if old := krm.Lookup(m, key); old != nil {
		null.LineComment = old.LineComment
	}
	krm.SetField(m, key, null)
}
