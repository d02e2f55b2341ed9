package chart

import (
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"
	helmchart "helm.sh/helm/v3/pkg/chart"
)

// enable gives the charts in n the names that Chart.yaml gives them, and removes those that conditions and tags in the values
// disable. at is where the values of n are in over: "" or "db.".
func (n *node) enable(over map[string]any, at string) error {
	if n.meta.Dependencies == nil {
		return nil
	}
	n.deps = n.named()
	values, err := n.joined(over, false)
	if err != nil {
		return err
	}
	var enabled []*helmchart.Dependency
	disabled := map[string]bool{}
	for _, dep := range n.meta.Dependencies {
		if dep.Enabled = isEnabled(dep, values, at); dep.Enabled {
			enabled = append(enabled, dep)
		} else {
			disabled[dep.Name] = true
		}
	}
	n.meta.Dependencies = enabled
	n.deps = slices.DeleteFunc(n.deps, func(d *node) bool { return disabled[d.name] })
	for _, dep := range n.deps {
		if err := dep.enable(values, at+dep.name+"."); err != nil {
			return err
		}
	}
	return nil
}

// named are the charts in n: first those that Chart.yaml does not list, then the listed ones, under the names it gives them.
func (n *node) named() (deps []*node) {
	for _, d := range n.deps {
		if !slices.ContainsFunc(n.meta.Dependencies, d.is) {
			deps = append(deps, d)
		}
	}
	for _, dep := range n.meta.Dependencies {
		if i := slices.IndexFunc(n.deps, func(d *node) bool { return d.is(dep) }); i >= 0 {
			d := newNode(n.deps[i].source, n)
			if dep.Alias != "" {
				d.name, d.meta.Name = dep.Alias, dep.Alias
			}
			deps = append(deps, d)
		}
		if dep.Alias != "" {
			dep.Name = dep.Alias
		}
	}
	return deps
}

// is reports whether n is the chart that a dependency means.
func (n *node) is(dep *helmchart.Dependency) bool {
	return n.name == dep.Name && inRange(dep.Version, n.meta.Version)
}

// inRange reports whether a version fulfils a constraint; a broken one fulfils none.
func inRange(constraint, version string) bool {
	v, err := semver.NewVersion(version)
	if err != nil {
		return false
	}
	c, err := semver.NewConstraint(constraint)
	return err == nil && c.Check(v)
}

// isEnabled decides by the first condition that is in the values, else by tags: one that is true enables.
func isEnabled(dep *helmchart.Dependency, values map[string]any, at string) bool {
	for condition := range strings.SplitSeq(strings.TrimSpace(dep.Condition), ",") {
		if condition == "" {
			continue
		}
		if on, ok := scalarAt(values, at+condition).(bool); ok {
			return on
		}
	}
	tags, _ := values["tags"].(map[string]any)
	var anyTrue, anyFalse bool
	for _, tag := range dep.Tags {
		on, ok := tags[tag].(bool)
		anyTrue, anyFalse = anyTrue || ok && on, anyFalse || ok && !on
	}
	return anyTrue || !anyFalse
}

// tableAt is the map at a path with dots.
func tableAt(values map[string]any, path string) (m map[string]any, ok bool) {
	m = values
	for step := range strings.SplitSeq(path, ".") {
		if m, ok = m[step].(map[string]any); !ok {
			return nil, false
		}
	}
	return m, true
}

// scalarAt is the value at a path with dots; nil if there is none.
func scalarAt(values map[string]any, path string) any {
	last := path
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		var ok bool
		if values, ok = tableAt(values, path[:i]); !ok {
			return nil
		}
		last = path[i+1:]
	}
	return values[last]
}
