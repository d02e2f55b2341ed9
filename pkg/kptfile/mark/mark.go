// Package mark writes and reads the marks by which kpt finds the upstream object of an object in a
// package, even after a rename.
//
// Shape: a mark is a line comment on the metadata key, "kpt-merge: <namespace>/<name>", and an
// annotation with the whole identity. Set returns a marked copy, or the object itself if it has its
// marks already or takes none.
// Cost: two lookups per object; a copy of those that change.
// Errors: none. A malformed mark counts as none.
// Source: the marks that kpt pkg get writes; unlike kpt, Set keeps an existing comment.
package mark

import (
	"cmp"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// IdentityAnnotation is the annotation "<group>|<kind>|<namespace or default>|<name>" with the upstream values.
const IdentityAnnotation = "internal.kpt.dev/upstream-identifier"

const prefix = "kpt-merge:"

// Set returns o with its marks: o itself if it has them or takes none (a Kptfile, or an object without
// apiVersion, kind or name). An existing mark stays, so that it names the upstream object after a local
// rename; another comment in its place moves behind it.
func Set(o *krm.Object) *krm.Object {
	if o.APIVersion() == "" || o.Kind() == "" || o.Name() == "" || o.Is("kpt.dev", "Kptfile") {
		return o
	}
	namespace, name, marked := Read(o)
	if !marked {
		namespace, name = unmarked(o)
	}
	identity := strings.Join([]string{o.Group(), o.Kind(), cmp.Or(namespace, "default"), name}, "|")
	if marked && o.Annotation(IdentityAnnotation) == identity {
		return o
	}
	c := o.DeepCopy()
	c.ExpandAliases()
	if key := metadataKey(c); !marked {
		key.LineComment = strings.TrimSpace("# " + prefix + " " + namespace + "/" + name + " " + key.LineComment)
		for _, n := range []*yaml.Node{c.Node(), c.Lookup("metadata")} {
			n.Style &^= yaml.FlowStyle // in a flow map and behind one the comment would be lost
		}
	}
	c.SetAnnotation(IdentityAnnotation, identity)
	return c
}

// Upstream returns the namespace and name that o has upstream: those in its mark, or else in its annotation if it has no place for
// a mark, or else its own.
func Upstream(o *krm.Object) (namespace, name string) {
	if namespace, name, ok := Read(o); ok {
		return namespace, name
	}
	return unmarked(o)
}

// unmarked is Upstream for an object without a mark.
func unmarked(o *krm.Object) (namespace, name string) {
	if !inFlow(o) { // as nearly all objects
		return o.Namespace(), o.Name()
	}
	part := strings.Split(o.Annotation(IdentityAnnotation), "|")
	if len(part) != 4 || part[0] != o.Group() || part[1] != o.Kind() || part[3] == "" {
		return o.Namespace(), o.Name()
	}
	if namespace = part[2]; namespace == "default" && o.Namespace() != namespace { // it also stands for none
		namespace = ""
	}
	return namespace, part[3]
}

// inFlow reports whether the metadata is written in flow style, where Porch writes the annotation and loses the mark.
func inFlow(o *krm.Object) bool {
	metadata := o.Lookup("metadata")
	return metadata != nil && (metadata.Style|o.Node().Style)&yaml.FlowStyle != 0
}

// Read returns the namespace and name in the mark of o, and whether there is a mark.
func Read(o *krm.Object) (namespace, name string, ok bool) {
	key := metadataKey(o)
	if key == nil {
		return "", "", false
	}
	_, text, found := strings.Cut(key.LineComment, prefix)
	words := strings.Fields(text)
	if !found || len(words) == 0 {
		return "", "", false
	}
	namespace, name, ok = strings.Cut(words[0], "/")
	return namespace, name, ok && name != ""
}

// Remove removes the mark of o, which must have one, and keeps the rest of the comment.
func Remove(o *krm.Object) {
	key := metadataKey(o)
	before, after, _ := strings.Cut(key.LineComment, prefix)
	after = strings.TrimSpace(after)
	rest := strings.TrimSpace(strings.TrimPrefix(after, strings.Fields(after)[0]))
	before = strings.TrimSuffix(strings.TrimSpace(before), "#")
	key.LineComment = strings.TrimSpace(before + " " + rest)
}

// metadataKey returns the node of the key, which carries the comment.
func metadataKey(o *krm.Object) *yaml.Node {
	fields := o.Node().Content
	for i := 0; i+1 < len(fields); i += 2 {
		if fields[i].Value == "metadata" {
			return fields[i]
		}
	}
	return nil
}
