package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/safetext"
	bounds "github.com/waybill-dev/waybill/pkg/template"
)

// Place is a place in a template. Line and Column count from 1 and 0, as text/template does; 0 and 0 is all of the file.
type Place struct {
	File         string
	Line, Column int
}

func (p Place) String() string {
	switch {
	case p.Line == 0:
		return p.File
	case p.Column == 0:
		return fmt.Sprintf("%s:%d", p.File, p.Line)
	}
	return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
}

// Error is what is wrong in a template.
type Error struct {
	Place
	Message string
	// Callers are the places that called the template, innermost first.
	Callers []Place
}

func (e *Error) Error() string {
	text := e.Place.String() + ": " + e.Message
	for i, c := range e.Callers {
		if i == maxCallers {
			return text + " ..."
		}
		text += fmt.Sprintf(" (called at %s)", c)
	}
	return text
}

// maxCallers is how many places the text of an Error shows.
const maxCallers = 3

var (
	parseFault = lazyregexp.New(`(?s)^template: (.*?):(\d+):(?:(\d+):)? (.*)$`)
	place      = lazyregexp.New(`(?s)^(.*):(\d+):(\d+)$`)
	ownGuards  = lazyregexp.New(` \| guard(Print|Over|Made|Encoded)`)
	quoted     = lazyregexp.New(`"(?:[^"\\]|\\.)*"`)
	inCalling  = lazyregexp.New(`^error calling (\w+): `)
)

// explainParse is an error of the parser.
func explainParse(file string, err error) *Error {
	if m := parseFault.FindStringSubmatch(err.Error()); m != nil {
		return &Error{Place: Place{file, number(m[2]), number(m[3])}, Message: cut(m[4])}
	}
	return &Error{Place: Place{File: file}, Message: cut(err.Error())}
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// cut is a text on one line, up to a limit, with nothing in it that moves a cursor.
func cut(text string) string {
	start := safetext.Cut(strings.TrimSpace(text), maxMessage, "...")
	return safetext.Cut(safetext.Visible(safetext.Escape(start)), maxMessage, "...")
}

// explain is an error of a file that was rendered.
func explain(file string, err error) error {
	e := &Error{Place: Place{File: file}}
	inner, at := "", ""
	for cause := err; cause != nil; cause = errors.Unwrap(cause) {
		if _, is := cause.(template.ExecError); !is { //nolint:errorlint // each cause by itself
			continue
		}
		p, context, text, ok := executing(cause.Error())
		if !ok {
			break
		}
		if inner = ""; p.File == rootName { // a text for tpl
			inner = fmt.Sprintf("in the text for tpl, line %d, column %d: ", p.Line, p.Column)
		} else {
			e.called(p)
		}
		at, err = context, &reason{text, errors.Unwrap(cause)}
	}
	e.Message = inner + why(err, at)
	return e
}

// executing takes apart an error of text/template: the place, the part of the template, and what happened there.
func executing(text string) (p Place, at, what string, ok bool) {
	where, rest, ok := strings.Cut(strings.TrimPrefix(text, "template: "), ": executing \"")
	if !ok {
		return p, "", "", false
	}
	_, rest, _ = strings.Cut(rest, "\" at <")
	at, what, _ = strings.Cut(rest, ">: ")
	m := place.FindStringSubmatch(where)
	if m == nil {
		return p, "", "", false
	}
	return Place{m[1], number(m[2]), number(m[3])}, at, what, true
}

// called moves the place of the error into a called template.
func (e *Error) called(p Place) {
	if e.Line > 0 {
		e.Callers = append([]Place{e.Place}, e.Callers...)
	}
	e.Place = p
}

// reason is the last part of an error, and all of it.
type reason struct {
	text string
	err  error
}

func (r *reason) Error() string { return r.text }

func (r *reason) Unwrap() error { return r.err }

// why is what happened, without values that functions quote.
func why(err error, at string) string {
	if m, is := errors.AsType[*message](err); is {
		return cut(m.text)
	}
	text := err.Error()
	if refused, is := bounds.Refused(err); is {
		text = refused.Reason
		if m := inCalling.FindStringSubmatch(err.Error()); m != nil && !strings.HasPrefix(m[1], "guard") && !strings.HasPrefix(text, m[1]) {
			text = m[1] + ": " + text
		}
	} else if inCalling.MatchString(text) {
		text = quoted.ReplaceAllString(text, `"..."`)
	} else if strings.HasPrefix(text, "range can't iterate over ") {
		text = "range wants a list, a map or a number"
	}
	if at = ownGuards.ReplaceAllString(at, ""); at == "" || strings.HasPrefix(at, "guard") {
		return cut(text)
	}
	return cut(text) + ", at <" + cut(at) + ">"
}
