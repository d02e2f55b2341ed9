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

// belongsToPipeline reports whether an annotation is there for tools that work on the package and
// never for a cluster: path, index, merge marks, and our own marks.
func belongsToPipeline(key string) bool {
	return krm.BelongsToPackage(key) || strings.HasPrefix(key, fn.ReservedPrefix)
}

// Ship returns o as it goes into a work: without the annotations of the pipeline, without an
// annotations map that is empty then, without creationTimestamp, without comments (they belong to
// the source file, and a setter comment would make tools edit the work) and without aliases (two
// manifests in one work might use the same anchor). When namespace is not "" and o has none, o
// gets it; with "", which stands for a cluster-scoped object, o ships without one. o itself is not
// changed.
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
	case namespace == "": // a namespace that a cluster-scoped object was given by mistake
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

// setNamespace puts the namespace where people look for it: after the name.
func setNamespace(meta *yaml.Node, namespace string) {
	krm.RemoveField(meta, "namespace") // it may stand there as "" or null
	at := len(meta.Content)
	for i := 0; i+1 < len(meta.Content); i += 2 {
		if meta.Content[i].Value == "name" {
			at = i + 2
		}
	}
	meta.Content = slices.Insert(meta.Content, at, krm.StringNode("namespace"), krm.StringNode(namespace))
}

// Digest is the version of o as the world sees it: 16 hexadecimal digits of the SHA-256 of what
// ships after Clean and s, as canonical JSON. Neither cleaning o in place nor removing what s
// names changes it, with one exception: removing the annotation that preserves node ports.
// group and resource are what s looks o up by, namespace is as in Ship. s may be nil.
func Digest(o *krm.Object, namespace, group, resource string, s *Set) string {
	c := o.DeepCopy()
	Clean(c, Options{})
	s.Apply(c, group, resource)
	c = Ship(c, namespace)
	data, err := krm.CanonicalJSON(c.Node())
	if err != nil { // a number JSON cannot hold; whoever ships o reports it, here any stable text will do
		data = []byte(err.Error())
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:8])
}
