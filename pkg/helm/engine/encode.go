package engine

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/BurntSushi/toml"
	"sigs.k8s.io/yaml"
	yamlv3 "sigs.k8s.io/yaml/goyaml.v3"

	"github.com/waybill-dev/waybill/pkg/template"
)

// encodings are Helm's functions for YAML, JSON and TOML. The must forms fail where the others give "" or the text of the error.
func encodings() map[string]*function {
	return map[string]*function{
		"toYaml":       {make: func(r *run) any { return r.toYAMLOrEmpty }},
		"mustToYaml":   {make: func(r *run) any { return r.toYAML }},
		"toYamlPretty": simple(orEmpty(toYAMLPretty)),
		"toJson":       simple(orEmpty(toJSON)), "mustToJson": simple(toJSON),
		"toToml": simple(orError(toTOML)), "mustToToml": simple(toTOML),
		"fromYaml": aliased(decoder(asDict(fromYAML))), "fromYamlArray": aliased(decoder(asList(fromYAML))),
		"fromJson": decoder(asDict(fromJSON)), "fromJsonArray": decoder(asList(fromJSON)),
		"fromToml": decoder(asDict(fromTOML)),
	}
}

func orEmpty(encode func(any) (string, error)) func(any) string {
	return func(v any) string {
		text, err := encode(v)
		if err != nil {
			return ""
		}
		return text
	}
}

func orError(encode func(any) (string, error)) func(any) string {
	return func(v any) string {
		text, err := encode(v)
		if err != nil {
			return err.Error()
		}
		return text
	}
}

func toYAMLPretty(v any) (string, error) {
	var text bytes.Buffer
	encoder := yamlv3.NewEncoder(&text)
	encoder.SetIndent(2)
	err := encoder.Encode(v)
	return strings.TrimSuffix(text.String(), "\n"), err
}

func toJSON(v any) (string, error) {
	text, err := json.Marshal(v)
	return string(text), err
}

func toTOML(v any) (string, error) {
	var text bytes.Buffer
	err := toml.NewEncoder(&text).Encode(v)
	return text.String(), err
}

func fromYAML(text string, into any) error { return yaml.Unmarshal([]byte(text), into) }

func fromJSON(text string, into any) error { return json.Unmarshal([]byte(text), into) }

func fromTOML(text string, into any) error { return toml.Unmarshal([]byte(text), into) }

// decoder is a function that reads a text. What it makes takes more room than the text.
func decoder(decode any) *function {
	f := simple(decode)
	f.cost = func(r *run, args []any) error { return r.Draw(encodingSteps + 2*len(args[0].(string))) }
	return f
}

// aliased also draws the cost of what aliases of YAML repeat.
func aliased(f *function) *function {
	cost := f.cost
	f.cost = func(r *run, args []any) error {
		text, _ := args[0].(string)
		if err := cost(r, args); err != nil || !strings.Contains(text, "*") || !strings.Contains(text, "&") {
			return err
		}
		var doc yamlv3.Node
		if yamlv3.Unmarshal([]byte(text), &doc) != nil { // the other parser may read it
			return r.Draw(template.Product(strings.Count(text, "*"), len(text)) / bytesPerStep)
		}
		m := meter{steps: r.steps}
		if err := m.expand(&doc, 1); err != nil {
			return err
		}
		return r.Draw(r.steps - m.steps)
	}
	return f
}

// expand measures a document with everything that its aliases repeat.
func (m *meter) expand(n *yamlv3.Node, level int) error {
	if level > 10*maxDepth {
		return errDeep
	}
	if n.Alias != nil {
		return m.expand(n.Alias, level+1)
	}
	for _, part := range n.Content {
		if err := m.expand(part, level+1); err != nil {
			return err
		}
	}
	return m.draw(len(n.Value))
}

// asDict gives a dict. What is wrong with the text is its field Error, as in Helm.
func asDict(decode func(string, any) error) func(string) map[string]any {
	return func(text string) map[string]any {
		dict := map[string]any{}
		if err := decode(text, &dict); err != nil {
			dict["Error"] = err.Error()
		}
		return dict
	}
}

// asList gives a list. What is wrong with the text is its only part, as in Helm.
func asList(decode func(string, any) error) func(string) []any {
	return func(text string) []any {
		list := []any{}
		if err := decode(text, &list); err != nil {
			list = []any{err.Error()}
		}
		return list
	}
}
