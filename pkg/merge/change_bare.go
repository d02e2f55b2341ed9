package merge

import (
	"bytes"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/kptfile"
	"github.com/waybill-dev/waybill/pkg/kptfile/mark"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// strip takes out of the object what is no change: marks, annotations of orchestrators, and of the
// root's Kptfile where the package comes from. An empty map of annotations is none.
func (s *standing) strip() {
	if s.bare {
		return
	}
	s.bare = true
	s.object.ExpandAliases()
	var left []string
	take := func(name string, n *yaml.Node) { left = append(left, name+": "+fullText(n)) }
	if namespace, name, ok := mark.Read(s.object); ok {
		left = append(left, namespace+"/"+name)
		dropMark(s.object.Node())
	}
	stripAnnotations(s.object.Lookup("metadata"), take)
	if s.file == kptfile.Name {
		stripFields(s.object.Node(), take, func(name string) bool { return name == "upstream" || name == "upstreamLock" })
	}
	s.left = strings.Join(left, "\n")
}

const markComment = "kpt-merge:"

// dropMark takes the mark out of the comment behind metadata, and leaves what else stands there.
func dropMark(o *yaml.Node) {
	for i := 0; i+1 < len(o.Content); i += 2 {
		key := o.Content[i]
		before, after, found := strings.Cut(key.LineComment, markComment)
		if key.Value != "metadata" || !found {
			continue
		}
		words := strings.Fields(after) // of which there is one, or it would be no mark
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(after), words[0]))
		before = strings.TrimSuffix(strings.TrimSpace(before), "#")
		key.LineComment = strings.TrimSpace(before + " " + rest)
		return
	}
}

func stripAnnotations(meta *yaml.Node, take func(string, *yaml.Node)) {
	annotations := krm.Lookup(meta, "annotations")
	if isMap(annotations) {
		stripFields(annotations, take, func(name string) bool {
			return name == mark.IdentityAnnotation || krm.IsOrchestration(name)
		})
	}
	if isMap(meta) && (isNull(annotations) || isMap(annotations) && len(annotations.Content) == 0) {
		krm.RemoveField(meta, "annotations")
	}
}

// stripFields removes the fields of a map that drop names.
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

// saySame reports whether the bytes of two files differ by nothing but what is no change. To add or
// drop that is to write the object anew, so where it differs the texts are compared as they would be
// written without it.
func (f *twoFiles) saySame(from, to []*standing) bool {
	if same(markedFile(f.file, f.from), f.to) || same(f.from, markedFile(f.file, f.to)) {
		return true
	}
	if len(from) != len(to) {
		return false
	}
	differs := false
	for i, a := range from {
		b := to[i]
		switch {
		case bytes.Equal(a.text, b.text):
			continue
		case a.object == nil || b.object == nil:
			return false
		}
		a.strip()
		b.strip()
		if !krm.Same(a.object, b.object) {
			return false
		}
		differs = differs || a.left != b.left
	}
	return differs
}
