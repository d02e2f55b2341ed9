package apisync

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
	"github.com/waybill-dev/waybill/pkg/apisync/mutation"
	"github.com/waybill-dev/waybill/pkg/apisync/selector"
	"github.com/waybill-dev/waybill/pkg/template/text"
)

// maxNames bounds the names that one locator may give for one primary.
const maxNames = 10_000

// locator gives the names of objects on both sides.
type locator struct {
	path     string // of a reference
	pattern  *replacement
	template *text.Template
	selector *selector.Selector
	rewrite  *text.Template // of a selector, unless it has a pattern
	text     string         // of the template
}

// replacement is a regular expression and the replacement for its matches.
type replacement struct {
	pattern *text.Pattern // nil: everything
	with    string
}

// isConstant reports whether every text becomes the same.
func (r *replacement) isConstant() bool { return r != nil && r.pattern == nil }

// apply replaces matches in s and trims white space.
func (r *replacement) apply(left *text.Allowance, s string) (string, error) {
	switch {
	case r.isConstant():
		s = r.with
	case r != nil:
		var err error
		if s, _, err = r.pattern.Replace(left, s, r.with); err != nil {
			return "", err
		}
	}
	return strings.TrimSpace(s), nil
}

// namePair is a name on both sides.
type namePair struct{ origin, copy string }

func newLocator(l *waybill.RelatedLocator, at *field.Path) (out *locator, errs field.ErrorList) {
	out = &locator{}
	keep := func(at *field.Path, err error) {
		if err != nil {
			errs = append(errs, fieldErrors(at, err)[0])
		}
	}
	var err error
	switch {
	case l.Reference != nil:
		out.path = l.Reference.Path
		keep(at.Child("reference", "path"), mutation.CheckPath(out.path))
		out.pattern, err = newReplacement(l.Reference.Regex)
		keep(at.Child("reference", "regex", "pattern"), err)
	case l.Template != nil:
		out.text = l.Template.Template
		out.template, err = text.Compile("template", out.text)
		keep(at.Child("template", "template"), err)
	case l.Selector != nil:
		out.selector, err = selector.New(&l.Selector.LabelSelector)
		keep(at.Child("selector"), err)
		out.pattern, err = newReplacement(l.Selector.Rewrite.Regex)
		keep(at.Child("selector", "rewrite", "regex", "pattern"), err)
		if t := l.Selector.Rewrite.Template; t != nil {
			out.rewrite, err = text.Compile("rewrite", t.Template)
			keep(at.Child("selector", "rewrite", "template", "template"), err)
		}
	default:
		keep(at, errors.New("give it one of reference, selector and template"))
	}
	return out, errs
}

func newReplacement(r *waybill.RelatedRegex) (out *replacement, err error) {
	if r == nil {
		return nil, nil
	}
	out = &replacement{with: r.Replacement}
	if r.Pattern != "" {
		out.pattern, err = text.CompilePattern(r.Pattern)
	}
	return out, err
}
