package merge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
	"github.com/waybill-dev/waybill/pkg/merge/document"
	"github.com/waybill-dev/waybill/pkg/merge/object"
	"github.com/waybill-dev/waybill/pkg/pkgtree"
)

// mergePlainFile merges a file as a whole. If both sides changed it ours stays; one that was deleted locally
// comes back.
func mergePlainFile(p string, v versions, prefer Prefer) (*pkgtree.Blob, []Conflict) {
	switch {
	case v.theirs.Equal(v.ours):
		return v.ours, nil
	case isGitFile(p) && v.base.Equal(v.theirs):
		return v.ours, nil
	case isGitFile(p):
		return v.ours, fileConflict(v, prefer, v.ours)
	case v.base != nil && v.ours == nil:
		if prefer == object.Upstream {
			return v.theirs, fileConflict(v, prefer, v.theirs)
		}
		return nil, fileConflict(v, prefer, nil)
	case v.base.Equal(v.theirs):
		return v.ours, nil
	case v.base.Equal(v.ours):
		return v.theirs, nil
	}
	return v.ours, fileConflict(v, prefer, v.ours)
}

// fileConflict is a conflict about a whole file.
func fileConflict(v versions, prefer Prefer, chosen *pkgtree.Blob) []Conflict {
	c := object.WholeConflict(v.base != nil,
		object.SideState(v.base != nil, v.theirs != nil, v.base.Equal(v.theirs)),
		object.SideState(v.base != nil, v.ours != nil, v.base.Equal(v.ours)))
	switch {
	case prefer == object.Fail || chosen == nil:
	case chosen == v.theirs:
		c.Chosen = object.ValueOf(object.ChosenTheirs)
	default:
		c.Chosen = object.ValueOf(object.ChosenOurs)
	}
	return []Conflict{c}
}

// isGitFile reports whether p is a file of Git, which a merge of resources ignores.
func isGitFile(p string) bool { return strings.Contains(p, ".git") && !document.IsResourceFile(p) }

// ModifiedError has the local changes that prevent fast-forward.
type ModifiedError struct{ Paths []string }

func (e *ModifiedError) Error() string {
	return fmt.Sprintf("local package files have been modified: [%s]. use a different update --strategy.", strings.Join(e.Paths, " "))
}

func sorted(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// replaceFile is a file under the strategies that take theirs as it is. Local changes are lost, unless ours is
// preferred.
func replaceFile(j *job, prefer Prefer) (*pkgtree.Blob, []Conflict) {
	out := j.theirs
	if out == nil && j.base == nil && j.strategy == CopyMerge {
		out = j.ours
	}
	if document.SameContent(j.file, j.ours, j.base) || document.SameContent(j.file, j.ours, out) {
		return out, nil
	}
	if prefer != object.Upstream {
		out = j.ours
	}
	return out, fileConflict(j.versions, prefer, out)
}

// holdsNoObject reports whether a YAML file is a list or a plain value, such as a patch, in one of its
// versions.
func holdsNoObject(v versions) bool {
	return isValue(v.base) || isValue(v.theirs) || isValue(v.ours)
}

func isValue(b *pkgtree.Blob) bool {
	n := valueIn(b)
	return n != nil && !krm.IsMap(n) && !krm.IsNull(n)
}

// isListFile reports whether a file is a list, and nothing else.
func isListFile(b *pkgtree.Blob) bool { return krm.IsList(valueIn(b)) }

// valueIn is the YAML value in a file that probably holds no object; nil when it is empty, or not YAML.
func valueIn(b *pkgtree.Blob) *yaml.Node {
	var doc yaml.Node
	if b == nil || !mayBeValue(b.Data()) || yaml.Unmarshal(b.Data(), &doc) != nil || len(doc.Content) == 0 {
		return nil
	}
	return doc.Content[0]
}

// mayBeValue reports whether the first line with content is not that of a field.
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

// mergeAsValue merges a file as one value: theirs wins if it changed, even if ours changed, too. Versions of
// the file that hold objects must be readable.
func mergeAsValue(file string, v versions, prefer Prefer) (*pkgtree.Blob, []Conflict, error) {
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
	case v.theirs.Equal(v.ours), v.base.Equal(v.theirs):
		return v.ours, nil
	case v.base.Equal(v.ours):
		return v.theirs, nil
	case v.theirs == nil, v.ours == nil && v.base != nil, prefer != object.Upstream:
		return v.ours, fileConflict(v, prefer, v.ours)
	}
	return v.theirs, fileConflict(v, prefer, v.theirs)
}
