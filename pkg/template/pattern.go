package template

import (
	"regexp"
	"strings"
)

// Pattern is a regular expression of RE2 with its size.
type Pattern struct {
	re     *regexp.Regexp
	states int
}

var errReplaced = Refuse("a regular expression is for texts of no more than %d bytes, and makes none that are longer", maxReplaced)

// CompilePattern parses a regular expression. Errors quote it.
func CompilePattern(expr string) (*Pattern, error) {
	if len(expr) > maxPattern {
		return nil, Refuse("it is longer than %d bytes", maxPattern)
	}
	re, states, err := CompileRegexp(expr, maxStates)
	switch {
	case err != nil:
		return nil, err
	case re == nil:
		return nil, Refuse("it has more than %d states when its repetitions are written out", maxStates)
	}
	return &Pattern{re, states}, nil
}

// Replace replaces every match, where $1 and ${1} in replacement are groups, and reports whether there was a match. It
// draws the steps; errors hold no value.
func (p *Pattern) Replace(left Budget, text, replacement string) (string, bool, error) {
	if len(text) > maxReplaced {
		return "", false, errReplaced
	}
	if err := p.draw(left, 2*len(text)); err != nil {
		return "", false, err
	}
	matches, matched := p.re.FindAllStringIndex(text, left.Left()/stepsPerMatch+1), 0
	for _, m := range matches {
		matched += m[1] - m[0]
	}
	if err := left.Draw(stepsPerMatch * len(matches)); err != nil {
		return "", false, err
	}
	if made := len(text) + Product(len(matches), len(replacement)) + Product(strings.Count(replacement, "$"), matched); made > MaxTransient {
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
func (p *Pattern) draw(left Budget, bytes int) error {
	return left.Draw(1 + Product(bytes, p.states)/matchPerStep)
}

// maxPattern is the longest regular expression, in bytes, and maxStates the most states with its repetitions written out.
// matchPerStep is how many states times bytes one step pays for, stepsPerMatch the cost of a replacement.
const maxPattern, maxStates, matchPerStep, stepsPerMatch = 4096, 5_000, 8, 16

// maxReplaced is the longest text before and after a replacement by a Pattern, in bytes.
const maxReplaced = 1 << 20

// MaxTransient is the most that a function may build before its result is measured, in bytes.
const MaxTransient = 4 << 20

// Regexes are sprig's functions with regular expressions. Their must forms do the same: an expression that is wrong is an
// error.
type Regexes struct {
	Meter Meter
	// Compile gives the pattern of an expression; nil: CompilePattern.
	Compile func(expr string) (*Pattern, error)
}

// Functions are the functions by their names in templates.
func (r *Regexes) Functions() map[string]any {
	all := map[string]any{}
	for name, f := range map[string]any{
		"Match": r.match, "Find": r.find, "FindAll": r.findAll, "Split": r.split,
		"ReplaceAll": r.replaceAll, "ReplaceAllLiteral": r.replaceAllLiteral,
	} {
		all["regex"+name], all["mustRegex"+name] = f, f
	}
	return all
}

// ErrPattern is a regular expression that is wrong.
var ErrPattern = Refuse("a regular expression is wrong")

// pattern compiles an expression, which takes about ten steps for each state, and draws the steps of a match over text.
func (r *Regexes) pattern(expr, text string) (*Pattern, error) {
	if err := r.Meter.Draw(1 + 2*min(len(expr), maxPattern)); err != nil {
		return nil, err
	}
	compile := r.Compile
	if compile == nil {
		compile = CompilePattern
	}
	p, err := compile(expr)
	if err != nil {
		if _, is := Refused(err); is {
			return nil, err
		}
		return nil, ErrPattern
	}
	if err := r.Meter.Draw(10 * p.states); err != nil {
		return nil, err
	}
	return p, p.draw(r.Meter, len(text))
}

func search[T any](r *Regexes, expr, text string, find func(*regexp.Regexp, string) T) (found T, err error) {
	p, err := r.pattern(expr, text)
	if err == nil {
		found = find(p.re, text)
	}
	return found, err
}

// searchAll finds n parts at most, all of them if n is negative.
func searchAll(r *Regexes, expr, text string, n int, find func(*regexp.Regexp, string, int) []string) ([]string, error) {
	limit := r.Meter.MaxItems()
	if n < 0 || n > limit {
		n = limit + 1
	}
	parts, err := search(r, expr, text, func(re *regexp.Regexp, text string) []string { return find(re, text, n) })
	if len(parts) > limit {
		return nil, Refuse("a regular expression matches more than %d times", limit)
	}
	return parts, err
}

func (r *Regexes) match(expr, text string) (bool, error) {
	return search(r, expr, text, (*regexp.Regexp).MatchString)
}

func (r *Regexes) find(expr, text string) (string, error) {
	return search(r, expr, text, (*regexp.Regexp).FindString)
}

func (r *Regexes) findAll(expr, text string, n int) ([]string, error) {
	return searchAll(r, expr, text, n, (*regexp.Regexp).FindAllString)
}

func (r *Regexes) split(expr, text string, n int) ([]string, error) {
	return searchAll(r, expr, text, n, (*regexp.Regexp).Split)
}

func (r *Regexes) replaceAll(expr, text, replacement string) (string, error) {
	p, err := r.pattern(expr, "")
	if err != nil {
		return "", err
	}
	made, _, err := p.Replace(r.Meter, text, replacement)
	return made, err
}

func (r *Regexes) replaceAllLiteral(expr, text, replacement string) (string, error) {
	p, err := r.pattern(expr, text)
	if err != nil {
		return "", err
	}
	n := len(p.re.FindAllStringIndex(text, r.Meter.Left()/stepsPerMatch+1))
	if err := r.Meter.Draw(stepsPerMatch * n); err != nil {
		return "", err
	}
	if len(text)+Product(n, len(replacement)) > MaxTransient {
		return "", TooLong(MaxTransient)
	}
	return p.re.ReplaceAllLiteralString(text, replacement), nil
}
