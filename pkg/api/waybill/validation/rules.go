package validation

import (
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

func (v *patterns) mutation(m *waybill.PublishedMutation, at *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	return append(v.rules(m.Spec, at.Child("spec")), v.rules(m.Status, at.Child("status"))...)
}

func (v *patterns) rules(rules []waybill.MutationRule, at *field.Path) (errs field.ErrorList) {
	if len(rules) > maxRules {
		return field.ErrorList{field.TooMany(at, len(rules), maxRules)}
	}
	for i := range rules {
		errs = append(errs, v.rule(&rules[i], at.Index(i))...)
	}
	return errs
}

func fieldPath(path string, at *field.Path) field.ErrorList {
	return program(path, at.Child("path"), "name a field, such as spec.list.0.name", maxPath)
}

func (v *patterns) rule(r *waybill.MutationRule, at *field.Path) field.ErrorList {
	errs := exactlyOne(at, choice{"delete", r.Delete != nil}, choice{"regex", r.Regex != nil},
		choice{"template", r.Template != nil}, choice{"cel", r.CEL != nil})
	if r.Delete != nil {
		errs = append(errs, fieldPath(r.Delete.Path, at.Child("delete"))...)
	}
	if r.Regex != nil {
		errs = append(errs, fieldPath(r.Regex.Path, at.Child("regex"))...)
		errs = append(errs, v.regex(&waybill.RelatedRegex{Pattern: r.Regex.Pattern, Replacement: r.Regex.Replacement}, at.Child("regex"))...)
	}
	if r.Template != nil {
		errs = append(errs, fieldPath(r.Template.Path, at.Child("template"))...)
		errs = append(errs, short(r.Template.Template, at.Child("template", "template"), maxProgram)...)
	}
	if r.CEL != nil {
		errs = append(errs, fieldPath(r.CEL.Path, at.Child("cel"))...)
		errs = append(errs, program(r.CEL.Expression, at.Child("cel", "expression"), "give it an expression of CEL", maxProgram)...)
	}
	return errs
}

func (v *patterns) locator(l *waybill.RelatedLocator, at *field.Path) field.ErrorList {
	if l == nil {
		return nil
	}
	errs := exactlyOne(at, choice{"reference", l.Reference != nil}, choice{"selector", l.Selector != nil},
		choice{"template", l.Template != nil})
	if l.Reference != nil {
		errs = append(errs, fieldPath(l.Reference.Path, at.Child("reference"))...)
		errs = append(errs, v.regex(l.Reference.Regex, at.Child("reference", "regex"))...)
	}
	if s := l.Selector; s != nil {
		errs = append(errs, labelSelector(&s.LabelSelector, at.Child("selector"), true)...)
		at := at.Child("selector", "rewrite")
		errs = append(errs, exactlyOne(at, choice{"regex", s.Rewrite.Regex != nil}, choice{"template", s.Rewrite.Template != nil})...)
		errs = append(errs, v.regex(s.Rewrite.Regex, at.Child("regex"))...)
		errs = append(errs, template(s.Rewrite.Template, at.Child("template"))...)
	}
	return append(errs, template(l.Template, at.Child("template"))...)
}

func template(t *waybill.RelatedTemplate, at *field.Path) field.ErrorList {
	if t == nil {
		return nil
	}
	return program(t.Template, at.Child("template"), "give it a Go template", maxProgram)
}
