package text

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Pattern is a regular expression of RE2 whose size is known.
type Pattern struct {
	re     *regexp.Regexp
	states int
}

var errReplaced = template.Refuse("a regular expression is for texts of no more than %d bytes, and makes none that are longer", maxReplaced)

// CompilePattern parses a regular expression. Errors quote it.
func CompilePattern(expr string) (*Pattern, error) {
	if len(expr) > maxPattern {
		return nil, template.Refuse("it is longer than %d bytes", maxPattern)
	}
	parsed, err := syntax.Parse(expr, syntax.Perl)
	if err != nil {
		return nil, err
	}
	states := statesOf(parsed)
	if states > maxStates {
		return nil, template.Refuse("it has more than %d states when its repetitions are written out", maxStates)
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, err
	}
	return &Pattern{re, states}, nil
}

// statesOf counts states with repetitions written out; the parser refuses more than 1000 repetitions in all.
func statesOf(re *syntax.Regexp) int {
	states := 1 + len(re.Rune)
	if re.Op == syntax.OpCharClass { // one state, however many ranges
		states = 1 + len(re.Rune)/32
	}
	for _, sub := range re.Sub {
		states += statesOf(sub)
	}
	if re.Op == syntax.OpRepeat {
		states *= max(re.Min, re.Max, 1)
	}
	return states
}

// Replace puts replacement in place of all that matches, where $1 and ${1} stand for groups, and reports whether
// anything did. It draws what that takes; errors hold no value.
func (p *Pattern) Replace(left *Allowance, text, replacement string) (string, bool, error) {
	if len(text) > maxReplaced {
		return "", false, errReplaced
	}
	if err := p.draw(left, 2*len(text)); err != nil {
		return "", false, err
	}
	matches, matched := p.re.FindAllStringIndex(text, left.Steps/stepsPerMatch+1), 0
	for _, m := range matches {
		matched += m[1] - m[0]
	}
	if err := left.Draw(stepsPerMatch * len(matches)); err != nil {
		return "", false, err
	}
	if made := len(text) + product(len(matches), len(replacement)) + product(strings.Count(replacement, "$"), matched); made > maxTransient {
		return "", false, errReplaced
	}
	if len(matches) == 0 {
		return text, false, nil
	}
	made := p.re.ReplaceAllString(text, replacement)
	if len(made) > maxReplaced {
		return "", false, errReplaced
	}
	return made, true, left.Draw(len(made) / bytesPerStep)
}

// draw pays for every byte that may visit every state.
func (p *Pattern) draw(left *Allowance, bytes int) error {
	return left.Draw(1 + product(bytes, p.states)/matchPerStep)
}
