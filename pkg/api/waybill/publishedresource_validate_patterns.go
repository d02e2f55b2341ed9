package waybill

import (
	"errors"
	"regexp/syntax"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// maxWeight bounds what all regular expressions of one object come to once they are made ready: a few characters can
// stand for a program of megabytes.
const maxWeight = 100_000

// validPattern refuses what is no regular expression of RE2.
func validPattern(pattern string, at *field.Path) field.ErrorList {
	if errs := short(pattern, at, maxPattern); len(errs) > 0 {
		return errs
	}
	if _, err := syntax.Parse(pattern, syntax.Perl); err != nil {
		why := "want a regular expression of RE2"
		if fault := (*syntax.Error)(nil); errors.As(err, &fault) {
			why += ": " + fault.Code.String()
		}
		return field.ErrorList{field.Invalid(at, pattern, why)}
	}
	return nil
}

// weighPatterns refuses the first regular expression with which there is too much of them.
func (s *PublishedResourceSpec) weighPatterns(at *field.Path) (errs field.ErrorList) {
	total := 0
	s.eachPattern(at, func(pattern string, at *field.Path) {
		if total > maxWeight || len(pattern) > maxPattern {
			return
		}
		if parsed, err := syntax.Parse(pattern, syntax.Perl); err == nil {
			total += weight(parsed)
		}
		if total > maxWeight {
			errs = field.ErrorList{field.Forbidden(at, "the regular expressions up to this one are too large together; repeat less")}
		}
	})
	return errs
}

// weight is about how many steps an expression is compiled to. The parser bounds nesting and repetition.
func weight(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += weight(sub)
	}
	switch re.Op {
	case syntax.OpRepeat:
		n *= max(re.Min, re.Max)
	case syntax.OpLiteral:
		n = len(re.Rune)
	}
	return n + 1
}

// eachPattern goes through all regular expressions, in the order of fields.
func (s *PublishedResourceSpec) eachPattern(at *field.Path, do func(string, *field.Path)) {
	s.Mutation.eachPattern(at.Child("mutation"), do)
	for i := range s.Related[:min(len(s.Related), maxRelated)] {
		r, at := &s.Related[i], at.Child("related").Index(i)
		r.Object.RelatedLocator.eachPattern(at.Child("object"), do)
		r.Object.Namespace.eachPattern(at.Child("object", "namespace"), do)
		r.Mutation.eachPattern(at.Child("mutation"), do)
	}
}

func (m *PublishedMutation) eachPattern(at *field.Path, do func(string, *field.Path)) {
	if m == nil {
		return
	}
	for i, rule := range m.Spec[:min(len(m.Spec), maxRules)] {
		if rule.Regex != nil {
			do(rule.Regex.Pattern, at.Child("spec").Index(i).Child("regex", "pattern"))
		}
	}
	for i, rule := range m.Status[:min(len(m.Status), maxRules)] {
		if rule.Regex != nil {
			do(rule.Regex.Pattern, at.Child("status").Index(i).Child("regex", "pattern"))
		}
	}
}

func (l *RelatedLocator) eachPattern(at *field.Path, do func(string, *field.Path)) {
	if l == nil {
		return
	}
	if r := l.Reference; r != nil && r.Regex != nil {
		do(r.Regex.Pattern, at.Child("reference", "regex", "pattern"))
	}
	if s := l.Selector; s != nil && s.Rewrite.Regex != nil {
		do(s.Rewrite.Regex.Pattern, at.Child("selector", "rewrite", "regex", "pattern"))
	}
}
