// Package openapitable makes the table of lists that merge out of the OpenAPI document of Kubernetes.
//
// Shape: Table is the whole of it, one line per kind and per field on a way to such a list, sorted.
// Cost: that of loading the document, a tenth of a second. It is for the generator and for the test
// that looks for drift; nothing that ships links it.
// Errors: none.
// Source: kyaml's copy of the document; x-kubernetes-patch-strategy says that a list merges, and
// x-kubernetes-list-map-keys, else x-kubernetes-patch-merge-key, by what.
package openapitable

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/kyaml/openapi"
)

// Table returns the lines that package schema reads.
func Table() string {
	t := table{definitions: openapi.Schema().Definitions, fields: map[string][]field{}, leads: map[string]bool{}}
	for name, d := range t.definitions {
		t.fields[name] = fieldsOf(&d)
	}
	for t.follow() {
	}
	var lines []string
	for name, d := range t.definitions {
		lines = append(lines, t.lines(name, &d)...)
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n") + "\n"
}

type table struct {
	definitions map[string]spec.Schema
	fields      map[string][]field // by definition
	leads       map[string]bool    // definitions with a list that merges in them, at any depth
}

// field is one that may lead to a list that merges.
type field struct{ name, form, of string }

func (f field) isList() bool { return strings.HasPrefix(f.form, "[") }

// follow goes one step back from the lists, and reports whether it came anywhere new.
func (t *table) follow() (found bool) {
	for name, fields := range t.fields {
		if !t.leads[name] && slices.ContainsFunc(fields, t.matters) {
			t.leads[name], found = true, true
		}
	}
	return found
}

func (t *table) matters(f field) bool { return f.isList() || t.leads[f.of] }

func fieldsOf(d *spec.Schema) (out []field) {
	for _, name := range slices.Sorted(maps.Keys(d.Properties)) {
		p := d.Properties[name]
		switch of := target(&p); {
		case merges(&p):
			out = append(out, field{name, "[" + strings.Join(keysOf(&p), ",") + "]", target(p.Items.Schema)})
		case of != "":
			out = append(out, field{name, ".", of})
		case p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil && target(p.AdditionalProperties.Schema) != "":
			out = append(out, field{name, "{}", target(p.AdditionalProperties.Schema)})
		}
	}
	return out
}

// target is the definition that s refers to, "" for none.
func target(s *spec.Schema) string {
	return strings.TrimPrefix(s.Ref.String(), "#/definitions/")
}

func merges(s *spec.Schema) bool {
	strategy, _ := s.Extensions.GetString("x-kubernetes-patch-strategy")
	return s.Type.Contains("array") && slices.Contains(strings.Split(strategy, ","), "merge")
}

func keysOf(s *spec.Schema) []string {
	if keys, ok := s.Extensions.GetStringSlice("x-kubernetes-list-map-keys"); ok {
		return keys
	}
	if key, ok := s.Extensions.GetString("x-kubernetes-patch-merge-key"); ok {
		return []string{key}
	}
	return nil
}

// lines are those of one definition.
func (t *table) lines(name string, d *spec.Schema) (out []string) {
	if !t.leads[name] {
		return nil
	}
	for _, f := range t.fields[name] {
		of := "-"
		if t.leads[f.of] {
			of = short(f.of)
		}
		if t.matters(f) {
			out = append(out, strings.Join([]string{short(name), f.name, f.form, of}, " "))
		}
	}
	kinds, _ := d.Extensions["x-kubernetes-group-version-kind"].([]any)
	for _, k := range kinds {
		of := func(key string) string { text, _ := k.(map[string]any)[key].(string); return text }
		version := strings.TrimPrefix(of("group")+"/"+of("version"), "/")
		out = append(out, strings.Join([]string{version, of("kind"), "=", short(name)}, " "))
	}
	return out
}

// short is a definition's name without what nearly all begin with.
func short(name string) string {
	name = strings.TrimPrefix(name, "io.k8s.")
	return strings.TrimPrefix(name, "api.")
}
