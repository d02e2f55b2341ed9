package kustomize

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

// maxGrown bounds what a build could make of its input.
const maxGrown = 256 << 20

// mostDoubling is how often one byte may double within maxGrown.
const mostDoubling = 28

// growth is what could multiply the input.
type growth struct {
	replacements []types.Replacement
	copies       int // operations that copy inside of an object
	applied      int // bytes of kustomizations, patches and configs, which may go into every object
	vars         bool
	uses         int // of vars
	longest      int // text
	documents    int
	kinds        map[string]kindSize
}

// kindSize says how many objects of a kind there are, and the bytes of the largest one; that of "" is about all objects.
type kindSize struct{ count, largest int }

// document takes note of an object of that size.
func (g *growth) document(kind string, size int) {
	if g.kinds == nil {
		g.kinds = map[string]kindSize{}
	}
	g.documents++
	for _, k := range slices.Compact([]string{kind, ""}) {
		s := g.kinds[k]
		g.kinds[k] = kindSize{s.count + 1, max(s.largest, size)}
	}
}

// node takes note of a node of any document.
func (g *growth) node(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		g.uses += strings.Count(n.Value, "$(")
		g.longest = max(g.longest, len(n.Value))
	}
	if n.Kind == yaml.MappingNode && textOf(n, "op") == "copy" {
		g.copies++
	}
}

// of is the size of a kind as a selector names it, which may be an expression.
func (g *growth) of(kind string) kindSize {
	if s, ok := g.kinds[kind]; ok {
		return s
	}
	return g.kinds[""]
}

// check refuses input of that size that could become too large.
func (g *growth) check(size int) error {
	doubling, copied := g.copies, 0
	for _, r := range g.replacements {
		if doubling <= mostDoubling && g.isFed(r) {
			doubling++
		}
		copied += g.copiedBy(r)
	}
	switch {
	case doubling > mostDoubling || max(size, 1)<<doubling > maxGrown:
		return fmt.Errorf("at least %d replacements and copies read fields that others of them write, so %d bytes could become more than %d; "+
			"copy from fields that none of them writes", doubling, size, maxGrown)
	case copied > maxGrown:
		return fmt.Errorf("replacements could copy more than %d bytes; select fewer objects", maxGrown)
	case g.applied*g.documents > maxGrown:
		return fmt.Errorf("%d bytes of kustomizations and patches could go into each of %d objects, more than %d bytes together; split it",
			g.applied, g.documents, maxGrown)
	case g.vars && g.uses*g.longest > maxGrown:
		return fmt.Errorf("vars are used %d times and a text has %d bytes, so the output could have more than %d bytes",
			g.uses, g.longest, maxGrown)
	}
	return nil
}

// isFed reports whether a replacement may read what one of them wrote.
func (g *growth) isFed(r types.Replacement) bool {
	for _, other := range g.replacements {
		for _, t := range other.Targets {
			for _, p := range fieldPaths(t) {
				if overlap(sourcePath(r), p) {
					return true
				}
			}
		}
	}
	return false
}

// copiedBy is how many bytes a replacement copies at most, if no other one wrote what it reads.
func (g *growth) copiedBy(r types.Replacement) (bytes int) {
	size := g.longest
	if r.Source != nil {
		size = g.of(r.Source.Kind).largest
	}
	if strings.HasPrefix(sourcePath(r), "metadata.name") {
		size = min(size, 256)
	}
	for _, t := range r.Targets {
		if t != nil && t.Select != nil {
			bytes += size * len(fieldPaths(t)) * g.of(t.Select.Kind).count
		}
	}
	return bytes
}

func sourcePath(r types.Replacement) string {
	if r.Source == nil {
		return defaultFieldPath
	}
	return cmp.Or(r.Source.FieldPath, defaultFieldPath)
}

func fieldPaths(t *types.TargetSelector) []string {
	if t == nil || len(t.FieldPaths) == 0 {
		return []string{defaultFieldPath}
	}
	return t.FieldPaths
}

// overlap reports whether one field path may be another one, or lie below it.
func overlap(a, b string) bool {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] && !strings.ContainsAny(x[i]+y[i], `[]*\`) {
			return false
		}
	}
	return true
}
