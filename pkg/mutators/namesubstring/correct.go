package namesubstring

import (
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/mutators/edit"
)

// correct corrects the references in root, a copy of o. A name that no object of the package has or had
// belongs to another package.
func (r *renamer) correct(o *krm.Object, root *yaml.Node) {
	from := r.kinds.NamespaceOf(o)
	if from == "" {
		from = anyOf
	}
	for _, h := range []holder{{o.Group(), o.Kind()}, {"", o.Kind()}} {
		if path, ok := podSpecs[h]; ok {
			edit.Visit(root, path, func(spec *yaml.Node) { r.correctAll(spec, inPods, from) })
		}
		r.correctAll(root, references[h], from)
		for _, ref := range objectReferences[h] {
			edit.Visit(root, ref.path, func(n *yaml.Node) { r.correctObject(n, ref, from) })
		}
		if h.group == "" {
			break // both were present
		}
	}
	switch {
	case o.Kind() == "Ingress":
		r.correctAnnotations(root, from)
	case o.Is("rbac.authorization.k8s.io", "Role"), o.Is("rbac.authorization.k8s.io", "ClusterRole"):
		edit.Visit(root, "rules", func(rule *yaml.Node) { r.correctRule(rule, from) })
	}
	edit.RewriteDependsOn(root, func(id krm.ID) krm.ID {
		if r.renamed[id] {
			id.Name = r.withSubstring(id.Name)
		}
		return id
	})
}

// correctAll corrects the names at refs below n, of objects in namespace from or in none.
func (r *renamer) correctAll(n *yaml.Node, refs []reference, from string) {
	for _, ref := range refs {
		edit.Visit(n, ref.path, func(name *yaml.Node) { r.correctName(name, ref.group, ref.kind, from) })
	}
}

func (r *renamer) correctName(name *yaml.Node, group, kind, namespace string) {
	if edit.IsText(name) && r.isRenamed(group, kind, namespace, name.Value) {
		r.setNew(name)
	}
}

// isRenamed reports whether the object of that name, in namespace or in none, gets a new one.
func (r *renamer) isRenamed(group, kind, namespace, name string) bool {
	id := krm.ID{Group: group, Kind: kind, Name: name}
	in := id
	in.Namespace = namespace
	return r.renamed[id] || r.renamed[in]
}

// correctObject corrects the name in a reference that is a map.
func (r *renamer) correctObject(n *yaml.Node, ref reference, from string) {
	group, kind := ref.group, ref.kind
	if kind == "" {
		group, kind = groupOf(n), textAt(n, "kind")
	}
	if namespace := textAt(n, "namespace"); namespace != "" {
		from = namespace
	}
	r.correctName(krm.Lookup(n, "name"), group, kind, from)
}

// groupOf is the group of what n refers to, from apiVersion, apiGroup or group.
func groupOf(n *yaml.Node) string {
	if group := textAt(n, "apiGroup"); group != "" {
		return group
	}
	version := textAt(n, "apiVersion")
	if version == "" {
		return anyOf
	}
	group, _, found := strings.Cut(version, "/")
	if !found {
		return ""
	}
	return group
}

func textAt(n *yaml.Node, key string) string {
	if v := krm.Lookup(n, key); edit.IsText(v) {
		return v.Value
	}
	return ""
}

// correctAnnotations corrects names in annotations, with or without a namespace and a slash before them.
func (r *renamer) correctAnnotations(root *yaml.Node, from string) {
	for _, a := range ingressAnnotations {
		n := krm.Lookup(root, "metadata", "annotations", a.annotation)
		if !edit.IsText(n) {
			continue
		}
		namespace, name, found := strings.Cut(n.Value, "/")
		prefix := namespace + "/"
		if !found {
			namespace, name, prefix = from, n.Value, ""
		}
		if r.renamed[krm.ID{Kind: a.kind, Namespace: namespace, Name: name}] {
			edit.SetText(n, prefix+r.withSubstring(name), edit.KeepQuotes)
		}
	}
}
