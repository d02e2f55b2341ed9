package text

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/waybill-dev/waybill/pkg/lazyregexp"
	"github.com/waybill-dev/waybill/pkg/safetext"
	"github.com/waybill-dev/waybill/pkg/template"
)

var (
	parseFault = lazyregexp.New(`(?s)^template: ` + main + `:(\d+):(?:\d+:)? (.*)$`)
	runFault   = lazyregexp.New(`(?s)^template: ` + main + `:(\d+):(\d+): executing .*? at <.*?>: (.*)$`)
)

// explainParse is an error of the parser; it may quote the template.
func explainParse(err error) error {
	if m := parseFault.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("line %s: %s", m[1], oneLine(m[2]))
	}
	return errors.New(oneLine(err.Error()))
}

// explain is the reason why a template failed, without values.
func (t *Template) explain(err error) error {
	for _, gone := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, gone) {
			return fmt.Errorf("%s: %w", t.name, gone)
		}
	}
	where, why := "", "it cannot be filled in"
	if m := runFault.FindStringSubmatch(err.Error()); m != nil {
		where, why = fmt.Sprintf("line %s, column %s: ", m[1], m[2]), withoutValues(m[3])
	}
	if r, is := template.Refused(err); is {
		why = r.Reason
	}
	return fmt.Errorf("%s: %s%s", t.name, where, why)
}

// valueFree are beginnings of messages of text/template that name only types and parts of the template.
var valueFree = []string{
	"can't evaluate field ", "nil pointer evaluating ", "wrong type for value; ", "invalid value; expected ",
	"wrong number of args for ", "template ", "nil is not a command", "error calling eq: incompatible types ",
	"error calling ne: incompatible types ", "error calling lt: incompatible types ", "error calling le: incompatible types ",
	"error calling gt: incompatible types ", "error calling ge: incompatible types ",
}

var callFault = lazyregexp.New(`^error calling (\w+): `)

// withoutValues is the part of an error of text/template that holds no value.
func withoutValues(text string) string {
	for _, beginning := range valueFree {
		if strings.HasPrefix(text, beginning) {
			return oneLine(text)
		}
	}
	if m := callFault.FindStringSubmatch(text); m != nil {
		return fmt.Sprintf("%s cannot be worked out for what it is given", m[1])
	}
	if strings.HasPrefix(text, "range can't iterate over ") {
		return "range wants a list, a map or a number"
	}
	return "it cannot be filled in"
}

// oneLine is text in one line, up to a limit.
func oneLine(text string) string { return safetext.Cut(safetext.Escape(text), 2*maxMessage, "...") }
