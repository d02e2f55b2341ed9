package kustomize

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
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
		func() error { return k.patches("patchesJson6902", s.PatchesJson6902) },
		func() error { return k.replacements(s.Replacements) },
	}
	for i, p := range s.PatchesStrategicMerge {
		steps = append(steps, func() error { return k.inline(field.NewPath("patchesStrategicMerge").Index(i), string(p)) })
	}
	for i, g := range s.ConfigMapGenerator {
		steps = append(steps, func() error { return k.generator(field.NewPath("configMapGenerator").Index(i), g.KvPairSources, false) })
	}
	for i, g := range s.SecretGenerator {
		steps = append(steps, func() error { return k.generator(field.NewPath("secretGenerator").Index(i), g.KvPairSources, true) })
	}
	k.changes += len(s.Images) + len(s.Replicas) + len(s.Labels) + len(s.Vars) + len(s.PatchesStrategicMerge) + 1
	k.grows.vars = k.grows.vars || len(s.Vars) > 0
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (k *kustomization) each(name string, list []string, read func(*field.Path, string) error) error {
	for i, entry := range list {
		if err := read(field.NewPath(name).Index(i), entry); err != nil {
			return err
		}
	}
	return nil
}

// userAt begins what kustomize takes for a repository.
var userAt = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9-]*@`)

// isRemote reports whether kustomize would fetch p: at least all that it would.
func isRemote(p string) bool {
	if u, err := url.Parse(p); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return true
	}
	lower := strings.ToLower(p)
	lower = strings.TrimPrefix(lower, "git::")
	for _, prefix := range []string{"ssh://", "http://", "https://", "file://", "github.com/", "github.com:"} {
		if strings.HasPrefix(lower, prefix) {
			return true
		}
	}
	return userAt.MatchString(lower)
}

// local is the path of an entry in the package.
func (k *kustomization) local(at *field.Path, entry string) (string, error) {
	switch full := path.Join(k.dir, entry); {
	case isRemote(entry):
		return "", k.at(at, withoutUser(entry), "it is remote, and a pipeline fetches nothing; copy it into the package, and name it by its path there")
	case entry == "" || path.IsAbs(entry) || strings.Contains(entry, "\\"):
		return "", k.at(at, entry, "want a path from the folder of this kustomization, with slashes")
	case full == ".." || strings.HasPrefix(full, "../"):
		return "", k.at(at, entry, "it is outside of the package")
	default:
		return full, nil
	}
}

// withoutUser is an address without the user and password that it may have.
func withoutUser(address string) string {
	if i := strings.LastIndex(address, "@"); i >= 0 && strings.Contains(address, "://") {
		return "…" + address[i:]
	}
	return address
}

// load reads a file that is not parsed.
func (k *kustomization) load(at *field.Path, entry string) (data []byte, file string, err error) {
	if file, err = k.local(at, entry); err != nil {
		return nil, "", err
	}
	data, ok, err := k.inputs.get(file)
	switch {
	case err != nil:
		return nil, "", err
	case !ok && k.inputs.folders[file]:
		return nil, "", k.at(at, entry, "it is a folder, want a file")
	case !ok:
		return nil, "", k.at(at, entry, fmt.Sprintf("the package has no file %q%s", file, missing))
	}
	k.count(len(data))
	return data, file, k.check(file)
}

// document reads a file of YAML or JSON.
func (k *kustomization) document(at *field.Path, entry string) error {
	data, file, err := k.load(at, entry)
	if err != nil {
		return err
	}
	return k.yaml(file, data)
}

// resource reads a file of objects, or a base.
func (k *kustomization) resource(at *field.Path, entry string) error {
	file, err := k.local(at, entry)
	if err != nil {
		return err
	}
	if _, ok, err := k.inputs.get(file); err != nil {
		return err
	} else if !ok && k.inputs.folders[file] {
		return k.base(at, entry)
	}
	return k.document(at, entry)
}

// base reads the kustomization of another folder.
func (k *kustomization) base(at *field.Path, entry string) error {
	dir, err := k.local(at, entry)
	if err != nil {
		return err
	}
	if _, ok := k.inputs.files[dir]; ok {
		return k.at(at, entry, "it is a file, want a folder with a kustomization")
	}
	if !k.inputs.folders[dir] {
		return k.at(at, entry, fmt.Sprintf("the package has no folder %q%s", dir, missing))
	}
	return k.folder(dir, k.within)
}

// inline reads the file of that name, or else the text itself.
func (k *kustomization) inline(at *field.Path, entry string) error {
	if file := path.Join(k.dir, entry); isRemote(entry) || !strings.Contains(entry, "\n") && (k.inputs.files[file] != nil || k.inputs.items[file] != nil) {
		return k.document(at, entry)
	}
	return k.text(at, entry)
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
			if err := k.document(at.Child("path"), p.Path); err != nil {
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
