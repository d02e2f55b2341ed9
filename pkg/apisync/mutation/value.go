package mutation

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/waybill-dev/waybill/pkg/template/text"
)

// Value is the value at a path, as templates see it as .Value. Nil is no value, and has all methods.
type Value struct {
	text   string // all of these are computed once: templates may read them over and over
	whole  int64
	number float64
	flag   bool
	plain  any
}

func valueOf(at gjson.Result) (*Value, error) {
	if !at.Exists() {
		return nil, nil
	}
	plain, err := text.Decode([]byte(at.Raw))
	if err != nil {
		return nil, err
	}
	return &Value{textOf(at), at.Int(), at.Float(), at.Bool(), plain}, nil
}

// Texts are the texts at a path in a JSON document, without white space at either end: of each item of a list, or of another
// value. There are none for a missing value, for null, and for a path that is not valid (see CheckPath).
func Texts(doc []byte, path string) (texts []string) {
	p, err := parsePath(path)
	if err != nil {
		return nil
	}
	at := follow(gjson.ParseBytes(doc), p.parts)
	if at.IsArray() {
		for _, one := range at.Array() {
			texts = append(texts, strings.TrimSpace(textOf(one)))
		}
		return texts
	}
	if at.Type == gjson.Null {
		return nil
	}
	return []string{strings.TrimSpace(textOf(at))}
}

// Find returns the paths of the scalar values that is accepts, in the order of the document.
func Find(doc []byte, is func(path, value string) bool) []string {
	return findIn(gjson.ParseBytes(doc), "", is)
}

func findIn(at gjson.Result, path string, is func(path, value string) bool) (found []string) {
	if !at.IsObject() && !at.IsArray() {
		if is(path, strings.TrimSpace(textOf(at))) {
			found = append(found, path)
		}
		return found
	}
	n := 0
	at.ForEach(func(key, value gjson.Result) bool {
		step := strconv.Itoa(n)
		if n++; at.IsObject() {
			step = gjson.Escape(key.String())
		}
		found = append(found, findIn(value, strings.TrimPrefix(path+"."+step, "."), is)...)
		return true
	})
	return found
}

func (v *Value) orZero() Value {
	if v == nil {
		return Value{}
	}
	return *v
}

// Exists reports whether there is a value; null is one.
func (v *Value) Exists() bool { return v != nil }

// String is the value as text: a string itself, a number as it is written but without needless zeros and exponents, an
// object or list as JSON, and "" for null.
func (v *Value) String() string { return v.orZero().text }

// Int is the value as a whole number, 0 where it is none.
func (v *Value) Int() int64 { return v.orZero().whole }

// Float is the value as a number, 0 where it is none.
func (v *Value) Float() float64 { return v.orZero().number }

// Bool is the value as a boolean: true, a number other than 0, or a string that says true.
func (v *Value) Bool() bool { return v.orZero().flag }

// Plain is the value as plain data, see text.Decode; it must not be changed.
func (v *Value) Plain() any { return v.orZero().plain }

// textOf is gjson's text of a value. A number that no float can hold stays as it is written.
func textOf(r gjson.Result) string {
	if r.Type == gjson.Number && math.IsInf(r.Num, 0) {
		return r.Raw
	}
	return r.String()
}

func follow(at gjson.Result, parts []part) gjson.Result {
	for i, one := range parts {
		if one.all {
			return each(at, one, parts[i+1:])
		}
		if at = one.step(at); !at.Exists() {
			return at
		}
	}
	return at
}

// step goes from a list or an object to one of its values.
func (one *part) step(at gjson.Result) gjson.Result {
	query := one.search && one.read[0] == '#'
	switch {
	case at.IsArray() && !one.search:
		return key{one.key, one.forced}.in(at)
	case at.IsArray() && query, at.IsObject() && !query:
		return at.Get(one.read)
	}
	return gjson.Result{}
}

// each collects what parts lead to from each item of a list, up to a bar, and follows the parts behind the bar from there.
func each(at gjson.Result, one part, parts []part) gjson.Result {
	if !at.IsArray() {
		return gjson.Result{}
	}
	n := 0
	for n < len(parts) && !parts[n].piped {
		n++
	}
	if one.read == "#" && n == 0 {
		count := strconv.Itoa(len(at.Array()))
		return follow(gjson.Parse(count), parts)
	}
	if one.read != "#" {
		at = at.Get(one.read)
	}
	var found []string
	for _, item := range at.Array() {
		if r := follow(item, parts[:n]); r.Exists() {
			found = append(found, r.Raw)
		}
	}
	return follow(gjson.Parse("["+strings.Join(found, ",")+"]"), parts[n:])
}
