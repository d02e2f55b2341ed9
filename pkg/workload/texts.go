package workload

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// rules say what Kubernetes asks of the keys and values of a map; nil asks nothing.
type rules struct {
	key, value func(string) []string
}

var (
	labelRules = &rules{key: validation.IsQualifiedName, value: validation.IsValidLabelValue}
	// Kubernetes takes capitals in the prefix of an annotation's key, and any value.
	annotationRules = &rules{
		key:   func(s string) []string { return validation.IsQualifiedName(strings.ToLower(s)) },
		value: func(string) []string { return nil },
	}
)

// saying is what some rules say about a text.
type saying struct {
	of    *rules
	isKey bool
	text  string
}

// texts reads a map of text to text, nil when there is none, and reports each entry that is not
// text or breaks a rule.
func (r *inventoryReader) texts(o *krm.Object, n *yaml.Node, at *field.Path, rules *rules) map[string]string {
	if n == nil || krm.IsNull(n) || n.Kind == yaml.MappingNode && len(n.Content) == 0 {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.failAll(o, at, krm.DecodeNode(n, at, &map[string]string{}))
		return nil
	}
	out := make(map[string]string, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i].Value
		value, err := text(krm.Deref(n.Content[i+1]), at.Key(key))
		if err != nil {
			r.failAll(o, at, err)
			value = ""
		}
		out[key] = value
		if rules == nil {
			continue
		}
		for _, why := range append(r.ask(saying{rules, true, key}), r.ask(saying{rules, false, value})...) {
			r.failAll(o, at, field.Invalid(at.Key(key), field.OmitValueType{}, why))
		}
	}
	return out
}

// text is the value of n, which stands at at; a number or truth value is not text.
func text(n *yaml.Node, at *field.Path) (value string, err error) {
	if krm.IsNull(n) {
		return "", field.Required(at, `the value is null; write "" or remove the key`)
	}
	if err = krm.DecodeNode(n, at, &value); err != nil && n.Kind == yaml.ScalarNode {
		return "", field.TypeInvalid(at, field.OmitValueType{}, "want text: put it in quotes")
	}
	return value, err
}

// ask tries a rule, once for each text.
func (r *inventoryReader) ask(s saying) []string {
	answer, known := r.said[s]
	if !known {
		if answer = s.of.value(s.text); s.isKey {
			answer = s.of.key(s.text)
		}
		r.said[s] = answer
	}
	return answer
}
