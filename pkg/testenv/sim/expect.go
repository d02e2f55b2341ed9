package main

import (
	"slices"
	"strconv"
	"strings"
)

// receives are the policies that send something to a cluster.
func (m *model) receives(c cluster) (policies []string) {
	policies = []string{"base"}
	if c.tier == "test" {
		policies = append(policies, "canary")
	}
	if slices.Contains(m.extras, c.region) {
		policies = append(policies, "extras")
	}
	return policies
}

// expectation is what clusters should receive from a package: its objects without the removed fields. It knows nothing of how
// Waybill finds that out.
type expectation struct {
	objects  pkg
	removed  []string
	clusters []cluster
	receives func(cluster) (policies []string)
}

// ofFleet is what the fleet's own package should bring.
func (m *model) ofFleet() expectation {
	return expectation{m.local, m.removed, m.clusters, m.receives}
}

// of are the objects that a cluster should receive by a policy, by kind and name.
func (e expectation) of(c cluster, policy string) map[string]any {
	out := map[string]any{}
	for _, o := range e.objects {
		if o.fields["set"] == policy {
			out[o.kind+"/"+o.name] = o.shipped(c, e.removed)
		}
	}
	return out
}

// shipped is the object as it arrives on a cluster: templates filled in, and without the removed fields.
func (o object) shipped(c cluster, removed []string) map[string]any {
	metadata := map[string]any{"name": o.name, "namespace": "shop", "labels": map[string]any{"set": o.fields["set"]}}
	value := o.fields["value"]
	if strings.Contains(value, "{{") {
		metadata["annotations"] = map[string]any{expandAnnotation: "true"}
		value = strings.NewReplacer("{{.clusterName}}", c.name, "{{.region}}", c.region, "{{.tier}}", c.tier,
			"{{.mirror}}", c.mirror).Replace(value)
	}
	if o.kind == "ConfigMap" {
		return map[string]any{"apiVersion": "v1", "kind": o.kind, "metadata": metadata, "data": map[string]any{"value": value}}
	}
	app := map[string]any{"app": o.name}
	spec := map[string]any{
		"replicas": number(o.fields["replicas"]),
		"selector": map[string]any{"matchLabels": app},
		"template": map[string]any{"metadata": map[string]any{"labels": app}, "spec": map[string]any{
			"containers": []any{map[string]any{"name": "web", "image": o.fields["image"],
				"env":   []any{map[string]any{"name": "PLACE", "value": value}},
				"ports": []any{map[string]any{"containerPort": float64(8080)}}}}}},
	}
	for _, field := range removable {
		if !slices.Contains(removed, field) {
			spec[field] = number(o.fields[field])
		}
	}
	return map[string]any{"apiVersion": "apps/v1", "kind": o.kind, "metadata": metadata, "spec": spec}
}

// number is a number as JSON has it.
func number(text string) float64 {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return float64(n)
}
