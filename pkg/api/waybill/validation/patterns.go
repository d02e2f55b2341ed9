package validation

import (
	"errors"
	"regexp/syntax"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/waybill-dev/waybill/pkg/api/waybill"
)

// maxSteps limits the size of all compiled regular expressions of one object: a few characters can become a program of
// megabytes.
const maxSteps = 100_000

// patterns checks the regular expressions of one object, in the order of fields.
type patterns struct {
	steps    int
	tooLarge field.ErrorList // the first pattern with which there are too many steps
}

func (v *patterns) regex(r *waybill.RelatedRegex, at *field.Path) field.ErrorList {
	if r == nil {
		return nil
	}
	return append(v.pattern(r.Pattern, at.Child("pattern")), short(r.Replacement, at.Child("replacement"), maxPattern)...)
}

// pattern refuses text that is no regular expression of RE2.
func (v *patterns) pattern(pattern string, at *field.Path) field.ErrorList {
	if errs := short(pattern, at, maxPattern); len(errs) > 0 {
		return errs
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		why := "want a regular expression of RE2"
		if fault, ok := errors.AsType[*syntax.Error](err); ok {
			why += ": " + fault.Code.String()
		}
		return field.ErrorList{field.Invalid(at, pattern, why)}
	}
	if v.steps += stepsOf(parsed); v.steps > maxSteps && v.tooLarge == nil {
		v.tooLarge = field.ErrorList{field.Forbidden(at, "the regular expressions up to this one are too large together; repeat less")}
	}
	return nil
}

// stepsOf is about how many steps an expression is compiled to. The parser limits nesting and repetition.
func stepsOf(re *syntax.Regexp) int {
	n := 0
	for _, sub := range re.Sub {
		n += stepsOf(sub)
	}
	switch re.Op {
	case syntax.OpRepeat:
		n *= max(re.Min, re.Max)
	case syntax.OpLiteral:
		n = len(re.Rune)
	}
	return n + 1
}
