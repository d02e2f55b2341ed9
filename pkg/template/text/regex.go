package text

import (
	"regexp"
	"strings"

	"github.com/waybill-dev/waybill/pkg/template"
)

// Pattern is a regular expression of RE2 with its size.
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
	re, states, err := template.CompileRegexp(expr, maxStates)
	switch {
	case err != nil:
		return nil, err
	case re == nil:
		return nil, template.Refuse("it has more than %d states when its repetitions are written out", maxStates)
	}
	return &Pattern{re, states}, nil
}

// Replace replaces every match, where $1 and ${1} in replacement are groups, and reports whether there was a match. It
// draws the steps; errors hold no value.
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

// draw pays for the product of bytes and states.
func (p *Pattern) draw(left *Allowance, bytes int) error {
	return left.Draw(1 + product(bytes, p.states)/matchPerStep)
}

// regexFunctions are sprig's functions with regular expressions. Their must forms do the same: an expression that is wrong
// is an error.
func regexFunctions() map[string]*function {
	all := map[string]*function{}
	for name, make := range map[string]func(b *budget) any{
		"Match":             func(b *budget) any { return b.regexMatch },
		"Find":              func(b *budget) any { return b.regexFind },
		"FindAll":           func(b *budget) any { return b.regexFindAll },
		"Split":             func(b *budget) any { return b.regexSplit },
		"ReplaceAll":        func(b *budget) any { return b.regexReplaceAll },
		"ReplaceAllLiteral": func(b *budget) any { return b.regexReplaceAllLiteral },
	} {
		all["regex"+name], all["mustRegex"+name] = &function{make: make}, &function{make: make}
	}
	return all
}

// pattern compiles an expression, which takes about ten steps for each state, and draws the steps of a match over text.
func (b *budget) pattern(expr, text string) (*Pattern, error) {
	if err := b.spend(1 + 2*min(len(expr), maxPattern)); err != nil {
		return nil, err
	}
	p, err := CompilePattern(expr)
	if err != nil {
		if _, is := template.Refused(err); is {
			return nil, err
		}
		return nil, template.Refuse("a regular expression is wrong")
	}
	if err := b.spend(10 * p.states); err != nil {
		return nil, err
	}
	return p, p.draw(b.left, len(text))
}

func search[T any](b *budget, expr, text string, find func(*regexp.Regexp, string) T) (found T, err error) {
	p, err := b.pattern(expr, text)
	if err == nil {
		found = find(p.re, text)
	}
	return found, err
}

// searchAll finds n parts at most, all of them if n is negative.
func searchAll(b *budget, expr, text string, n int, find func(*regexp.Regexp, string, int) []string) ([]string, error) {
	if n < 0 || n > maxItems {
		n = maxItems + 1
	}
	parts, err := search(b, expr, text, func(re *regexp.Regexp, text string) []string { return find(re, text, n) })
	if len(parts) > maxItems {
		return nil, template.Refuse("a regular expression matches more than %d times", maxItems)
	}
	return parts, err
}

func (b *budget) regexMatch(expr, text string) (bool, error) {
	return search(b, expr, text, (*regexp.Regexp).MatchString)
}

func (b *budget) regexFind(expr, text string) (string, error) {
	return search(b, expr, text, (*regexp.Regexp).FindString)
}

func (b *budget) regexFindAll(expr, text string, n int) ([]string, error) {
	return searchAll(b, expr, text, n, (*regexp.Regexp).FindAllString)
}

func (b *budget) regexSplit(expr, text string, n int) ([]string, error) {
	return searchAll(b, expr, text, n, (*regexp.Regexp).Split)
}

func (b *budget) regexReplaceAll(expr, text, replacement string) (string, error) {
	p, err := b.pattern(expr, "")
	if err != nil {
		return "", err
	}
	made, _, err := p.Replace(b.left, text, replacement)
	return made, err
}

func (b *budget) regexReplaceAllLiteral(expr, text, replacement string) (string, error) {
	p, err := b.pattern(expr, text)
	if err != nil {
		return "", err
	}
	n := len(p.re.FindAllStringIndex(text, b.left.Steps/stepsPerMatch+1))
	if err := b.spend(stepsPerMatch * n); err != nil {
		return "", err
	}
	if len(text)+product(n, len(replacement)) > maxTransient {
		return "", errTooLong
	}
	return p.re.ReplaceAllLiteralString(text, replacement), nil
}
