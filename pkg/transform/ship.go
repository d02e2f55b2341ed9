package transform

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/fn"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// belongsToPipeline reports whether an annotation is for tools that work on the package and
// never for a cluster: path, index, merge comments, and those of Waybill.
func belongsToPipeline(key string) bool {
	return krm.BelongsToPackage(key) || strings.HasPrefix(key, fn.ReservedPrefix)
}

// Ship returns o as a work holds it: without the annotations of the pipeline, without an
// annotations map that is empty then, without creationTimestamp, without comments (they belong to
// the source file, and a setter comment would make tools edit the work) and without aliases (two
// manifests in one work might use the same anchor). If namespace is not "" and o has none, o
// gets it; with "", for a cluster-scoped object, o ships without one. o itself does not change.
func Ship(o *krm.Object, namespace string) *krm.Object {
	out := krm.FromNode(krm.CopyNode(o.Node()))
	out.Source = o.Source
	out.ExpandAliases()
	dropComments(out.Node())
	out.RemoveAnnotations(belongsToPipeline)
	meta := out.Lookup("metadata")
	if meta == nil || meta.Kind != yaml.MappingNode {
		return out
	}
	if a := krm.Lookup(meta, "annotations"); a != nil && a.Kind == yaml.MappingNode && len(a.Content) == 0 {
		krm.RemoveField(meta, "annotations")
	}
	krm.RemoveField(meta, "creationTimestamp")
	switch {
	case namespace == "": // a cluster-scoped object may have one by mistake
		krm.RemoveField(meta, "namespace")
	case out.Namespace() == "":
		setNamespace(meta, namespace)
	}
	return out
}

func dropComments(n *yaml.Node) {
	n.HeadComment, n.LineComment, n.FootComment = "", "", ""
	for _, c := range n.Content {
		dropComments(c)
	}
}

// setNamespace puts the namespace after the name.
func setNamespace(meta *yaml.Node, namespace string) {
	krm.RemoveField(meta, "namespace") // it may be "" or null
	at := len(meta.Content)
	for i := 0; i+1 < len(meta.Content); i += 2 {
		if meta.Content[i].Value == "name" {
			at = i + 2
		}
	}
	meta.Content = slices.Insert(meta.Content, at, krm.StringNode("namespace"), krm.StringNode(namespace))
}

// Digest is the version of o in Bindings: 16 hexadecimal digits of the SHA-256 of what
// ships after Clean and s, as canonical JSON. Neither Clean nor Apply of o in place changes it,
// with one exception: the removal of the annotation that preserves node ports.
// group and resource select the removals of s; namespace is as in Ship. s may be nil.
func Digest(o *krm.Object, namespace, group, resource string, s *Set) string {
	c := o.DeepCopy()
	Clean(c, Options{})
	s.Apply(c, group, resource)
	c = Ship(c, namespace)
	data, err := krm.CanonicalJSON(c.Node())
	if err != nil { // a number that JSON cannot hold: the function that ships o reports it, so any stable text is right
		data = []byte(err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
