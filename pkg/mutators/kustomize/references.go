package kustomize

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/types"
)

// references reads all that the kustomization names.
func (k *kustomization) references(s *types.Kustomization) error {
	steps := []func() error{
		func() error { return k.each("resources", s.Resources, k.resource) },
		func() error { return k.each("components", s.Components, k.base) },
		func() error { return k.each("crds", s.Crds, k.document) },
		func() error { return k.each("configurations", s.Configurations, k.document) },
		func() error { return k.each("generators", s.Generators, k.plugin) },
		func() error { return k.each("transformers", s.Transformers, k.plugin) },
		func() error { return k.each("validators", s.Validators, k.plugin) },
		func() error { return k.patches("patches", s.Patches) },
		func() error { return k.replacements(s.Replacements) },
	}
	steps = append(steps, func() error { return k.deprecated(s) })
	for i, g := range s.ConfigMapGenerator {
		steps = append(steps, func() error { return k.generator(field.NewPath("configMapGenerator").Index(i), g.KvPairSources, false) })
	}
	for i, g := range s.SecretGenerator {
		steps = append(steps, func() error { return k.generator(field.NewPath("secretGenerator").Index(i), g.KvPairSources, true) })
	}
	k.changes += len(s.Images) + len(s.Replicas) + len(s.Labels) + 1
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// deprecated reads what fields name that kustomize still reads, and warns of.
func (k *kustomization) deprecated(s *types.Kustomization) error {
	vars, merges, ops := s.Vars, s.PatchesStrategicMerge, s.PatchesJson6902 //nolint:staticcheck // existing overlays have them
	k.changes += len(vars)
	k.grows.vars = k.grows.vars || len(vars) > 0
	for i, p := range merges {
		if err := k.inline(field.NewPath("patchesStrategicMerge").Index(i), string(p)); err != nil {
			return err
		}
	}
	return k.patches("patchesJson6902", ops)
}

func (k *kustomization) each(name string, list []string, read func(*field.Path, string) error) error {
	for i, entry := range list {
		if err := read(field.NewPath(name).Index(i), entry); err != nil {
			return err
		}
	}
	return nil
}

// inline reads a text that has a bracket or several lines, as kustomize takes it for YAML, or else the file of that name.
func (k *kustomization) inline(at *field.Path, entry string) error {
	k.changes++
	if strings.ContainsAny(entry, "\n{") && !isRemote(entry) {
		return k.text(at, entry)
	}
	return k.patchFile(at, entry)
}

// patchFile reads a file of patches.
func (k *kustomization) patchFile(at *field.Path, entry string) error {
	data, file, err := k.load(at, entry)
	if err != nil {
		return err
	}
	k.grows.applied += len(data)
	return k.yaml(file, data)
}

// text reads YAML inside of the kustomization.
func (k *kustomization) text(at *field.Path, text string) error {
	k.changes++
	return k.yaml(k.file+": "+at.String(), []byte(text))
}

func (k *kustomization) patches(name string, patches []types.Patch) error {
	for i, p := range patches {
		at := field.NewPath(name).Index(i)
		k.changes++
		if p.Patch != "" {
			if err := k.text(at.Child("patch"), p.Patch); err != nil {
				return err
			}
		}
		if p.Path != "" {
			if err := k.patchFile(at.Child("path"), p.Path); err != nil {
				return err
			}
		}
	}
	return nil
}

// generator reads the files of a ConfigMap or Secret.
func (k *kustomization) generator(at *field.Path, from types.KvPairSources, secret bool) error {
	k.changes++
	for i, entry := range from.FileSources {
		// "key=file"; a key cannot be an address
		name := entry
		if _, file, ok := strings.Cut(entry, "="); ok {
			name = file
		}
		if isRemote(entry) {
			name = entry
		}
		data, _, err := k.load(at.Child("files").Index(i), name)
		if err != nil {
			return err
		}
		k.secrets.file(data, secret)
	}
	for i, entry := range from.EnvSources {
		data, _, err := k.load(at.Child("envs").Index(i), entry)
		if err != nil {
			return err
		}
		k.secrets.file(data, secret)
	}
	k.secrets.literals(from.LiteralSources, secret)
	return nil
}
