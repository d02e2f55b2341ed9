package kustomize

import (
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/yaml"
	yamljson "sigs.k8s.io/yaml"
)

// maxGrown bounds what a build could make of its input.
const maxGrown = 256 << 20

// growth is what could multiply the input: a replacement or a copy that reads what another one wrote can double it each time.
type growth struct {
	sources, targets []string // field paths of replacements
	feeding          int      // operations that may read what one of them wrote
	vars             bool
	uses, longest    int // of vars, and the longest text
}

// node takes note of a node of any document.
func (g *growth) node(n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		g.uses += strings.Count(n.Value, "$(")
		g.longest = max(g.longest, len(n.Value))
	}
	if n.Kind == yaml.MappingNode && textOf(n, "op") == "copy" {
		g.feeding++
	}
}

// check refuses input of that size that could grow beyond all bounds.
func (g *growth) check(size int) error {
	doubling := g.feeding
	for _, s := range g.sources {
		for _, t := range g.targets {
			if overlap(s, t) {
				doubling++
				break
			}
		}
	}
	if doubling > 28 || max(size, 1)<<doubling > maxGrown {
		return fmt.Errorf("%d replacements and copies read fields that others of them write, so %d bytes could become more than %d; "+
			"copy from fields that none of them writes", doubling, size, maxGrown)
	}
	if g.vars && g.uses*g.longest > maxGrown {
		return fmt.Errorf("vars are used %d times and a text has %d bytes, so the output could have more than %d bytes", g.uses, g.longest, maxGrown)
	}
	return nil
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

const defaultFieldPath = "metadata.name" // of replacements, as kustomize has it

// replacements reads those of a kustomization, and the files that hold some.
func (k *kustomization) replacements(list []types.ReplacementField) error {
	for i, r := range list {
		at := field.NewPath("replacements").Index(i)
		all := []types.Replacement{r.Replacement}
		if r.Path != "" {
			if err := k.document(at.Child("path"), r.Path); err != nil {
				return err
			}
			data, _, err := k.load(at.Child("path"), r.Path)
			if err != nil {
				return err
			}
			if all, err = replacementsIn(data); err != nil {
				return k.at(at.Child("path"), r.Path, err.Error())
			}
		}
		for _, one := range all {
			k.replacement(one)
		}
	}
	return nil
}

// replacementsIn are the replacements of a file: one, or a list.
func replacementsIn(data []byte) (all []types.Replacement, err error) {
	if err = yamljson.Unmarshal(data, &all); err == nil {
		return all, nil
	}
	one := types.Replacement{}
	err = yamljson.Unmarshal(data, &one)
	return []types.Replacement{one}, err
}

func (k *kustomization) replacement(r types.Replacement) {
	k.changes++
	if r.Source != nil {
		k.grows.sources = append(k.grows.sources, or(r.Source.FieldPath))
	}
	for _, t := range r.Targets {
		if t == nil {
			continue
		}
		k.changes += 1 + len(t.FieldPaths)
		for _, p := range t.FieldPaths {
			k.grows.targets = append(k.grows.targets, or(p))
		}
		if len(t.FieldPaths) == 0 {
			k.grows.targets = append(k.grows.targets, defaultFieldPath)
		}
	}
}

func or(fieldPath string) string {
	if fieldPath == "" {
		return defaultFieldPath
	}
	return fieldPath
}
