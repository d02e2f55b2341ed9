package kustomize

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/api/konfig"
	"sigs.k8s.io/kustomize/api/provider"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/resource"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/yaml"
)

// pluginPaths are the fields of linked plugins whose texts may be the names of files.
var pluginPaths = []string{"path", "paths", "files", "envs", "env"}

// plugin reads the config of a generator or transformer: a file, or the text itself.
func (k *kustomization) plugin(at *field.Path, entry string) error {
	k.changes++
	data := []byte(entry)
	if !strings.ContainsAny(entry, "\n{") { // as kustomize takes it for text, whatever files there are
		file, err := k.local(at, entry)
		if err != nil {
			return err
		}
		if _, ok, _ := k.inputs.get(file); !ok && k.inputs.folders[file] {
			return k.at(at, entry, "a kustomization that gives configs of plugins is not supported; name files, or write the configs here")
		}
		if data, _, err = k.load(at, entry); err != nil {
			return err
		}
	}
	k.grows.applied += len(data)
	if err := k.yaml(k.file+": "+at.String(), data); err != nil {
		return err
	}
	factory := resmap.NewFactory(provider.NewDefaultDepProvider().GetResourceFactory())
	configs, err := factory.NewResMapFromBytes(data)
	if err != nil {
		// neither the text nor kustomize's message, which quotes it: it may be about a Secret
		return errors.New(k.file + ": " + at.String() + ": is no config of a plugin; " +
			"want objects with apiVersion builtin, a kind and metadata.name")
	}
	for _, c := range configs.Resources() {
		gvk := c.GetGvk()
		if gvk.Group != "" || gvk.Version != konfig.BuiltinPluginApiVersion {
			return k.at(at, gvk.String(), "plugins that are programs or containers do not run here; only those with apiVersion builtin do")
		}
		if strings.HasPrefix(gvk.Kind, "Helm") {
			return k.at(at, gvk.Kind, "kustomize would run the program helm; use the function render-helm-chart")
		}
		content, err := c.Map()
		if err == nil {
			err = k.pluginField(at, "", content, gvk.Kind)
		}
		if err == nil && gvk.Kind == "ReplacementTransformer" {
			err = k.pluginReplacements(at, c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pluginField reads the files that a value of a plugin's config names, and refuses remote ones.
func (k *kustomization) pluginField(at *field.Path, name string, value any, kind string) error {
	switch v := value.(type) {
	case map[string]any:
		for key, below := range v {
			if err := k.pluginField(at, key, below, kind); err != nil {
				return err
			}
		}
	case []any:
		for _, below := range v {
			if err := k.pluginField(at, name, below, kind); err != nil {
				return err
			}
		}
	case string:
		return k.pluginText(at, name, v, kind)
	}
	return nil
}

func (k *kustomization) pluginText(at *field.Path, name, text, kind string) error {
	if kind == "SecretGenerator" {
		k.secrets.literals([]string{text}, true)
	}
	if !slices.ContainsFunc(pluginPaths, func(p string) bool { return strings.EqualFold(p, name) }) {
		if strings.ContainsAny(text, "\n{[") {
			return k.yamlIfAny(k.file+": "+at.String(), []byte(text))
		}
		return nil
	}
	_, afterKey, keyed := strings.Cut(text, "=")
	for _, entry := range []string{text, afterKey} {
		if isRemote(entry) {
			return k.at(at, withoutUser(entry),
				fmt.Sprintf("%s names something remote, and a pipeline fetches nothing; copy it into the package", name))
		}
	}
	if !keyed {
		afterKey = text
	}
	data, ok, err := k.inputs.get(path.Join(k.dir, afterKey))
	if !ok || err != nil { // the field may name no file, but a field of an object; the build reports a file that is missing
		return err
	}
	k.count(len(data))
	k.grows.applied += len(data)
	k.secrets.file(data, kind == "SecretGenerator")
	return k.yamlIfAny(path.Join(k.dir, afterKey), data)
}

// pluginReplacements reads the replacements of a linked plugin.
func (k *kustomization) pluginReplacements(at *field.Path, c *resource.Resource) error {
	text, err := c.AsYAML()
	if err != nil {
		return err
	}
	var config struct {
		Replacements []types.ReplacementField `json:"replacements"`
	}
	if err := yaml.Unmarshal(text, &config); err != nil {
		return k.at(at, c.GetKind(), err.Error())
	}
	return k.replacements(config.Replacements)
}
