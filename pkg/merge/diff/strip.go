package diff

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
)

// strip removes from the object what is ignored: marks, annotations of orchestrators, and in the root's Kptfile
// the upstream. An empty map of annotations counts as none.
func (s *entry) strip() {
	if s.stripped {
		return
	}
	s.stripped = true
	s.Object.ExpandAliases()
	var left []string
	take := func(name string, n *yaml.Node) { left = append(left, name+": "+fullText(n)) }
	if namespace, name, ok := mark.Read(s.Object); ok {
		left = append(left, namespace+"/"+name)
		mark.Remove(s.Object)
	}
	stripAnnotations(s.Object.Lookup("metadata"), take)
	if s.file == kptfile.Name {
		stripFields(s.Object.Node(), take, func(name string) bool { return name == "upstream" || name == "upstreamLock" })
	}
	s.removed = strings.Join(left, "\n")
}

func stripAnnotations(meta *yaml.Node, take func(string, *yaml.Node)) {
	annotations := krm.Lookup(meta, "annotations")
	if krm.IsMap(annotations) {
		stripFields(annotations, take, func(name string) bool {
			return name == mark.IdentityAnnotation || krm.IsOrchestration(name)
		})
	}
	if krm.IsMap(meta) && (krm.IsNull(annotations) || krm.IsMap(annotations) && len(annotations.Content) == 0) {
		krm.RemoveField(meta, "annotations")
	}
}

// stripFields removes the fields of a map for which drop is true.
func stripFields(n *yaml.Node, take func(string, *yaml.Node), drop func(name string) bool) {
	for i := 0; i+1 < len(n.Content); {
		if !drop(n.Content[i].Value) {
			i += 2
			continue
		}
		take(n.Content[i].Value, n.Content[i+1])
		n.Content = slices.Delete(n.Content, i, i+2)
	}
}

// sameMeaning reports whether two files differ only in what is ignored. A tool that adds or removes that writes
// the object again, so the texts are compared as they would be written without it.
func (f *filePair) sameMeaning(from, to []*entry) bool {
	if document.Marked(f.file, f.from).Equal(f.to) || f.from.Equal(document.Marked(f.file, f.to)) {
		return true
	}
	if len(from) != len(to) {
		return false
	}
	differs := false
	for i, a := range from {
		b := to[i]
		switch {
		case bytes.Equal(a.Text, b.Text):
			continue
		case a.Object == nil || b.Object == nil:
			return false
		}
		a.strip()
		b.strip()
		if !krm.Same(a.Object, b.Object) {
			return false
		}
		differs = differs || a.removed != b.removed
	}
	return differs
}
