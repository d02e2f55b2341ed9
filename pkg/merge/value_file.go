package merge

import (
	"bytes"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// holdsNoObject reports whether a YAML file is a list or a plain value, such as a patch, in one of its
// versions.
func holdsNoObject(v versions) bool {
	return isValue(v.base) || isValue(v.theirs) || isValue(v.ours)
}

func isValue(b *pkgtree.Blob) bool {
	n := valueIn(b)
	return n != nil && !isMap(n) && !isNull(n)
}

// isListFile reports whether a file is a list, and nothing else.
func isListFile(b *pkgtree.Blob) bool { return isList(valueIn(b)) }

// valueIn is what stands in a file that may well hold no object; nil when there is nothing, or not YAML.
func valueIn(b *pkgtree.Blob) *yaml.Node {
	var doc yaml.Node
	if b == nil || !mayBeValue(b.Data()) || yaml.Unmarshal(b.Data(), &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// mayBeValue reports whether the first line that says anything is not that of a field.
func mayBeValue(data []byte) bool {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' || bytes.HasPrefix(line, []byte("---")) || line[0] == '%' {
			continue
		}
		return !bytes.Contains(line, []byte(":")) || line[0] == '-' || line[0] == '['
	}
	return false
}

// oneValue merges a file as one value: theirs is taken if it changed, even if ours did, too. Versions
// that are none must be readable, as they would have to be among others of their like.
func oneValue(file string, v versions, prefer Prefer) (*pkgtree.Blob, []Conflict, error) {
	for _, b := range []*pkgtree.Blob{v.ours, v.theirs, v.base} {
		if b == nil || isValue(b) {
			continue
		}
		if _, err := krm.Read(file, b.Data(), krm.Limits{}); err != nil {
			return nil, nil, err
		}
	}
	out, conflicts := chooseWhole(v, prefer)
	return out, conflicts, nil
}

func chooseWhole(v versions, prefer Prefer) (*pkgtree.Blob, []Conflict) {
	switch {
	case same(v.theirs, v.ours), same(v.base, v.theirs):
		return v.ours, nil
	case same(v.base, v.ours):
		return v.theirs, nil
	case v.theirs == nil, v.ours == nil && v.base != nil, prefer != Upstream:
		return v.ours, fileConflict(v, prefer, v.ours)
	}
	return v.theirs, fileConflict(v, prefer, v.theirs)
}
