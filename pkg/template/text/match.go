package text

import "github.com/waybill-dev/waybill/pkg/template"

// matching are sprig's functions with regular expressions. Their must forms do the same: an expression that is wrong
// is an error.
func matching() map[string]*function {
	all := map[string]*function{
		"regexMatch":             {make: func(b *budget) any { return b.regexMatch }},
		"regexFind":              {make: func(b *budget) any { return b.regexFind }},
		"regexFindAll":           {make: func(b *budget) any { return b.regexFindAll }},
		"regexSplit":             {make: func(b *budget) any { return b.regexSplit }},
		"regexReplaceAll":        {make: func(b *budget) any { return b.regexReplaceAll }},
		"regexReplaceAllLiteral": {make: func(b *budget) any { return b.regexReplaceAllLiteral }},
	}
	for name, must := range map[string]string{
		"regexMatch": "mustRegexMatch", "regexFind": "mustRegexFind", "regexFindAll": "mustRegexFindAll", "regexSplit": "mustRegexSplit",
		"regexReplaceAll": "mustRegexReplaceAll", "regexReplaceAllLiteral": "mustRegexReplaceAllLiteral",
	} {
		all[must] = &function{make: all[name].make}
	}
	return all
}

// pattern compiles an expression, which takes about ten steps for each state, and draws what going through text takes.
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

func (b *budget) regexMatch(expr, text string) (bool, error) {
	p, err := b.pattern(expr, text)
	return err == nil && p.re.MatchString(text), err
}

func (b *budget) regexFind(expr, text string) (string, error) {
	p, err := b.pattern(expr, text)
	if err != nil {
		return "", err
	}
	return p.re.FindString(text), nil
}

func (b *budget) regexFindAll(expr, text string, n int) ([]string, error) {
	p, err := b.pattern(expr, text)
	if err != nil {
		return nil, err
	}
	return few(p.re.FindAllString(text, most(n)))
}

func (b *budget) regexSplit(expr, text string, n int) ([]string, error) {
	p, err := b.pattern(expr, text)
	if err != nil {
		return nil, err
	}
	return few(p.re.Split(text, most(n)))
}

// most is one more than there may be, where somebody wants all.
func most(n int) int {
	if n < 0 || n > maxItems {
		return maxItems + 1
	}
	return n
}

func few(parts []string) ([]string, error) {
	if len(parts) > maxItems {
		return nil, template.Refuse("a regular expression matches more than %d times", maxItems)
	}
	return parts, nil
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
