package main

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"
)

const preface = `# Fields of the kinds that Waybill reads

Generated from the CustomResourceDefinitions by ` +
	"`go generate ./controllers/manifests/reference`; `kubectl explain`" + ` says the
same of a cluster that has them. All kinds live in namespaces. ` +
	"What is said to be refused is refused by the API server; `waybill reconcile`" + `
says the same of a file.
`

// page is the whole page on the definitions in files.
func page(files fs.FS) (string, error) {
	names, err := fs.Glob(files, "*.yaml")
	if err != nil {
		return "", err
	}
	var out strings.Builder
	out.WriteString(preface)
	for _, name := range names {
		data, err := fs.ReadFile(files, name)
		if err != nil {
			return "", err
		}
		var crd apiextensionsv1.CustomResourceDefinition
		if err := yaml.Unmarshal(data, &crd); err != nil {
			return "", fmt.Errorf("definition %q: %w", name, err)
		}
		for _, version := range crd.Spec.Versions {
			writeKind(&out, crd.Spec, version)
		}
	}
	return out.String(), nil
}

// writeKind writes the section of a kind in one version.
func writeKind(
	out *strings.Builder, of apiextensionsv1.CustomResourceDefinitionSpec, version apiextensionsv1.CustomResourceDefinitionVersion,
) {
	s := version.Schema.OpenAPIV3Schema
	fmt.Fprintf(out, "\n## %s\n\n`%s/%s`, short `%s`. %s\n", of.Names.Kind, of.Group, version.Name,
		strings.Join(of.Names.ShortNames, "`, `"), oneLine(s.Description))
	out.WriteString("\n| field | type | |\n|---|---|---|\n")
	var refused []string
	for _, name := range []string{"spec", "status"} {
		if field, ok := s.Properties[name]; ok {
			refused = append(refused, writeField(out, name, field, slices.Contains(s.Required, name))...)
		}
	}
	if len(refused) == 0 {
		return
	}
	out.WriteString("\nRefused:\n\n")
	for _, line := range refused {
		fmt.Fprintf(out, "* %s\n", line)
	}
}

// writeField writes the rows of a field and of those in it, and returns what is refused there.
func writeField(out *strings.Builder, path string, s apiextensionsv1.JSONSchemaProps, required bool) (refused []string) {
	about := oneLine(s.Description)
	if required && !strings.Contains(about, "Required.") {
		about += " Required."
	}
	fmt.Fprintf(out, "| `%s` | %s | %s |\n", path, typeOf(s), about)
	refused = append(refused, rulesOf(path, s)...)
	if s.Items != nil {
		path, s = path+"[]", *s.Items.Schema
		refused = append(refused, rulesOf(path, s)...)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		refused = append(refused, writeField(out, path+"."+name, s.Properties[name], slices.Contains(s.Required, name))...)
	}
	return refused
}

// rulesOf are the sentences in which an API server refuses what breaks a rule on a field.
func rulesOf(path string, s apiextensionsv1.JSONSchemaProps) (refused []string) {
	for _, rule := range s.XValidations {
		refused = append(refused, fmt.Sprintf("`%s%s`: %s", path, rule.FieldPath, oneLine(rule.Message)))
	}
	return refused
}

// typeOf is what a field holds, in words.
func typeOf(s apiextensionsv1.JSONSchemaProps) string {
	switch {
	case s.Type == "array" && s.Items.Schema.Type == "object":
		return "list of objects"
	case s.Type == "array":
		return "list of " + typeOf(*s.Items.Schema) + "s"
	case s.Type == "object" && s.AdditionalProperties != nil:
		return "map of " + typeOf(*s.AdditionalProperties.Schema) + "s"
	case s.Format == "date-time":
		return "time"
	}
	return s.Type
}

// oneLine is text that fits into a cell of a table.
func oneLine(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
