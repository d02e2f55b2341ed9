package expansion

import (
	"fmt"
	"reflect"
	"text/template"
)

// functions replace those built-in functions that make new text by ones that do the same within
// bounds.
func (b *budget) functions() template.FuncMap {
	return template.FuncMap{
		"print":    b.bounded(fmt.Sprint),
		"println":  b.bounded(fmt.Sprintln),
		"html":     b.bounded(template.HTMLEscaper),
		"js":       b.bounded(template.JSEscaper),
		"urlquery": b.bounded(template.URLQueryEscaper),
		"printf":   b.printf,
	}
}

// bounded looks at what goes in before f runs, and at what comes out: each of these functions
// makes at most a few bytes out of one.
func (b *budget) bounded(f func(...any) string) func(...any) (string, error) {
	return func(args ...any) (string, error) {
		size := sizeOf(args)
		if err := b.spend(size / bytesPerUnit); err != nil {
			return "", err
		}
		if size > maxOutput {
			return "", refuse("a function is given more than %d bytes", maxOutput)
		}
		return b.result(f(args...))
	}
}

func (b *budget) printf(format string, args ...any) (string, error) {
	if err := b.spend((len(format) + sizeOf(args)) / bytesPerUnit); err != nil {
		return "", err
	}
	f := scanFormat(format)
	reason := f.fault()
	if reason == "" {
		reason = f.faultWith(args)
	}
	if reason != "" {
		return "", refuse("%s", reason)
	}
	return b.result(fmt.Sprintf(format, args...))
}

// result counts text whether it is too long or not: another string may try the same.
func (b *budget) result(text string) (string, error) {
	if err := b.spend(len(text) / bytesPerUnit); err != nil {
		return "", err
	}
	if len(text) > maxOutput {
		return "", refuse("a function gives more than %d bytes", maxOutput)
	}
	return text, nil
}

// sizeOf is about how many bytes args take as text.
func sizeOf(args []any) (total int) {
	for _, a := range args {
		switch v := reflect.ValueOf(a); v.Kind() {
		case reflect.String:
			total += 1 + v.Len()
		case reflect.Map:
			for iter := v.MapRange(); iter.Next(); {
				total += workOfOtherThanText + iter.Key().Len() + iter.Value().Len()
			}
		default:
			total += workOfOtherThanText
		}
	}
	return total
}
