package library

import (
	"fmt"
	"regexp"
	"regexp/syntax"

	star "go.starlark.net/starlark"
)

// longestPattern bounds what a pattern may become before it is known: one of 20 bytes may stand for a thousand steps.
const longestPattern = 1000

// expression is a pattern, and how many steps it has.
type expression struct {
	*regexp.Regexp
	steps int
}

func compile(h Host, b *star.Builtin, pattern string) (e expression, err error) {
	if len(pattern) > longestPattern {
		return e, fmt.Errorf("%s: the pattern is longer than %d bytes", b.Name(), longestPattern)
	}
	if e.Regexp, err = regexp.Compile(pattern); err != nil {
		return e, fmt.Errorf("%s: %w", b.Name(), err)
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return e, fmt.Errorf("%s: %w", b.Name(), err)
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return e, fmt.Errorf("%s: %w", b.Name(), err)
	}
	e.steps = len(program.Inst)
	return e, h.Pay(small + value*e.steps)
}

// payForOne pays for one match: each byte of the text may take every step.
func (e expression) payForOne(h Host, text string) error { return h.Pay(small + e.steps*len(text)) }

// payForAll pays for all matches. Each of them may look at the whole rest of the text.
func (e expression) payForAll(h Host, text string) error {
	if len(text) > 1<<20 {
		return h.Pay(len(text) * len(text))
	}
	return h.Pay(small + e.steps*len(text)*(1+len(text)/8) + value*(1+len(text)))
}

// unpack reads a pattern, for which it pays, and a text. It ignores flags, as the catalogue's library does.
func unpack(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (e expression, text string, err error) {
	var pattern string
	var flags star.Value
	if err := star.UnpackArgs(b.Name(), args, kwargs, "pattern", &pattern, "string", &text, "flags?", &flags); err != nil {
		return e, "", err
	}
	e, err = compile(h, b, pattern)
	return e, text, err
}

// search is re.search(pattern, string): where the first match begins and ends, or None.
func search(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	e, text, err := unpack(h, b, args, kwargs)
	if err == nil {
		err = e.payForOne(h, text)
	}
	if err != nil {
		return nil, err
	}
	at := e.FindStringIndex(text)
	if at == nil {
		return star.None, nil
	}
	return star.NewList([]star.Value{star.MakeInt(at[0]), star.MakeInt(at[1])}), nil
}

// matchAll is re.match(pattern, string): a list with a tuple of the groups of each match.
func matchAll(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	e, text, err := unpack(h, b, args, kwargs)
	if err == nil {
		err = e.payForAll(h, text)
	}
	if err == nil {
		err = h.Pay((1 + e.NumSubexp()) * (1 + len(text)) * small)
	}
	if err != nil {
		return nil, err
	}
	var all []star.Value
	for _, groups := range e.FindAllStringSubmatch(text, -1) {
		all = append(all, texts(groups))
	}
	return star.NewList(all), nil
}

// findAll is re.findall(pattern, string).
func findAll(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	e, text, err := unpack(h, b, args, kwargs)
	if err == nil {
		err = e.payForAll(h, text)
	}
	if err != nil {
		return nil, err
	}
	return texts(e.FindAllString(text, -1)), nil
}

// split is re.split(pattern, string, maxsplit=0), in which maxsplit is the number of parts, and 0 is all of them.
func split(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var pattern, text string
	var most int
	var flags star.Value
	if err := star.UnpackArgs(b.Name(), args, kwargs, "pattern", &pattern, "string", &text, "maxsplit?", &most, "flags?", &flags); err != nil {
		return nil, err
	}
	e, err := compile(h, b, pattern)
	if err == nil {
		err = e.payForAll(h, text)
	}
	if err != nil {
		return nil, err
	}
	if most == 0 {
		most = -1
	}
	return texts(e.Split(text, most)), nil
}

// substitute is re.sub(pattern, repl, string): every match is replaced, and count is ignored, as in the catalogue's library.
func substitute(h Host, b *star.Builtin, args star.Tuple, kwargs []star.Tuple) (star.Value, error) {
	var pattern, by, text string
	var count, flags star.Value
	err := star.UnpackArgs(b.Name(), args, kwargs, "pattern", &pattern, "repl", &by, "string", &text, "count?", &count, "flags?", &flags)
	if err != nil {
		return nil, err
	}
	e, err := compile(h, b, pattern)
	if err == nil {
		err = e.payForAll(h, text)
	}
	if err == nil { // a match becomes the text of its groups as often as the replacement names them
		err = h.Pay(built * 2 * (1 + len(text)) * (1 + len(by)))
	}
	if err != nil {
		return nil, err
	}
	return star.String(e.ReplaceAllString(text, by)), nil
}

func texts(list []string) star.Tuple {
	out := make(star.Tuple, len(list))
	for i, s := range list {
		out[i] = star.String(s)
	}
	return out
}
