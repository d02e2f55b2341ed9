package apisync

import (
	"context"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// selector is a label selector whose matchLabels may be templates. It is immutable: values of one primary do not affect
// another.
type selector struct {
	plain     metav1.LabelSelector // without what is a template
	templates []templated
}

// templated is one entry of matchLabels of which a part is a template.
type templated struct{ key, value part }

// part is a text, or a template.
type part struct {
	text     string
	template *text.Template
}

func newSelector(s *metav1.LabelSelector) (*selector, error) {
	out := &selector{plain: metav1.LabelSelector{MatchLabels: map[string]string{}, MatchExpressions: s.MatchExpressions}}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		value := s.MatchLabels[key]
		if !strings.Contains(key+value, "{{") {
			out.plain.MatchLabels[key] = value
			continue
		}
		var one templated
		var err error
		if one.key, err = newPart(key); err == nil {
			one.value, err = newPart(value)
		}
		if err != nil {
			return nil, err
		}
		out.templates = append(out.templates, one)
	}
	_, err := metav1.LabelSelectorAsSelector(&out.plain)
	return out, err
}

func newPart(s string) (p part, err error) {
	if p.text = s; strings.Contains(s, "{{") {
		p.template, err = text.Compile("matchLabels", s)
	}
	return p, err
}

// readsOnly reports whether the templates read only fields at the given paths.
func (s *selector) readsOnly(paths ...string) bool {
	return !slices.ContainsFunc(s.templates, func(one templated) bool {
		return !one.key.readsOnly(paths) || !one.value.readsOnly(paths)
	})
}

func (p part) readsOnly(paths []string) bool {
	return p.template == nil || p.template.ReadsOnly(paths...)
}

// fill is the part's text; a missing value counts as empty.
func (p part) fill(ctx context.Context, data map[string]any) (string, error) {
	if p.template == nil {
		return p.text, nil
	}
	result, err := p.template.Execute(ctx, data)
	if err != nil || result.Missing {
		return "", err
	}
	return result.Trimmed, nil
}

// filled is the selector for some data. An entry with an empty key is dropped; if that leaves nothing, the selector is nil
// and selects nothing.
func (s *selector) filled(ctx context.Context, data map[string]any) (labels.Selector, error) {
	all := s.plain
	all.MatchLabels = maps.Clone(s.plain.MatchLabels)
	for _, one := range s.templates {
		key, err := one.key.fill(ctx, data)
		if err != nil {
			return nil, err
		}
		value, err := one.value.fill(ctx, data)
		if err != nil {
			return nil, err
		}
		if key != "" {
			all.MatchLabels[key] = value
		}
	}
	if len(s.templates) > 0 && len(all.MatchLabels)+len(all.MatchExpressions) == 0 {
		return nil, nil
	}
	return metav1.LabelSelectorAsSelector(&all)
}
