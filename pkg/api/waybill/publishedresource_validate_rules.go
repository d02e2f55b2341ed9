package waybill

import "k8s.io/apimachinery/pkg/util/validation/field"

func (m *PublishedMutation) validate(at *field.Path) field.ErrorList {
	if m == nil {
		return nil
	}
	return append(validRules(m.Spec, at.Child("spec")), validRules(m.Status, at.Child("status"))...)
}

func validRules(rules []MutationRule, at *field.Path) (errs field.ErrorList) {
	if len(rules) > maxRules {
		return field.ErrorList{field.TooMany(at, len(rules), maxRules)}
	}
	for i := range rules {
		errs = append(errs, rules[i].validate(at.Index(i))...)
	}
	return errs
}

// wantPath is what paths into objects are.
const wantPath = "name a field, such as spec.list.0.name"

func (r *MutationRule) validate(at *field.Path) field.ErrorList {
	errs := exactlyOne(at, choice{"delete", r.Delete != nil}, choice{"regex", r.Regex != nil},
		choice{"template", r.Template != nil}, choice{"cel", r.CEL != nil})
	if r.Delete != nil {
		errs = append(errs, needed(r.Delete.Path, at.Child("delete", "path"), wantPath, maxPath)...)
	}
	if r.Regex != nil {
		at := at.Child("regex")
		errs = append(errs, needed(r.Regex.Path, at.Child("path"), wantPath, maxPath)...)
		errs = append(errs, (&RelatedRegex{r.Regex.Pattern, r.Regex.Replacement}).validate(at)...)
	}
	if r.Template != nil {
		at := at.Child("template")
		errs = append(errs, needed(r.Template.Path, at.Child("path"), wantPath, maxPath)...)
		errs = append(errs, (&RelatedTemplate{r.Template.Template}).validate(at)...)
	}
	if r.CEL != nil {
		at := at.Child("cel")
		errs = append(errs, needed(r.CEL.Path, at.Child("path"), wantPath, maxPath)...)
		errs = append(errs, needed(r.CEL.Expression, at.Child("expression"), "give it an expression of CEL", maxProgram)...)
	}
	return errs
}

func (l *RelatedLocator) validate(at *field.Path) field.ErrorList {
	if l == nil {
		return nil
	}
	errs := exactlyOne(at, choice{"reference", l.Reference != nil}, choice{"selector", l.Selector != nil},
		choice{"template", l.Template != nil})
	if l.Reference != nil {
		at := at.Child("reference")
		errs = append(errs, needed(l.Reference.Path, at.Child("path"), wantPath, maxPath)...)
		errs = append(errs, l.Reference.Regex.validate(at.Child("regex"))...)
	}
	if l.Selector != nil {
		at := at.Child("selector")
		errs = append(errs, validSelector(&l.Selector.LabelSelector, at, true)...)
		errs = append(errs, l.Selector.Rewrite.validate(at.Child("rewrite"))...)
	}
	return append(errs, l.Template.validate(at.Child("template"))...)
}

func (r *RelatedRewrite) validate(at *field.Path) field.ErrorList {
	errs := exactlyOne(at, choice{"regex", r.Regex != nil}, choice{"template", r.Template != nil})
	errs = append(errs, r.Regex.validate(at.Child("regex"))...)
	return append(errs, r.Template.validate(at.Child("template"))...)
}

func (r *RelatedRegex) validate(at *field.Path) field.ErrorList {
	if r == nil {
		return nil
	}
	return append(validPattern(r.Pattern, at.Child("pattern")), short(r.Replacement, at.Child("replacement"), maxPattern)...)
}

func (t *RelatedTemplate) validate(at *field.Path) field.ErrorList {
	if t == nil {
		return nil
	}
	return needed(t.Template, at.Child("template"), "give it a Go template", maxProgram)
}
