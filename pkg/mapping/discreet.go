package mapping

import (
	"errors"
	"fmt"

	sdk "github.com/GoogleContainerTools/kpt-functions-sdk/go/fn"

	"github.com/waybill-dev/waybill/pkg/correspond"
	"github.com/waybill-dev/waybill/pkg/krm"
)

// open is an error whose words tell nothing of what was asked about: it is shown where Secrets are.
type open struct{ error }

// Unwrap implements what package errors looks for.
func (o open) Unwrap() error { return o.error }

func isOpen(err error) bool {
	var o open
	return errors.As(err, &o)
}

func isSecret(o *krm.Object) bool { return o != nil && o.Is("", "Secret") }

// seesSecret reports whether a Secret is among what a request tells, or may be in the answer.
func (r *Request) seesSecret() bool {
	_, made := r.Outputs[secrets]
	return made || isSecret(r.Parent) || isSecret(r.Input) || len(r.Related[secrets]) > 0
}

// secrets is the group of Secrets.
const secrets = "Secret.v1"

// hush is err without what a hook said, where that may be the value of a secret.
func (r *Request) hush(err error) error {
	if !r.seesSecret() || isOpen(err) {
		return err
	}
	return fmt.Errorf("hook %s fails; why is not shown, because a Secret is among what it sees", r.Hook)
}

// hushNotes are notes without what a hook said, where that may be the value of a secret: one of each severity.
func (r *Request) hushNotes(notes []correspond.Note) (out []correspond.Note) {
	if !r.seesSecret() {
		return notes
	}
	told := map[sdk.Severity]bool{}
	for _, n := range notes {
		if !told[n.Severity] {
			told[n.Severity] = true
			out = append(out, correspond.Note{
				Severity: n.Severity,
				Message:  fmt.Sprintf("hook %s has something to say, which is not shown, because a Secret is among what it sees", r.Hook),
			})
		}
	}
	return out
}
