package manifestconfig

import (
	"sigs.k8s.io/kustomize/kyaml/yaml"

	"github.com/waybill-dev/waybill/pkg/bundling/manifest"
)

// Rule is an orphaning rule: agents do not own the object that it names, and leave it on the cluster when its work no longer holds it.
type Rule struct {
	Node   *yaml.Node
	Text   string
	Length int // of its compact JSON
}

// NewRule makes the rule about an object. Agents know no patterns here.
func NewRule(about Resource) (r *Rule, err error) {
	r = &Rule{Node: about.Identifier()}
	if r.Length, err = manifest.JSONSize(r.Node); err != nil {
		return nil, err
	}
	spec := manifest.Map(manifest.DeleteOptionField, selective(manifest.List(r.Node)))
	r.Text, err = manifest.TextBelow(manifest.Map("spec", spec), rulesHead)
	return r, err
}

const (
	optionHead = "  " + manifest.DeleteOptionField + ":\n    propagationPolicy: "
	rulesHead  = "spec:\n" + optionHead + "SelectivelyOrphan\n    selectivelyOrphans:\n      orphaningRules:\n"
)

// DeleteOption is the deleteOption of a work; the zero value is none.
type DeleteOption struct {
	Policy string
	Rules  []*Rule
}

// Node is the option as a node.
func (d DeleteOption) Node() *yaml.Node {
	if len(d.Rules) == 0 {
		return manifest.Map("propagationPolicy", d.Policy)
	}
	rules := manifest.List()
	for _, r := range d.Rules {
		rules.Content = append(rules.Content, r.Node)
	}
	return selective(rules)
}

func selective(rules *yaml.Node) *yaml.Node {
	return manifest.Map("propagationPolicy", "SelectivelyOrphan", "selectivelyOrphans", manifest.Map("orphaningRules", rules))
}

// AppendText appends the text of the option, as a field of a work's spec.
func (d DeleteOption) AppendText(dst []byte) []byte {
	switch {
	case d.Policy == "":
		return dst
	case len(d.Rules) == 0:
		return append(append(append(dst, optionHead...), d.Policy...), '\n')
	}
	dst = append(dst, rulesHead[len("spec:\n"):]...)
	for _, r := range d.Rules {
		dst = append(dst, r.Text...)
	}
	return dst
}
