package kustomize

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

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
	if err = yaml.Unmarshal(data, &all); err == nil {
		return all, nil
	}
	one := types.Replacement{}
	err = yaml.Unmarshal(data, &one)
	return []types.Replacement{one}, err
}

func (k *kustomization) replacement(r types.Replacement) {
	k.changes++
	for _, t := range r.Targets {
		k.changes += 1 + len(fieldPaths(t))
	}
	k.grows.replacements = append(k.grows.replacements, r)
}
