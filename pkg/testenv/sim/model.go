package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// cluster is one destination, with what policies select by and templates fill in.
type cluster struct{ name, region, tier, mirror string }

// object is a Deployment or a ConfigMap of the workload. Its fields are named as in its file; the field "set" is the label that
// policies select by.
type object struct {
	kind, name string
	fields     map[string]string
}

func (o object) clone() object {
	o.fields = maps.Clone(o.fields)
	return o
}

// pkg are the objects of a package, by name.
type pkg map[string]object

func (p pkg) clone() pkg {
	out := pkg{}
	for name, o := range p {
		out[name] = o.clone()
	}
	return out
}

// model is what the simulation believes: the fleet, what the team published, what the fleet's own package holds, and what reduces it on
// the way to clusters. Waybill never reads it; it reads files that are written from it.
type model struct {
	clusters []cluster // sorted by name
	regions  []string
	upstream pkg // as it was published last
	base     pkg // as it was published when the fleet followed last
	local    pkg
	extras   []string // the regions that the policy extras selects
	removed  []string // the fields that the transform removes
	agents   pkg      // the package of the variants, as the set names it
	serial   int      // for names of what is new
}

// removable are fields that the transform may remove, in the order in which it comes to do so.
var removable = []string{"revisionHistoryLimit", "minReadySeconds", "progressDeadlineSeconds"}

func newModel(clusters, objects int, random *rand.Rand) *model {
	m := &model{upstream: pkg{}, agents: pkg{}, removed: removable[:1:1]}
	for i := range min(7, max(2, clusters/4)) {
		m.regions = append(m.regions, fmt.Sprintf("r%d", i))
	}
	m.extras = slices.Clone(m.regions[:max(1, len(m.regions)/2)])
	for i := range clusters {
		m.addCluster(m.regions[i%len(m.regions)], []string{"prod", "prod", "prod", "test"}[i/len(m.regions)%4], random)
	}
	for i := range objects {
		m.upstream.add(fmt.Sprintf("web-%d", i), setOf(i, objects), i%10 == 0, random)
	}
	for i := range max(2, objects/10) {
		m.agents.add(fmt.Sprintf("agent-%d", i), "base", i == 0, random)
	}
	m.base, m.local = m.upstream.clone(), m.upstream.clone()
	return m
}

// setOf is the label of object i of n: a twentieth is for canaries, a tenth for some regions, the rest for all clusters.
func setOf(i, n int) string {
	canaries := max(1, n/20)
	switch {
	case i >= n-canaries:
		return "canary"
	case i >= n-canaries-max(2, n/10):
		return "extras"
	}
	return "base"
}

func (m *model) addCluster(region, tier string, random *rand.Rand) {
	m.serial++
	c := cluster{fmt.Sprintf("edge-%d", m.serial), region, tier, fmt.Sprintf("mirror-%d.example.com", random.IntN(50))}
	m.clusters = append(m.clusters, c)
	slices.SortFunc(m.clusters, func(a, b cluster) int { return compareNames(a.name, b.name) })
}

func compareNames(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	if a < b {
		return -1
	}
	return 1
}

// add adds an object. Every third of the extras is a ConfigMap with a property of the cluster.
func (p pkg) add(name, set string, templated bool, random *rand.Rand) object {
	o := object{"Deployment", name, map[string]string{"set": set, "image": fmt.Sprintf("registry.example.com/%s:1.%d", name, random.IntN(9)),
		"replicas": fmt.Sprint(1 + random.IntN(5)), "value": "edge"}}
	for i, field := range removable {
		o.fields[field] = fmt.Sprint(5 + i)
	}
	if set == "extras" && len(p)%3 == 0 {
		o = object{"ConfigMap", name, map[string]string{"set": set, "value": "{{.mirror}}/{{.tier}}"}}
	} else if templated {
		o.fields["value"] = "{{.clusterName}}"
	}
	p[name] = o
	return o
}

// names are the sorted names of the objects of which keep is true.
func (p pkg) names(keep func(object) bool) []string {
	names := slices.Collect(maps.Keys(p))
	slices.SortFunc(names, compareNames)
	return slices.DeleteFunc(names, func(name string) bool { return !keep(p[name]) })
}

func deployment(o object) bool { return o.kind == "Deployment" }

// mergeFields merges what upstream changed since base into local: field by field, and whole objects where only one side has
// them. It names the objects in which both changed a field; there, local stays.
func mergeFields(base, upstream, local pkg) (merged pkg, conflicts []string) {
	merged = local.clone()
	for name, theirs := range upstream {
		before, known := base[name]
		ours, here := merged[name]
		if !known {
			merged[name] = theirs.clone()
		}
		if !known || !here {
			continue
		}
		for field, value := range theirs.fields {
			if value == before.fields[field] || value == ours.fields[field] {
				continue
			}
			if ours.fields[field] != before.fields[field] {
				conflicts = append(conflicts, name)
				continue
			}
			ours.fields[field] = value
		}
	}
	for name := range base {
		if _, still := upstream[name]; !still {
			delete(merged, name)
		}
	}
	slices.SortFunc(conflicts, compareNames)
	return merged, conflicts
}
