package chart

import (
	"fmt"
	"path"
	"slices"
	"strings"

	helmchart "helm.sh/helm/v3/pkg/chart"
)

// node is one chart of a release: a source under the name that its parent gives it, with the values it has there.
type node struct {
	*source
	name   string
	meta   *helmchart.Metadata // a copy
	values map[string]any      // the defaults; read only
	parent *node
	deps   []*node
}

// newNode makes the tree of a source. It has all charts; enable removes some.
func newNode(s *source, parent *node) *node {
	n := &node{source: s, name: s.meta.Name, meta: copyMetadata(s.meta), values: s.values, parent: parent}
	for _, dep := range s.deps {
		n.deps = append(n.deps, newNode(dep, n))
	}
	return n
}

// copyMetadata copies what enable and importValues change.
func copyMetadata(m *helmchart.Metadata) *helmchart.Metadata {
	c := *m
	c.Dependencies = slices.Clone(m.Dependencies)
	for i, dep := range c.Dependencies {
		d := *dep
		c.Dependencies[i] = &d
	}
	return &c
}

// path is where the chart is in the release, as in the names of its templates.
func (n *node) path() string {
	if n.parent == nil {
		return n.name
	}
	return path.Join(n.parent.path(), "charts", n.name)
}

// all calls visit for the chart and those in it, parents first.
func (n *node) all(visit func(*node)) {
	visit(n)
	for _, dep := range n.deps {
		dep.all(visit)
	}
}

// shape says which charts are in the release, and where.
func (n *node) shape() string {
	var b strings.Builder
	n.all(func(n *node) { fmt.Fprintf(&b, "%d %s\n", n.number, n.path()) })
	return b.String()
}

// dep is the chart of that name in this one.
func (n *node) dep(name string) *node {
	if i := slices.IndexFunc(n.deps, func(d *node) bool { return d.name == name }); i >= 0 {
		return n.deps[i]
	}
	return nil
}
