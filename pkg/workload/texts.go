package workload

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/krm"
)

// rules are the rules of Kubernetes for the keys and values of a map; nil has none.
type rules struct {
	key, value func(string) []string
}

var (
	labelRules = &rules{key: validation.IsQualifiedName, value: validation.IsValidLabelValue}
	// Kubernetes allows capitals in the prefix of an annotation's key, and any value.
	annotationRules = &rules{
		key:   func(s string) []string { return validation.IsQualifiedName(strings.ToLower(s)) },
		value: func(string) []string { return nil },
	}
)

// ruleCheck is a text and the rules to check it by.
type ruleCheck struct {
	of    *rules
	isKey bool
	text  string
}

// texts reads a map of text to text; nil if there is none. It reports each entry that is not
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
		for _, why := range append(r.violations(ruleCheck{rules, true, key}), r.violations(ruleCheck{rules, false, value})...) {
			r.failAll(o, at, field.Invalid(at.Key(key), field.OmitValueType{}, why))
		}
	}
	return out
}

// text is the value of n, whose path is at; a number or a boolean is not text.
func text(n *yaml.Node, at *field.Path) (value string, err error) {
	if krm.IsNull(n) {
		return "", field.Required(at, `the value is null; write "" or remove the key`)
	}
	if err = krm.DecodeNode(n, at, &value); err != nil && n.Kind == yaml.ScalarNode {
		return "", field.TypeInvalid(at, field.OmitValueType{}, "want text: put it in quotes")
	}
	return value, err
}

// violations checks a rule, once for each text.
func (r *inventoryReader) violations(s ruleCheck) []string {
	answer, known := r.checked[s]
	if !known {
		if answer = s.of.value(s.text); s.isKey {
			answer = s.of.key(s.text)
		}
		r.checked[s] = answer
	}
	return answer
}
