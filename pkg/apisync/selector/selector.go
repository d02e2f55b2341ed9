// Package selector compiles label selectors whose matchLabels may be templates.
//
// Shape: New compiles one; Fill executes its templates for some data and returns a plain selector. A Selector is immutable:
// the values of one object do not affect another.
// Cost: the execution of the templates. Errors: those of the templates, and of labels that are not valid.
// Source: related objects of kcp's API syncer.
package selector

import (
	"context"
	"maps"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// Selector is a compiled selector.
type Selector struct {
	plain     metav1.LabelSelector // without templates
	templates []label
}

// label is an entry of matchLabels in which the key or the value has a template. The other part is plain text, which is a
// template as well.
type label struct{ key, value *text.Template }

// New compiles a selector.
func New(s *metav1.LabelSelector) (*Selector, error) {
	out := &Selector{plain: metav1.LabelSelector{MatchLabels: map[string]string{}, MatchExpressions: s.MatchExpressions}}
	for _, key := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		value := s.MatchLabels[key]
		if !strings.Contains(key+value, "{{") {
			out.plain.MatchLabels[key] = value
			continue
		}
		var one label
		var err error
		if one.key, err = text.Compile("matchLabels", key); err == nil {
			one.value, err = text.Compile("matchLabels", value)
		}
		if err != nil {
			return nil, err
		}
		out.templates = append(out.templates, one)
	}
	_, err := metav1.LabelSelectorAsSelector(&out.plain)
	return out, err
}

// ReadsOnly reports whether the templates read only fields at the given paths.
func (s *Selector) ReadsOnly(paths ...string) bool {
	return !slices.ContainsFunc(s.templates, func(one label) bool {
		return !one.key.ReadsOnly(paths...) || !one.value.ReadsOnly(paths...)
	})
}

// Fill returns the selector for some data. A missing value counts as empty, and an entry with an empty key is dropped; if
// that leaves nothing, the selector is nil and selects nothing.
func (s *Selector) Fill(ctx context.Context, data map[string]any) (labels.Selector, error) {
	all := s.plain
	all.MatchLabels = maps.Clone(s.plain.MatchLabels)
	for _, one := range s.templates {
		key, err := fill(ctx, one.key, data)
		if err != nil {
			return nil, err
		}
		value, err := fill(ctx, one.value, data)
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

func fill(ctx context.Context, t *text.Template, data map[string]any) (string, error) {
	result, err := t.Execute(ctx, data)
	if err != nil || result.Missing {
		return "", err
	}
	return result.Trimmed, nil
}
